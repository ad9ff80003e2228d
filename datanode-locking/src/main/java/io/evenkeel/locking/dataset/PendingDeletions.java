package io.evenkeel.locking.dataset;

import java.io.IOException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.apache.hadoop.hdfs.ExtendedBlockId;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInfo;

/**
 * Replicas that are out of the map while a thread is still deleting their files. A replica of the
 * same block must not be created meanwhile: it could get the same path and be deleted with the old
 * one. Does no I/O itself: the disk may hang. Thread-safe.
 */
public final class PendingDeletions {
  private static final long LOOK_AGAIN_MILLIS = 5;

  private final ConcurrentMap<ExtendedBlockId, Deletion> pending = new ConcurrentHashMap<>();

  /** The deletion each thread began last. */
  private final ThreadLocal<AtomicReference<Deletion>> latest =
      ThreadLocal.withInitial(AtomicReference::new);

  private final Predicate<Thread> deletes;

  /**
   * None yet. Stock says how many deletions there are on all volumes, not which.
   *
   * @param task of which a thread is inside a method while it deletes
   */
  public static PendingDeletions inside(Class<?> task) {
    String name = task.getName();
    return new PendingDeletions(
        thread -> {
          for (StackTraceElement frame : thread.getStackTrace()) {
            if (frame.getClassName().equals(name)) {
              return true;
            }
          }
          return false;
        });
  }

  /**
   * None yet.
   *
   * @param deletes whether a thread is inside a deletion of a replica's files now
   */
  PendingDeletions(Predicate<Thread> deletes) {
    this.deletes = deletes;
  }

  private static final class Deletion {
    final ReplicaInfo replica;
    final Thread thread = Thread.currentThread();
    final AtomicReference<Deletion> latest;

    Deletion(ReplicaInfo replica, AtomicReference<Deletion> latest) {
      this.replica = replica;
      this.latest = latest;
    }
  }

  /** This thread begins with the next deletion, and has not removed its replica yet. */
  public void begins() {
    latest.get().set(null);
  }

  /** The replica has left the map; this thread deletes its files next. */
  public void removed(String poolId, ReplicaInfo replica) {
    AtomicReference<Deletion> mine = latest.get();
    Deletion deletion = new Deletion(replica, mine);
    mine.set(deletion);
    pending.put(new ExtendedBlockId(replica.getBlockId(), poolId), deletion);
  }

  /** The block has a replica again, for which earlier files were deleted. */
  public void settled(String poolId, long blockId) {
    if (!pending.isEmpty()) {
      pending.remove(new ExtendedBlockId(blockId, poolId));
    }
  }

  /** The dataset has finished with these. */
  public void finished(String poolId, Iterable<Long> blockIds) {
    for (long id : blockIds) {
      pending.computeIfPresent(
          new ExtendedBlockId(id, poolId),
          (block, last) -> isUnderWayElsewhere(last) ? last : null);
    }
  }

  /** Finished was an earlier one of the same block, then. */
  private boolean isUnderWayElsewhere(Deletion deletion) {
    return deletion.thread != Thread.currentThread() && isUnderWay(deletion);
  }

  /**
   * Waits until the thread that deletes an earlier replica of the block has done with it. Files it
   * could not delete, or that a late writer opened again, are not waited for, nor are deletions of
   * other blocks. The caller holds that block's lock and no other.
   *
   * @param limitMillis after which the deletion is given up
   * @throws IOException when it is not over by then; the next caller does not wait for it again
   */
  public void await(String poolId, long blockId, long limitMillis) throws IOException {
    if (pending.isEmpty()) {
      return;
    }
    ExtendedBlockId id = new ExtendedBlockId(blockId, poolId);
    Deletion old = pending.get(id);
    if (old == null) {
      return;
    }
    long start = System.nanoTime();
    while (isUnderWay(old)) {
      if (TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start) >= limitMillis) {
        pending.remove(id, old);
        throw new IOException("An earlier replica is still being deleted: " + old.replica);
      }
      pause(id);
    }
    pending.remove(id, old);
  }

  /** A thread that is inside a deletion is inside the one it began last. */
  private boolean isUnderWay(Deletion deletion) {
    return deletion.latest.get() == deletion && deletes.test(deletion.thread);
  }

  private static void pause(ExtendedBlockId id) throws IOException {
    try {
      Thread.sleep(LOOK_AGAIN_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted while an earlier replica of " + id + " is deleted", e);
    }
  }

  /** Replicas whose deletion is not known to be finished. */
  public int size() {
    return pending.size();
  }
}
