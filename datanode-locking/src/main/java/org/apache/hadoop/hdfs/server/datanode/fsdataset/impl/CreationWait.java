package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import io.evenkeel.locking.dataset.AvoidingVolumeChoosingPolicy;
import io.evenkeel.locking.dataset.AvoidingVolumeChoosingPolicy.Creation;
import io.evenkeel.locking.dataset.PendingDeletions;
import io.evenkeel.locking.dataset.PendingDeletions.Deletion;
import java.io.Closeable;
import java.io.IOException;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeReference;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.io.IOUtils;
import org.apache.hadoop.util.DiskChecker.DiskOutOfSpaceException;

/**
 * How one creation waits where a replica can only come to volumes on which earlier replicas of its
 * block are being deleted. It chooses the volume with the block's lock, as stock would, before
 * stock changes anything for it; and waits without the lock, for what it waits for may need it.
 * Where nothing of the block is being deleted it does nothing, and stock chooses. For one thread.
 */
final class CreationWait implements Closeable {
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
  private FsVolumeReference chosen; // null where stock chooses
  private boolean hasWaited;

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
    return ReturningReplicas.field("volumes", FsVolumeList.class);
  }

  /** What is left of the time a creation may wait; 0 when it is up. */
  long leftNanos() {
    return Math.max(0, limitNanos - (System.nanoTime() - start));
  }

  /** Whether the block has been without this creation's lock meanwhile. */
  boolean hasWaited() {
    return hasWaited;
  }

  /** The volume it comes to, null where stock chooses. */
  FsVolumeSpi chosen() {
    return chosen == null ? null : chosen.getVolume();
  }

  /**
   * Whether there is a volume. The block is locked.
   *
   * @throws DiskOutOfSpaceException when the time is up, or all are full
   */
  boolean isOver() throws IOException {
    Collection<Deletion> pending =
        dataset.deletions.pending(block.getBlockPoolId(), block.getBlockId());
    if (pending.isEmpty()) {
      return true; // nearly always
    }
    inTheWay = new ArrayList<>(pending);
    inTheWay.removeIf(Deletion::hasEnded);
    if (inTheWay.isEmpty() || isStillFree()) {
      return true;
    }
    close();
    boolean late = leftNanos() == 0;
    boolean memoryIsBarred = inMemory && chooseMemory();
    if (chosen != null || memoryIsBarred && !late) {
      return chosen != null;
    }
    FsVolumeList volumes = dataset.volumeList;
    chosen = free(() -> volumes.getNextVolume(type, storageId, block.getNumBytes()));
    if (chosen != null) {
      return true;
    }
    if (!memoryIsBarred) { // refused where they are all full
      volumes.getNextVolume(type, storageId, block.getNumBytes()).close();
    }
    if (late) {
      throw new DiskOutOfSpaceException("An earlier replica is still being deleted: " + inTheWay);
    }
    return false;
  }

  /** Whether one was chosen before, and neither is barred now nor goes. */
  private boolean isStillFree() {
    if (chosen == null || inTheWay.stream().anyMatch(each -> each.isOn(chosen.getVolume()))) {
      return false;
    }
    try (FsVolumeReference again = chosen.getVolume().obtainReference()) {
      return again.getVolume() != null;
    } catch (IOException e) { // it is being removed
      return false;
    }
  }

  /** Chooses a volume in memory, if there is one; whether there would be one otherwise. */
  private boolean chooseMemory() throws IOException {
    if (!dataset.reserveLockedMemory(block.getNumBytes())) {
      return false;
    }
    try {
      FsVolumeList volumes = dataset.volumeList;
      Choice choice = () -> volumes.getNextTransientVolume(block.getNumBytes());
      chosen = free(choice);
      if (chosen == null) {
        choice.choose().close();
        return true;
      }
    } catch (DiskOutOfSpaceException e) {
      FsDatasetImpl.LOG.debug("No room in memory", e);
    } finally {
      dataset.cacheManager.release(block.getNumBytes()); // stock reserves it again
    }
    return false;
  }

  /** Stock's choice of a volume. */
  private interface Choice {
    FsVolumeReference choose() throws IOException;
  }

  /** One where nothing is being deleted; null for none. */
  private FsVolumeReference free(Choice choice) throws IOException {
    try (Creation creation = AvoidingVolumeChoosingPolicy.begin(() -> inTheWay, () -> {}, null)) {
      return choice.choose();
    } catch (DiskOutOfSpaceException e) {
      FsDatasetImpl.LOG.debug("No room but where an earlier replica is being deleted", e);
      return null;
    }
  }

  /** Waits until it may be over. The block is not locked. */
  void await() throws IOException {
    hasWaited = true;
    PendingDeletions.awaitOne(inTheWay, Math.min(LOOK_NANOS, leftNanos()));
  }

  @Override
  public void close() {
    IOUtils.cleanupWithLogger(FsDatasetImpl.LOG, chosen);
    chosen = null;
  }
}
