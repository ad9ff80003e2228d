package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import io.evenkeel.locking.core.Operation;
import io.evenkeel.locking.dataset.DeferredChecks;
import io.evenkeel.locking.dataset.DeletionOrder;
import io.evenkeel.locking.dataset.PendingDeletions;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.ExtendedBlockId;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DatanodeUtil;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInfo;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeReference;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.io.IOUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Orders to delete replicas, from the NameNode's command to the last file, on the thread that
 * deletes on the replica's volume. Separate from the dataset, as creations and moves are, because
 * each is a protocol of its own over what stock's package shows. Thread-safe.
 */
final class ReplicaDeletions {
  private static final Logger LOG = LoggerFactory.getLogger(FsDatasetImpl.class);

  /** Long enough for whoever only opens or renames files, short enough for who waits behind. */
  private static final long WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  /** For what hangs on the disk that was there before; meanwhile no other disk can be added. */
  private static final long READ_WAIT_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final FineGrainedDataset dataset;
  private final PendingDeletions pending = new PendingDeletions();

  /** Of blocks that are in use: who gives the lock back has them go on. */
  private final Set<DeletionOrder> parked =
      Collections.synchronizedSet(Collections.newSetFromMap(new IdentityHashMap<>()));

  /** By directory what deletes what was saved on a disk that has gone, and may hang. */
  private final ConcurrentMap<URI, DeferredChecks> onGoneDisks = new ConcurrentHashMap<>();

  ReplicaDeletions(FineGrainedDataset dataset) {
    this.dataset = dataset;
  }

  /**
   * As stock, but one block that cannot be deleted does not keep the others from it, and each order
   * remembers the replica it was given for.
   */
  void order(String pool, Block[] blocks) throws IOException {
    List<String> errors = new ArrayList<>();
    for (Block block : blocks) {
      // Looked for once: no lock keeps a creation from coming between two looks.
      ReplicaInfo replica = dataset.volumeMap.get(pool, block.getBlockId());
      if (replica == null) {
        LOG.info("Failed to delete replica {}: ReplicaInfo not found.", block);
      } else if (replica.getGenerationStamp() != block.getGenerationStamp()) {
        errors.add(
            "Failed to delete replica "
                + block
                + ": GenerationStamp not matched, existing replica is "
                + Block.toString(replica));
      } else if (replica.getVolume() == null) {
        errors.add("Failed to delete replica " + block + ". No volume for replica " + replica);
      } else {
        schedule(new DeletionOrder(pool, block, replica));
      }
    }
    if (!errors.isEmpty()) {
      StringBuilder text = new StringBuilder("Failed to delete ");
      text.append(errors.size()).append(" (out of ").append(blocks.length).append(") replica(s):");
      for (int i = 0; i < errors.size(); i++) {
        text.append('\n').append(i).append(") ").append(errors.get(i));
      }
      throw new IOException(text.toString());
    }
  }

  /**
   * Has the volume's own thread delete it. Where the volume is closed, or has no such thread any
   * more because it is being removed, nothing is done: stock lets a RuntimeException end the
   * service of the whole pool in the second case.
   */
  private void schedule(DeletionOrder order) {
    FsVolumeImpl volume = (FsVolumeImpl) order.replica().getVolume();
    FsVolumeReference reference;
    try {
      reference = volume.obtainReference();
    } catch (ClosedChannelException e) {
      LOG.warn("Volume {} is closed, ignore the deletion task for block: {}", volume, order);
      return;
    }
    FsDatasetAsyncDiskService.LOG.info(
        "Scheduling {} replica {} on volume {} for deletion", order, order.replica(), volume);
    try {
      dataset.asyncDiskService.execute(volume, () -> delete(order, reference));
    } catch (RuntimeException e) {
      IOUtils.cleanupWithLogger(LOG, reference);
      LOG.warn("Volume {} is being removed, ignore the deletion of {}: {}", volume, order, e);
    }
  }

  /**
   * Deletes a replica whose place a newer one takes, on this thread, as stock; or does nothing,
   * where the block is in use for long or has another replica by now. The caller has not locked the
   * block.
   *
   * @return false when its volume is closed: it stays, and goes with the volume
   */
  boolean deleteNow(DeletionOrder older) {
    try {
      delete(older, older.replica().getVolume().obtainReference());
      return true;
    } catch (ClosedChannelException e) {
      LOG.warn(
          "Volume {} is closed, ignore the deletion of {}", older.replica().getVolume(), older);
      return false;
    }
  }

  /** Where the files go is asked here, not by who ordered it: it takes a look at the disk. */
  private void delete(DeletionOrder order, FsVolumeReference reference) {
    Runnable task;
    try {
      String trash = dataset.dataStorage.getTrashDirectoryForReplica(order.pool(), order.replica());
      task =
          dataset.asyncDiskService
          .new ReplicaFileDeleteTask(
              reference, order.replica(), new ExtendedBlock(order.pool(), order), trash);
    } catch (RuntimeException e) { // the pool is being removed
      IOUtils.cleanupWithLogger(LOG, reference);
      LOG.warn("Replica {} of block pool {} is not deleted", order, order.pool(), e);
      return;
    }
    try {
      task.run(); // and gives the reference back
    } finally {
      order.end();
    }
  }

