package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import io.evenkeel.locking.core.Operation;
import io.evenkeel.locking.core.OperationKind;
import io.evenkeel.locking.core.PoolGate;
import io.evenkeel.locking.dataset.BlockLockManager;
import io.evenkeel.locking.dataset.DeletionFailures;
import io.evenkeel.locking.dataset.DeletionOrder;
import io.evenkeel.locking.dataset.PendingDeletions;
import java.io.File;
import java.io.IOException;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.BlockListAsLongs;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataStorage;
import org.apache.hadoop.hdfs.server.datanode.ReplicaHandler;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInPipeline;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInfo;
import org.apache.hadoop.hdfs.server.datanode.ReplicaNotFoundException;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;

/**
 * Stock's dataset with locks per block (HDFS-9668): the operations whose locks must reach further
 * than stock's. The others are in {@link OperationDataset} and {@link MovingDataset}. Thread-safe;
 * lock order in {@link io.evenkeel.locking.core}.
 *
 * <p>Where this differs from stock on purpose: two creations of a block exclude each other (stock
 * has let both succeed since 3.4), a creation waits for files of the same block that are still
 * being deleted, a replica that changed while it was copied to another volume is not replaced by
 * its copy, a pool that is being closed refuses at once, a deletion on a volume that is being
 * removed is ignored, and a volume that comes back does not bring back older replicas.
 */
@SuppressWarnings("try") // an operation is there for its begin and end
public class FineGrainedDataset extends MovingDataset {
  private final PendingDeletions deletions;
  private final long drainNanos;
  private final ThreadLocal<Boolean> leavesStragglers = new ThreadLocal<>();
  private volatile Runnable whenShutDown = () -> {};

  /**
   * Made as stock's.
   *
   * @param datanode whose lock manager is a {@link BlockLockManager}
   * @param drainMillis how long closing a pool waits for operations inside
   */
  public FineGrainedDataset(
      DataNode datanode, DataStorage storage, Configuration conf, long drainMillis)
      throws IOException {
    super(datanode, storage, conf);
    this.drainNanos = TimeUnit.MILLISECONDS.toNanos(drainMillis);
    this.deletions = PendingDeletions.inside(FsDatasetAsyncDiskService.ReplicaFileDeleteTask.class);
  }

  private Operation beginCreation(OperationKind kind, ExtendedBlock b) throws IOException {
    Operation operation = operations().begin(kind, b.getBlockPoolId(), b.getBlockId());
    if (operation == null) {
      throw new IOException("block pool " + b.getBlockPoolId() + " is not found");
    }
    return operation;
  }

  // Creating. The block's lock is held over the whole call, so nobody comes between stock's look at
  // the map and its new entry. A writer that must stop needs the lock to leave, so it is stopped
  // before.

  @Override
  public ReplicaHandler createRbw(
      StorageType type, String storageId, ExtendedBlock b, boolean lazyPersist, long newGs)
      throws IOException {
    try (Operation operation = beginCreation(OperationKind.CREATE_RBW, b)) {
      operation.keepLock();
      deletions.await(b.getBlockPoolId(), b.getBlockId(), stopTimeoutMillis());
      return super.createRbw(type, storageId, b, lazyPersist, newGs);
    }
  }

  @Override
  public ReplicaHandler createTemporary(
      StorageType type, String storageId, ExtendedBlock b, boolean isTransfer) throws IOException {
    long start = System.nanoTime();
    while (true) {
      ReplicaInPipeline written;
      try (Operation operation = beginCreation(OperationKind.CREATE_TEMPORARY, b)) {
        operation.keepLock();
        written = writtenBefore(b);
        if (written == null) {
          deletions.await(b.getBlockPoolId(), b.getBlockId(), stopTimeoutMillis());
          ReplicaHandler created = super.createTemporary(type, storageId, b, isTransfer);
          deletions.settled(b.getBlockPoolId(), b.getBlockId()); // stock has deleted the older one
          return created;
        }
      }
      long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
      if (millis > stopTimeoutMillis()) {
        throw new IOException(
            "Unable to stop existing writer for block " + b + " after " + millis + " ms");
      }
      written.stopWriter(stopTimeoutMillis());
    }
  }

  /** The replica whose writer stock would stop for a new temporary one, or null. */
  private ReplicaInPipeline writtenBefore(ExtendedBlock b) {
    ReplicaInfo replica = volumeMap.get(b.getBlockPoolId(), b.getBlockId());
    boolean older =
        replica instanceof ReplicaInPipeline
            && (replica.getGenerationStamp() < b.getGenerationStamp()
                || replica.getVolume().getStorageType() == StorageType.PROVIDED);
    if (!older) {
      return null; // nothing to stop, or stock refuses the new one
    }
    ReplicaInPipeline written = (ReplicaInPipeline) replica;
    return written.attemptToSetWriter(null, Thread.currentThread()) ? null : written;
  }

  // Taking away.

  /** One by one: a block that cannot be deleted does not keep the others from it. */
  @Override
  public void invalidate(String pool, Block[] blocks) throws IOException {
    DeletionFailures failures = new DeletionFailures();
    for (Block block : blocks) {
      try {
        super.invalidate(pool, new Block[] {new DeletionOrder(block, volumeMap.get(pool, block))});
      } catch (IOException e) {
        failures.add(e);
      } catch (RuntimeException e) {
        failures.ignoreIfItsVolumeGoes(block, e);
      }
    }
    failures.throwIfAny(blocks.length);
  }

