package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import io.evenkeel.locking.core.Operation;
import io.evenkeel.locking.core.OperationKind;
import io.evenkeel.locking.core.Operations;
import io.evenkeel.locking.dataset.BlockLockManager;
import io.evenkeel.locking.dataset.PendingDeletions;
import io.evenkeel.locking.dataset.ScanResult;
import java.io.File;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.BlockLocalPathInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataStorage;
import org.apache.hadoop.hdfs.server.datanode.Replica;
import org.apache.hadoop.hdfs.server.datanode.ReplicaHandler;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInPipeline;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInfo;
import org.apache.hadoop.hdfs.server.datanode.ReplicaNotFoundException;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeReference;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi.ScanInfo;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.ReplicaInputStreams;
import org.apache.hadoop.hdfs.server.protocol.BlockRecoveryCommand.RecoveringBlock;
import org.apache.hadoop.hdfs.server.protocol.ReplicaRecoveryInfo;

/**
 * Stock's dataset, each method called inside an {@link Operation}, so that {@link BlockLockManager}
 * knows which block the lock requests in it mean. Else these are changed here: writers of a volume
 * that goes, missing files, caching of a block in use, and what becomes of results of the directory
 * scanner that are out of date, or of an older replica. Thread-safe.
 */
@SuppressWarnings("try") // an operation is there for its begin and end
class OperationDataset extends FsDatasetImpl {
  /** Files that are being deleted; those of a block are guarded by its lock. */
  final PendingDeletions deletions = new PendingDeletions();

  OperationDataset(DataNode datanode, DataStorage storage, Configuration conf) throws IOException {
    super(datanode, storage, conf);
  }

  final BlockLockManager locks() {
    return (BlockLockManager) acquireDatasetLockManager(); // stock's constructor calls us as well
  }

  final Operations operations() {
    return locks().operations();
  }

  final Operation begin(OperationKind kind, ExtendedBlock b) throws IOException {
    Operation operation = operations().begin(kind, b.getBlockPoolId(), b.getBlockId());
    if (operation == null) {
      throw new ReplicaNotFoundException(ReplicaNotFoundException.NON_EXISTENT_REPLICA + b);
    }
    return operation;
  }

  // Changing. Stock takes and gives back the lock where it does I/O; while it waits for a writer to
  // stop, it holds none.

  @Override
  public ReplicaHandler append(ExtendedBlock b, long newGs, long expectedLength)
      throws IOException {
    try (Operation operation = begin(OperationKind.APPEND, b)) {
      return orStopped(b, super.append(b, newGs, expectedLength));
    }
  }

  @Override
  public ReplicaHandler recoverAppend(ExtendedBlock b, long newGs, long expectedLength)
      throws IOException {
    try (Operation operation = begin(OperationKind.RECOVER_APPEND, b)) {
      return orStopped(b, super.recoverAppend(b, newGs, expectedLength));
    }
  }

  /**
   * A replica that is written again, whose volume was not closed meanwhile; see {@link
   * FineGrainedDataset}. Else the writer ends as one that stock interrupts: the replica stays in
   * the map until the removal takes it out, and its files, with bytes that were acknowledged, stay
   * on the disk.
   */
  private static ReplicaHandler orStopped(ExtendedBlock b, ReplicaHandler opened)
      throws IOException {
    try {
      return ifOpen(b, opened);
    } catch (ClosedChannelException e) {
      opened.close();
      throw e;
    }
  }

  /**
   * The same, if its volume is not closed.
   *
   * @throws ClosedChannelException if it is; then nothing is reserved any more
   */
  static ReplicaHandler ifOpen(ExtendedBlock b, ReplicaHandler opened) throws IOException {
    FsVolumeSpi volume = opened.getReplica().getReplicaInfo().getVolume();
    try (FsVolumeReference open = volume.obtainReference()) {
      return opened;
    } catch (ClosedChannelException e) {
      LOG.warn("Volume {} was removed or failed while {} was opened on it", volume, b);
      opened.getReplica().releaseAllBytesReserved();
      throw e;
    }
  }