  /**
   * Whether the replica of an order is to leave the map now; then its block is locked. Where
   * another operation has the block, this thread goes on with the other blocks of its volume, and
   * without a reference to it: what has the block may wait for another disk, for ever. Who gives
   * the lock back has the deletion go on. An order that is now or never ends instead.
   */
  boolean mayBegin(Operation operation, DeletionOrder order, FsVolumeImpl volume) {
    if (order.nowOrNever()) { // on the thread that waits for it, in turn with readers
      long nanos = TimeUnit.MILLISECONDS.toNanos(dataset.stopTimeoutMillis());
      return operation.keepLockOr(nanos, () -> {})
          && dataset.volumeMap.get(order.pool(), order) == order.replica();
    }
    parked.add(order);
    if (!operation.keepLockOr(WAIT_NANOS, () -> goOn(order))) {
      return false;
    }
    parked.remove(order);
    ReplicaInfo now = dataset.volumeMap.get(order.pool(), order);
    boolean sameReplica = now == order.replica();
    boolean sameVolume = now != null && now.getVolume() == volume;
    if (now == null || (sameReplica && sameVolume)) {
      return true; // stock says what is wrong with a block that is not there
    }
    if (sameReplica || sameVolume) {
      // moved, or finalized: the files of this order are no more, or another replica's
      schedule(new DeletionOrder(order.pool(), order, now));
    } else {
      LOG.info("Replica {} is newer than the order to delete {}, and is kept", now, order);
    }
    return false;
  }

  /** The replica of an order has left the map; its files on {@code volume} are deleted next. */
  void begun(DeletionOrder order, FsVolumeImpl volume) {
    order.begun(pending.begin(order.pool(), order.getBlockId(), volume));
  }

  /** Unless its pool was closed; {@link #schedule} sees whether its volume was. */
  private void goOn(DeletionOrder order) {
    if (parked.remove(order)) {
      schedule(new DeletionOrder(order.pool(), order, order.replica()));
    }
  }

  /** A replica was moved to another volume: what is to be deleted is its copy. */
  void moved(ReplicaInfo from, ReplicaInfo to) {
    parked.forEach(
        order -> {
          if (order.replica() == from) {
            order.follow(to);
          }
        });
  }

  /** A pool was closed: nothing more of it is deleted. The NameNode's next report shows it. */
  void forget(String pool) {
    parked.removeIf(order -> order.pool().equals(pool));
  }

  /**
   * Deletes the files a replica in memory was saved in, on the thread of their disk: others need
   * the block, whose lock the caller has. Until they are gone it is not saved there again; a new
   * replica comes to another place there.
   */
  void deleteSaved(RamDiskReplicaTracker.RamDiskReplica copy) {
    deleteSaved(copy, copy::deleteSavedFiles);
  }

  /**
   * The same if, when its disk's thread comes to it, its block has a replica on another disk with
   * all of it: either disk may have failed as it wrote, and that one may have gone again.
   */
  void deleteSavedIfDoubled(RamDiskReplicaTracker.RamDiskReplica copy, File meta) {
    File data = Block.metaToBlockFile(meta);
    long stamp = Block.getGenerationStamp(meta.getName());
    deleteSaved(
        copy,
        () -> {
          if (data.exists() && isElsewhere(copy, stamp, data.length())) {
            copy.deleteSavedFiles();
          }
        });
  }

  private boolean isElsewhere(RamDiskReplicaTracker.RamDiskReplica copy, long stamp, long length) {
    ReplicaInfo replica = dataset.volumeMap.get(copy.getBlockPoolId(), copy.getBlockId());
    if (replica == null
        || !LockedMemoryReplicas.isFinishedOnDisk(replica)
        || replica.getVolume().getBaseURI().equals(copy.getLazyPersistVolume().getBaseURI())
        || !MergingReplicaMap.isOpen(replica)) {
      return false;
    }
    long more = replica.getNumBytes() - length;
    return stamp == replica.getGenerationStamp()
        ? more == 0
        : stamp < replica.getGenerationStamp() && more >= 0;
  }

  private void deleteSaved(RamDiskReplicaTracker.RamDiskReplica copy, Runnable files) {
    FsVolumeImpl disk = copy.getLazyPersistVolume();
    PendingDeletions.Deletion deletion =
        pending.beginSaved(copy.getBlockPoolId(), copy.getBlockId(), disk, files);
    try {
      dataset.asyncDiskService.execute(disk, deletion::run);
    } catch (RuntimeException e) { // it was removed; a later start may have it again
      onGoneDisks.computeIfAbsent(disk.getBaseURI(), d -> new DeferredChecks()).add(deletion::run);
    }
  }

