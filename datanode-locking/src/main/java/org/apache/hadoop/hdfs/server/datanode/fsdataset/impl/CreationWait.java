package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import io.evenkeel.locking.dataset.PendingDeletions;
import io.evenkeel.locking.dataset.PendingDeletions.Deletion;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.util.DiskChecker.DiskOutOfSpaceException;

/**
 * How one creation waits where a replica can only come to volumes on which earlier replicas of its
 * block are being deleted. It looks with the block's lock, before stock changes anything for it,
 * and waits without: what it waits for may need the lock. For one thread.
 */
final class CreationWait {
  /** A volume may be added meanwhile. */
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final FineGrainedDataset dataset;
  private final ExtendedBlock block;
  private final StorageType type;
  private final boolean inMemory;
  private final long limitNanos;
  private final long start = System.nanoTime();
  private Collection<Deletion> inTheWay = new ArrayList<>();
  private boolean hasWaited;

  /**
   * Begins with the creation.
   *
   * @param lazyPersist whether it comes to memory where that has room, else to {@code type}
   */
  CreationWait(
      FineGrainedDataset dataset, ExtendedBlock block, StorageType type, boolean lazyPersist) {
    this.dataset = dataset;
    this.block = block;
    this.type = type;
    this.inMemory = lazyPersist && block.getNumBytes() % dataset.cacheManager.getOsPageSize() == 0;
    this.limitNanos = TimeUnit.MILLISECONDS.toNanos(dataset.stopTimeoutMillis());
  }

  /** What is left of the time a creation may wait; 0 when it is up. */
  long leftNanos() {
    return Math.max(0, limitNanos - (System.nanoTime() - start));
  }

  /** Whether the block has been without this creation's lock meanwhile. */
  boolean hasWaited() {
    return hasWaited;
  }

  /**
   * Whether stock may choose a volume now, or finds none either way. The block is locked.
   *
   * @throws DiskOutOfSpaceException when the time is up
   */
  boolean isOver() throws IOException {
    Collection<Deletion> pending =
        new ArrayList<>(dataset.deletions.pending(block.getBlockPoolId(), block.getBlockId()));
    pending.removeIf(Deletion::hasEnded);
    inTheWay = pending;
    if (pending.isEmpty()) {
      return true;
    }
    List<FsVolumeSpi> volumes = new ArrayList<>();
    try (FsDatasetSpi.FsVolumeReferences open = dataset.getFsVolumeReferences()) {
      open.forEach(volumes::add); // not asked with the references: a disk may hang
    }
    boolean late = leftNanos() == 0;
    if (inMemory) {
      Room room = room(volumes, FsVolumeSpi::isTransientStorage);
      if (room == Room.FREE || room == Room.BARRED && !late) {
        return room == Room.FREE;
      }
    }
    Room room = room(volumes, volume -> volume.getStorageType() == type);
    if (room == Room.BARRED && late) {
      throw new DiskOutOfSpaceException("An earlier replica is still being deleted: " + inTheWay);
    }
    return room != Room.BARRED;
  }

  private enum Room {
    FREE,
    BARRED,
    NONE
  }

  private Room room(List<FsVolumeSpi> volumes, Predicate<FsVolumeSpi> kind) {
    List<FsVolumeSpi> barred = new ArrayList<>();
    for (FsVolumeSpi volume : volumes) {
      if (kind.test(volume)) {
        if (inTheWay.stream().anyMatch(each -> each.isOn(volume))) {
          barred.add(volume);
        } else if (hasRoom(volume)) {
          return Room.FREE;
        }
      }
    }
    return barred.stream().anyMatch(this::hasRoom) ? Room.BARRED : Room.NONE;
  }

  private boolean hasRoom(FsVolumeSpi volume) {
    try {
      return volume.getAvailable() > block.getNumBytes();
    } catch (IOException e) { // of a disk that has failed
      return false;
    }
  }

  /** Waits until it may be over. The block is not locked. */
  void await() throws IOException {
    hasWaited = true;
    PendingDeletions.awaitOne(inTheWay, Math.min(LOOK_NANOS, leftNanos()));
  }
}
