package io.evenkeel.locking.dataset;

import java.io.File;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.apache.hadoop.hdfs.ExtendedBlockId;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;

/**
 * Replicas that are out of the map while a thread is still deleting their files. A replica of the
 * same block must not be created on the same volume meanwhile: it could get the same path and be
 * deleted with the old one. On every other volume it may be, however long the first one's disk
 * hangs. What a replica in memory was saved in bars another save of its block, and moves, from that
 * volume only; who creates a replica there deletes it first. Does no I/O itself but by {@link
 * Deletion#run}. Thread-safe.
 */
public final class PendingDeletions {
  /** Of each block the deletions under way, mostly one; a list is replaced, never changed. */
  private final ConcurrentMap<ExtendedBlockId, List<Deletion>> pending = new ConcurrentHashMap<>();

  /** Notified when one has ended. */
  private final Object oneEnded = new Object();

  /** The deletion of one replica's files, from the map's entry to the last file. Thread-safe. */
  public final class Deletion {
    private final ExtendedBlockId block;
    private final FsVolumeSpi volume;
    private final boolean isReservation;
    private final Runnable savedFiles; // null where it is no saved copy
    private final AtomicBoolean begun = new AtomicBoolean();
    private volatile boolean ended;

    private Deletion(
        ExtendedBlockId block, FsVolumeSpi volume, boolean isReservation, Runnable savedFiles) {
      this.block = block;
      this.volume = volume;
      this.isReservation = isReservation;
      this.savedFiles = savedFiles;
    }

    /** Whether its files are only in the way of another saved copy. */
    public boolean isSavedCopy() {
      return savedFiles != null;
    }

    /**
     * Whether its files are on that volume, or on what is now in the place of that volume; what is
     * {@link #reserve reserved} goes with its volume.
     */
    public boolean isOn(FsVolumeSpi other) {
      return isReservation
          ? volume == other
          : Objects.equals(volume.getBaseURI(), other.getBaseURI());
    }

    /** Whether its files are in that directory, of a volume that need not be there yet. */
    public boolean isIn(File directory) {
      return directory.equals(new File(volume.getBaseURI()));
    }

    /** Whether it is of a block of that pool. */
    public boolean isOf(String poolId) {
      return poolId.equals(block.getBlockPoolId());
    }

    /** Deletes the files of a {@link #beginSaved saved copy} and ends, the first time it is run. */
    public void run() {
      if (begun.compareAndSet(false, true)) {
        try {
          savedFiles.run();
        } finally {
          end();
        }
      }
    }

    /**
     * Runs it. Where another thread has begun it, waits for that one, until the time is up or an
     * interrupt, which stays.
     *
     * @return whether it has ended
     */
    public boolean runOrAwait(long nanos) {
      run();
      try {
        awaitOne(Collections.singletonList(this), nanos);
      } catch (InterruptedIOException e) {
        return ended;
      }
      return ended;
    }

    /** The files are gone, or stay for good. */
    public void end() {
      pending.computeIfPresent(block, (id, all) -> without(all));
      synchronized (oneEnded) {
        ended = true;
        oneEnded.notifyAll();
      }
    }

    private List<Deletion> without(List<Deletion> all) {
      List<Deletion> others = new ArrayList<>(all);
      others.remove(this);
      return others.isEmpty() ? null : others;
    }

    /** Whether the files are gone, or stay for good. */
    public boolean hasEnded() {
      return ended;
    }

    /** Whether nothing is deleted: see {@link #reserve}. */
    public boolean isReservation() {
      return isReservation;
    }

    @Override
    public String toString() {
      return block + " on " + volume;
    }
  }

  /**
   * Waits until one of them has ended, or the time is up, and leaves nothing with them: they may
   * never end. The caller has not locked the block: the thread that ends it may need the lock.
   *
   * @throws InterruptedIOException when the thread is interrupted
   */
  public void awaitOne(Collection<Deletion> some, long nanos) throws InterruptedIOException {
    long start = System.nanoTime();
    synchronized (oneEnded) {
      try {
        long left = nanos;
        while (left > 0 && some.stream().noneMatch(Deletion::hasEnded)) {
          TimeUnit.NANOSECONDS.timedWait(oneEnded, left);
          left = nanos - (System.nanoTime() - start);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("Interrupted while an earlier replica is being deleted");
      }
    }
  }

  /** The replica has left the map; its files on {@code volume} are deleted next. */
  public Deletion begin(String poolId, long blockId, FsVolumeSpi volume) {
    return add(new Deletion(new ExtendedBlockId(blockId, poolId), volume, false, null));
  }

  /** As {@link #begin}, but what a replica in memory was saved in, which {@code files} deletes. */
  public Deletion beginSaved(String poolId, long blockId, FsVolumeSpi volume, Runnable files) {
    return add(new Deletion(new ExtendedBlockId(blockId, poolId), volume, false, files));
  }

  /**
   * As {@link #begin}, but the files stay: they are those of a replica that is on a volume that was
   * just added, and about to come into the map.
   */
  public Deletion reserve(String poolId, long blockId, FsVolumeSpi volume) {
    return add(new Deletion(new ExtendedBlockId(blockId, poolId), volume, true, null));
  }

  private Deletion add(Deletion deletion) {
    pending.merge(
        deletion.block,
        Collections.singletonList(deletion),
        (all, one) -> {
          List<Deletion> more = new ArrayList<>(all);
          more.addAll(one);
          return more;
        });
    return deletion;
  }

  /** Those of a block that are under way. The caller holds that block's lock. */
  public Collection<Deletion> of(String poolId, long blockId) {
    if (pending.isEmpty()) {
      return Collections.emptyList();
    }
    return pending.getOrDefault(new ExtendedBlockId(blockId, poolId), Collections.emptyList());
  }

  /**
   * Does at once what waits of saved copies that are about to be read as replicas. The caller has
   * locked no block; where their disk hangs it waits.
   *
   * @param nanos how long it waits in all for what other threads have begun
   * @return those that have not ended
   */
  public List<Deletion> runSaved(Predicate<Deletion> which, long nanos) {
    long deadline = System.nanoTime() + nanos;
    List<Deletion> left = new ArrayList<>();
    for (List<Deletion> all : pending.values()) {
      for (Deletion each : all) {
        if (each.isSavedCopy()
            && which.test(each)
            && !each.runOrAwait(deadline - System.nanoTime())) {
          left.add(each);
        }
      }
    }
    return left;
  }

  /** The blocks of which any are under way. */
  public Set<ExtendedBlockId> blocks() {
    return new HashSet<>(pending.keySet());
  }
}