  /**
   * Deletes, as stock on this thread, what was saved of a block on a disk where a replica of it was
   * created. Waits for a deletion that another thread has begun. The block is locked.
   */
  void deleteSavedNow(ExtendedBlock b, FsVolumeImpl disk) {
    runSaved(b, disk, TimeUnit.MILLISECONDS.toNanos(dataset.stopTimeoutMillis()));
    deleteForgotten(b, disk);
  }

  /** Runs what waits for the thread of a disk; waits as long for what another one has begun. */
  void runSaved(ExtendedBlock b, FsVolumeImpl disk, long nanos) {
    for (PendingDeletions.Deletion each : pending(b.getBlockPoolId(), b.getBlockId())) {
      if (each.isSavedCopy() && each.isOn(disk) && !each.runOrAwait(nanos)) {
        warn(each);
      }
    }
  }

  /**
   * Deletes the copy of a block on a disk where a newer replica of it is, which nobody knows any
   * more: the next start would put it over the replica. One of the same stamp stays, since a new
   * replica has no byte yet. Nothing else of the block comes to the disk meanwhile.
   */
  void deleteForgotten(ExtendedBlock b, FsVolumeImpl disk) {
    if (disk.isTransientStorage() || !dataset.memory().hasSaved()) {
      return; // a start has moved what was saved before
    }
    try {
      File saved = disk.getLazyPersistDir(b.getBlockPoolId());
      File data = new File(DatanodeUtil.idToBlockDir(saved, b.getBlockId()), b.getBlockName());
      if (data.exists()) {
        deleteForgotten(b, data);
      }
    } catch (IOException e) {
      LOG.info("The saved copy of {} on {} stays: the block pool is being removed", b, disk, e);
    }
  }

  private static void deleteForgotten(ExtendedBlock b, File data) {
    File[] metas =
        data.getParentFile().listFiles((dir, name) -> name.startsWith(data.getName() + "_"));
    if (metas == null) {
      LOG.warn("Cannot list the meta files of the saved copy of {} beside {}", b, data);
      return;
    }
    for (File meta : metas) {
      if (Block.getGenerationStamp(meta.getName()) >= b.getGenerationStamp()) {
        return;
      }
    }
    for (File meta : metas) {
      if (!meta.delete()) { // the data is not read as a replica without it
        LOG.warn("Failed to delete {}", meta);
        return;
      }
    }
    if (!data.delete()) {
      LOG.warn("Failed to delete {}", data);
    }
  }

  /**
   * Of all blocks what waits for the thread of a disk, before its directory is read as a volume.
   */
  void deleteSavedIn(File directory) {
    pending.runSaved(each -> each.isIn(directory), READ_WAIT_NANOS).forEach(this::warn);
  }

  /** Of all blocks of a pool what waits for threads, before the volumes that are there are read. */
  void deleteSavedOf(String pool) {
    for (FsVolumeImpl volume : dataset.getVolumeList()) {
      pending
          .runSaved(each -> each.isOf(pool) && each.isOn(volume), READ_WAIT_NANOS)
          .forEach(this::warn);
    }
  }

  private void warn(PendingDeletions.Deletion deletion) {
    LOG.warn(
        "The saved copy of {} is still being deleted; its disk may hang. If its volume is read"
            + " before that, the copy is taken for a replica",
        deletion);
  }

  /** A replica's files on a volume are deleted next, as it was moved from there. */
  PendingDeletions.Deletion begin(ExtendedBlock b, FsVolumeSpi volume) {
    return pending.begin(b.getBlockPoolId(), b.getBlockId(), volume);
  }

  /** A replica on a volume comes into the map next. */
  PendingDeletions.Deletion reserve(String pool, ReplicaInfo replica) {
    return pending.reserve(pool, replica.getBlockId(), replica.getVolume());
  }

  /** What of a block is being deleted. The caller holds that block's lock. */
  Collection<PendingDeletions.Deletion> pending(String pool, long blockId) {
    return pending.of(pool, blockId);
  }

  /**
   * Those of them that are in the way of a new replica: saved copies are in a place of their own.
   */
  Collection<PendingDeletions.Deletion> inTheWay(String pool, long blockId) {
    Collection<PendingDeletions.Deletion> all = pending.of(pool, blockId);
    if (all.isEmpty()) {
      return all;
    }
    List<PendingDeletions.Deletion> some = new ArrayList<>(all);
    some.removeIf(PendingDeletions.Deletion::isSavedCopy);
    return some;
  }

  /** Waits until one of them has ended, or the time is up. */
  void awaitOne(Collection<PendingDeletions.Deletion> some, long nanos) throws IOException {
    pending.awaitOne(some, nanos);
  }

  /** The blocks of which anything is being deleted. */
  Set<ExtendedBlockId> blocks() {
    return pending.blocks();
  }

  /**
   * Whether anything {@link #inTheWay} is being deleted on a volume. The caller holds the block's
   * lock.
   */
  boolean arePending(String pool, long blockId, FsVolumeSpi volume) {
    return inTheWay(pool, blockId).stream().anyMatch(each -> each.isOn(volume));
  }
}
