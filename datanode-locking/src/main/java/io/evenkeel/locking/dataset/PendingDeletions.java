package io.evenkeel.locking.dataset;

import java.io.IOException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.hadoop.hdfs.ExtendedBlockId;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInfo;

/**
 * Replicas that are out of the map while a thread is still deleting their files. A replica of the
 * same block must not be created meanwhile: it could get the same path and be deleted with the old
 * one. Thread-safe.
 */
public final class PendingDeletions {
  private static final long LOOK_AGAIN_MILLIS = 5;

  /**
   * How often in a row nothing may be under way before that is believed: stock adds up numbers it
   * reads one after the other, and a deletion that begins and ends in between counts as -1.
   */
  private static final int LOOKS = 2;

  private final ConcurrentMap<ExtendedBlockId, ReplicaInfo> pending = new ConcurrentHashMap<>();

  private final LongSupplier underWay;

  /**
   * None yet.
   *
   * @param underWay how many deletions are queued or being made; each that {@link #removed} a
   *     replica is counted until it has ended
   */
  public PendingDeletions(LongSupplier underWay) {
    this.underWay = underWay;
  }

  /** The replica has left the map; its files go next. */
  public void removed(String poolId, ReplicaInfo replica) {
    pending.put(new ExtendedBlockId(replica.getBlockId(), poolId), replica);
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
      pending.remove(new ExtendedBlockId(id, poolId));
    }
  }

  /**
   * Waits until the files of an earlier replica of the block are gone, or nobody is deleting any: a
   * writer that opens its files after the deletion of its replica leaves some for good. The caller
   * holds that block's lock and no other.
   *
   * @param limitMillis after which the deletion is given up
   * @throws IOException when they are still there; the next caller does not wait for them again
   */
  public void await(String poolId, long blockId, long limitMillis) throws IOException {
    if (pending.isEmpty()) {
      return;
    }
    ExtendedBlockId id = new ExtendedBlockId(blockId, poolId);
    ReplicaInfo old = pending.get(id);
    if (old == null) {
      return;
    }
    long start = System.nanoTime();
    int idle = 0;
    while (old.blockDataExists() || old.metadataExists()) {
      idle = underWay.getAsLong() > 0 ? 0 : idle + 1;
      if (idle == LOOKS) {
        break;
      }
      if (TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start) >= limitMillis) {
        pending.remove(id, old);
        throw new IOException("An earlier replica is still being deleted: " + old);
      }
      pause(id);
    }
    pending.remove(id, old);
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