  @Override
  public Replica recoverClose(ExtendedBlock b, long newGs, long expectedLength) throws IOException {
    try (Operation operation = begin(OperationKind.RECOVER_CLOSE, b);
        FsVolumeReference volume = volumeOf(b)) {
      return super.recoverClose(b, newGs, expectedLength);
    }
  }

  @Override
  public ReplicaHandler recoverRbw(
      ExtendedBlock b, long newGs, long minBytesReceived, long maxBytesReceived)
      throws IOException {
    try (Operation operation = begin(OperationKind.RECOVER_RBW, b)) {
      return super.recoverRbw(b, newGs, minBytesReceived, maxBytesReceived);
    }
  }

  @Override
  public ReplicaInPipeline convertTemporaryToRbw(ExtendedBlock b) throws IOException {
    try (Operation operation = begin(OperationKind.CONVERT_TO_RBW, b)) {
      return super.convertTemporaryToRbw(b);
    }
  }

  @Override
  public void finalizeBlock(ExtendedBlock b, boolean fsyncDir) throws IOException {
    try (Operation operation = begin(OperationKind.FINALIZE, b)) {
      super.finalizeBlock(b, fsyncDir);
    }
  }

  @Override
  public void unfinalizeBlock(ExtendedBlock b) throws IOException {
    try (Operation operation = begin(OperationKind.UNFINALIZE, b)) {
      super.unfinalizeBlock(b);
    }
  }

  @Override
  public ReplicaRecoveryInfo initReplicaRecovery(RecoveringBlock block) throws IOException {
    ExtendedBlock b = block.getBlock();
    Operation operation =
        operations().begin(OperationKind.INIT_RECOVERY, b.getBlockPoolId(), b.getBlockId());
    if (operation == null) {
      return null; // as stock for a block it does not have
    }
    try (Operation begun = operation;
        FsVolumeReference volume = volumeOf(b)) {
      ReplicaRecoveryInfo info = super.initReplicaRecovery(block);
      while (info == null && isThere(begun, b)) {
        info = super.initReplicaRecovery(block);
      }
      return info;
    }
  }

  /**
   * Keeps the replica's volume from going away meanwhile, null for no replica. Stock's recoveries
   * do not, and may put a replica back into the map whose volume was removed.
   */
  private FsVolumeReference volumeOf(ExtendedBlock b) throws IOException {
    ReplicaInfo replica = volumeMap.get(b.getBlockPoolId(), b.getBlockId());
    return replica == null ? null : replica.getVolume().obtainReference();
  }

  /** Stock looks without a lock: between what a creation deletes and what it makes is nothing. */
  private boolean isThere(Operation operation, ExtendedBlock b) {
    operation.lock(false);
    try {
      return volumeMap.get(b.getBlockPoolId(), b.getBlockId()) != null;
    } finally {
      operation.unlock();
    }
  }

  @Override
  public Replica updateReplicaUnderRecovery(
      ExtendedBlock old, long recoveryId, long newBlockId, long newLength) throws IOException {
    try (Operation operation = begin(OperationKind.UPDATE_RECOVERY, old);
        FsVolumeReference volume = volumeOf(old)) {
      return super.updateReplicaUnderRecovery(old, recoveryId, newBlockId, newLength);
    }
  }

  // Taking away.

  @Override
  public void invalidateMissingBlock(String pool, Block block) {
    invalidateMissingBlock(pool, block, true);
  }

  /**
   * As stock's since 3.5 (HDFS-17342): a reader that found no file may have looked while the block
   * was finalized or appended to, and stock 3.4 forgets a good replica then.
   *
   * @param checkFiles whether to look for the files first
   */
  public void invalidateMissingBlock(String pool, Block block, boolean checkFiles) {
    try (Operation operation =
        operations().begin(OperationKind.INVALIDATE_MISSING, pool, block.getBlockId())) {
      operation.keepLock();
      ReplicaInfo replica = volumeMap.get(pool, block);
      boolean missing =
          replica != null && !(checkFiles && replica.blockDataExists() && replica.metadataExists());
      if (missing) {
        volumeMap.remove(pool, block);
        invalidate(pool, replica);
      }
    }
  }

