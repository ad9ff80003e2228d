package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import io.evenkeel.locking.dataset.AvoidingVolumeChoosingPolicy;
import io.evenkeel.locking.dataset.AvoidingVolumeChoosingPolicy.Creation;
import io.evenkeel.locking.dataset.PendingDeletions.Deletion;
import java.io.IOException;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeReference;
import org.apache.hadoop.util.DiskChecker.DiskOutOfSpaceException;

/**
 * How one creation waits where a replica can only come to volumes on which earlier replicas of its
 * block are being deleted. Whether there is another one is for stock's choice to say, with the
 * block's lock, before anything is changed for the new replica; nothing is kept of that choice, for
 * until stock chooses itself that volume may go or fill up. It waits without the lock, for what it
 * waits for may need it. Where nothing of the block is being deleted it does nothing. For one
 * thread.
 */
@SuppressWarnings("try") // a creation is there for its begin and end
final class CreationWait {
  /** A volume may be added meanwhile. */
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final FineGrainedDataset dataset;
  private final ExtendedBlock block;
  private final StorageType type;
  private final String storageId;
  private final boolean inMemory;
  private final long limitNanos;
  private final long start = System.nanoTime();
  private Collection<Deletion> inTheWay = Collections.emptyList();

  /**
   * Begins with the creation.
   *
   * @param lazyPersist whether it comes to memory where that has room, else to {@code type}
   */
  CreationWait(
      FineGrainedDataset dataset,
      ExtendedBlock block,
      StorageType type,
      String storageId,
      boolean lazyPersist) {
    this.dataset = dataset;
    this.block = block;
    this.type = type;
    this.storageId = storageId;
    this.inMemory =
        lazyPersist
            && dataset.lazyWriter != null
            && block.getNumBytes() % dataset.cacheManager.getOsPageSize() == 0;
    this.limitNanos = TimeUnit.MILLISECONDS.toNanos(dataset.stopTimeoutMillis());
  }

  /**
   * The field of stock's volumes, which has no getter.
   *
   * @throws ReflectiveOperationException naming what is missing
   */
  static Field field() throws ReflectiveOperationException {
    return MergingReplicaMap.field("volumes", FsVolumeList.class);
  }

  /** What is left of the time a creation may wait; 0 when it is up. */
  long leftNanos() {
    return Math.max(0, limitNanos - (System.nanoTime() - start));
  }

  /** Whether files of earlier replicas are in the way of this one, as {@link #isOver} found. */
  boolean isBarred() {
    return !inTheWay.isEmpty();
  }

  /**
   * Whether there is a volume, as things are: what an older replica gives back does not count. The
   * block is locked.
   *
   * @throws DiskOutOfSpaceException when the time is up, or all are full
   */
  boolean isOver() throws IOException {
    inTheWay =
        new ArrayList<>(dataset.deletions.inTheWay(block.getBlockPoolId(), block.getBlockId()));
    inTheWay.removeIf(Deletion::hasEnded);
    if (inTheWay.isEmpty() || inMemory && isRoomInMemory(inTheWay)) {
      return true; // nearly always
    }
    boolean late = leftNanos() == 0;
    boolean memoryIsBarred = inMemory && isRoomInMemory(Collections.emptyList());
    if (memoryIsBarred && !late) {
      return false;
    }
    FsVolumeList volumes = dataset.volumeList;
    Choice onDisk = () -> volumes.getNextVolume(type, storageId, block.getNumBytes());
    if (isRoom(inTheWay, onDisk)) {
      return true;
    }
    if (!memoryIsBarred) {
      onDisk.choose().close(); // refused where they are all full
    }
    if (late) {
      throw new DiskOutOfSpaceException("An earlier replica is still being deleted: " + inTheWay);
    }
    return false;
  }

  private boolean isRoomInMemory(Collection<Deletion> barred) throws IOException {
    if (!dataset.reserveLockedMemory(block.getNumBytes())) {
      return false;
    }
    try {
      FsVolumeList volumes = dataset.volumeList;
      return isRoom(barred, () -> volumes.getNextTransientVolume(block.getNumBytes()));
    } finally {
      dataset.cacheManager.release(block.getNumBytes()); // stock reserves it again
    }
  }

  /** Stock's choice of a volume. */
  private interface Choice {
    FsVolumeReference choose() throws IOException;
  }

  /** Whether there is one where nothing is being deleted. */
  private static boolean isRoom(Collection<Deletion> barred, Choice choice) throws IOException {
    try (Creation creation = AvoidingVolumeChoosingPolicy.begin(() -> barred, () -> {});
        FsVolumeReference chosen = choice.choose()) {
      return chosen != null;
    } catch (DiskOutOfSpaceException e) {
      FsDatasetImpl.LOG.debug(
          "No volume has room, except perhaps those where an earlier replica is being deleted", e);
      return false;
    }
  }

  /** Waits until it may be over. The block is not locked. */
  void await() throws IOException {
    dataset.deletions.awaitOne(inTheWay, Math.min(LOOK_NANOS, leftNanos()));
  }
}