  @Override
  boolean removeReplicaFromMem(ExtendedBlock block, FsVolumeImpl volume) {
    deletions.begins(); // who waits for the last one of this thread may have the lock it wants
    String pool = block.getBlockPoolId();
    Operation begun = operations().begin(OperationKind.REMOVE, pool, block.getBlockId());
    if (begun == null) {
      return false; // as stock for a block it does not have
    }
    try (Operation operation = begun) {
      operation.on(volume.getStorageID());
      operation.keepLock();
      ReplicaInfo replica = volumeMap.get(pool, block.getLocalBlock());
      if (replica != null && !DeletionOrder.mayGoOn(block.getLocalBlock(), replica)) {
        scheduleAgain(pool, block.getLocalBlock());
        return false;
      }
      boolean removed = super.removeReplicaFromMem(block, volume);
      if (removed) {
        deletions.removed(pool, replica);
      }
      return removed;
    }
  }

  /** For the replica as it is now. */
  private void scheduleAgain(String pool, Block block) {
    try {
      invalidate(pool, new Block[] {block});
    } catch (IOException | RuntimeException e) { // stock's when the volume or the DataNode stops
      LOG.warn("Block {} of {} changed, and cannot be deleted any more", block, pool, e);
    }
  }

  @Override
  public void removeDeletedBlocks(String pool, Set<Long> blockIds) {
    deletions.finished(pool, blockIds);
    super.removeDeletedBlocks(pool, blockIds);
  }

  // Memory.

  @Override
  public void evictLazyPersistBlocks(long bytesNeeded) {
    locks().beginEviction();
    try {
      super.evictLazyPersistBlocks(bytesNeeded);
    } finally {
      locks().endEviction();
    }
  }

  /** Where stock's eviction looks up what it chose, that block is locked, if it is free. */
  @Override
  ReplicaInfo getReplicaInfo(String pool, long blockId) throws ReplicaNotFoundException {
    if (locks().choosesEviction()) {
      lockForEviction(pool, blockId);
    }
    return super.getReplicaInfo(pool, blockId);
  }

  private void lockForEviction(String pool, long blockId) throws ReplicaNotFoundException {
    Operation operation = operations().begin(OperationKind.EVICT, pool, blockId);
    if (operation != null) { // its pool is not closed; it may be another than the creation's
      if (operation.tryLock()) {
        locks().evicts(operation);
        return;
      }
      operation.close();
    }
    mayBeEvictedAgain(pool, blockId);
    throw new ReplicaNotFoundException("Replica " + pool + ":" + blockId + " is in use");
  }

  /** Stock took it off its list of candidates; this puts it back, as the one used last. */
  private void mayBeEvictedAgain(String pool, long blockId) {
    RamDiskReplicaTracker tracker = ramDiskReplicaTracker;
    synchronized (tracker) { // stock's locks itself; a deletion may be about to discard the replica
      RamDiskReplicaTracker.RamDiskReplica replica = tracker.getReplica(pool, blockId);
      if (replica != null && replica.getIsPersisted()) {
        File[] saved = {replica.getSavedMetaFile(), replica.getSavedBlockFile()};
        tracker.recordEndLazyPersist(pool, blockId, saved);
      }
    }
  }

  // Pools.

  @Override
  public void addBlockPool(String pool, Configuration conf) throws IOException {
    PoolGate gate = operations().pool(pool).gate();
    gate.reopening(); // or who was inside when it was closed would take what is read now
    try {
      super.addBlockPool(pool, conf);
    } finally {
      gate.open(); // also when some volumes failed
    }
  }

  @Override
  public void shutdownBlockPool(String pool) {
    PoolGate gate = operations().pool(pool).gate();
    boolean drained = gate.close(drainNanos);
    if (drained) {
      super.shutdownBlockPool(pool);
      return;
    }
    LOG.warn("Closing block pool {} with {} operations still inside", pool, gate.inside());
    leavesStragglers.set(true);
    try {
      super.shutdownBlockPool(pool);
    } finally {
      leavesStragglers.remove();
    }
    gate.whenEmpty(() -> volumeMap.cleanUpBlockPool(pool));
  }

  /**
   * Nothing for a pool that closes while operations are inside: stock would save the list on disk
   * and believe it at the next start, without the replicas those operations leave.
   */
  @Override
  public Map<DatanodeStorage, BlockListAsLongs> getBlockReports(String pool) {
    return leavesStragglers.get() == null
        ? super.getBlockReports(pool)
        : Collections.<DatanodeStorage, BlockListAsLongs>emptyMap();
  }

  @Override
  public void deleteBlockPool(String pool, boolean force) throws IOException {
    PoolGate gate = operations().pool(pool).gate();
    boolean wasClosed = gate.closed();
    try {
      if (!gate.close(drainNanos)) {
        throw new IOException(
            "Block pool " + pool + " is in use by " + gate.inside() + " operations");
      }
      super.deleteBlockPool(pool, force);
    } finally {
      if (!wasClosed) {
        gate.open();
      }
    }
  }

  /** What is done last when this is shut down, perhaps more than once. */
  public final void whenShutDown(Runnable action) {
    whenShutDown = action;
  }

  @Override
  public void shutdown() {
    try {
      super.shutdown();
    } finally {
      whenShutDown.run();
    }
  }
}