  @Override
  public void checkAndUpdate(String pool, ScanInfo found) throws IOException {
    Operation begun = operations().begin(OperationKind.CHECK_AND_UPDATE, pool, found.getBlockId());
    if (begun == null) {
      return;
    }
    try (Operation operation = begun) {
      operation.on(found.getVolume().getStorageID());
      operation.keepLock();
      ReplicaInfo now = volumeMap.get(pool, found.getBlockId());
      if (ScanResult.isOutOfDate(found, now)) {
        LOG.info("Block {} of {} has changed since the scan", found.getBlockId(), pool);
      } else if (ScanResult.isOlderDuplicate(found, now)) {
        deleteOlder(pool, found, now);
      } else {
        super.checkAndUpdate(pool, found);
      }
    }
  }

  /** As stock does with two replicas of a block, and nothing else. */
  private void deleteOlder(String pool, ScanInfo found, ReplicaInfo newer) throws IOException {
    ReplicaInfo older = ScanResult.replica(found);
    try (FsVolumeReference held = found.getVolume().obtainReference()) {
      FsVolumeImpl volume = (FsVolumeImpl) held.getVolume();
      LOG.info("{} is older than {} of {}", found.getBlockFile(), newer, pool);
      if (older != null) {
        volume.resolveDuplicateReplicas(pool, newer, older, volumeMap);
      } else if (!datanode.getFileIoProvider().delete(volume, found.getBlockFile())) {
        LOG.warn("Failed to delete {}", found.getBlockFile());
      }
    } catch (ClosedChannelException e) {
      LOG.info("The volume of {} has gone since the scan", found.getBlockFile());
    }
  }

  // Reading.

  @Override
  public ReplicaInputStreams getTmpInputStreams(ExtendedBlock b, long offset, long metaOffset)
      throws IOException {
    try (Operation operation = begin(OperationKind.OPEN_STREAMS, b)) {
      return super.getTmpInputStreams(b, offset, metaOffset);
    }
  }

  @Override
  public Block getStoredBlock(String pool, long blockId) throws IOException {
    try (Operation operation = operations().begin(OperationKind.STORED_BLOCK, pool, blockId)) {
      return super.getStoredBlock(pool, blockId);
    }
  }

  @Override
  public long getReplicaVisibleLength(ExtendedBlock b) throws IOException {
    try (Operation operation = begin(OperationKind.VISIBLE_LENGTH, b)) {
      return super.getReplicaVisibleLength(b);
    }
  }

  @Override
  public BlockLocalPathInfo getBlockLocalPathInfo(ExtendedBlock b) throws IOException {
    try (Operation operation = begin(OperationKind.LOCAL_PATH, b)) {
      return super.getBlockLocalPathInfo(b);
    }
  }

  /** Not on this thread where another operation has the block: it carries the pool's commands. */
  @Override
  public void cache(String pool, long[] blockIds) {
    for (long id : blockIds) {
      try (Operation operation = operations().begin(OperationKind.CACHE, pool, id)) {
        if (operation.keepLockOr(0, () -> cacheLater(pool, id))) {
          super.cache(pool, new long[] {id});
        }
      }
    }
  }

  private void cacheLater(String pool, long id) {
    later(pool, id, () -> cache(pool, new long[] {id}));
  }

  /** By the thread that deletes on the block's volume; never, where there is none any more. */
  final void later(String pool, long id, Runnable action) {
    ReplicaInfo replica = volumeMap.get(pool, id);
    if (replica == null) {
      return;
    }
    try {
      asyncDiskService.execute((FsVolumeImpl) replica.getVolume(), action);
    } catch (RuntimeException e) { // the volume is being removed
      LOG.info("Nothing more is done with {} of {}: {}", replica, pool, e);
    }
  }

  // Memory.

  @Override
  public void onCompleteLazyPersist(
      String pool, long blockId, long creationTime, File[] saved, FsVolumeImpl target) {
    try (Operation operation = operations().begin(OperationKind.END_LAZY_PERSIST, pool, blockId)) {
      super.onCompleteLazyPersist(pool, blockId, creationTime, saved, target);
    }
  }
}
