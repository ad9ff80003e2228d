package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import static org.apache.hadoop.hdfs.DFSConfigKeys.DFS_DATANODE_FSDATASET_VOLUME_CHOOSING_POLICY_KEY;
import static org.apache.hadoop.hdfs.DFSConfigKeys.DFS_DATANODE_RAM_DISK_REPLICA_TRACKER_KEY;

import io.evenkeel.locking.core.Operation;
import io.evenkeel.locking.core.OperationKind;
import io.evenkeel.locking.core.PoolGate;
import io.evenkeel.locking.dataset.AvoidingVolumeChoosingPolicy;
import io.evenkeel.locking.dataset.AvoidingVolumeChoosingPolicy.Creation;
import io.evenkeel.locking.dataset.BlockLockManager;
import io.evenkeel.locking.dataset.DeletionOrder;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
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
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeReference;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.apache.hadoop.io.IOUtils;

/**
 * Stock's dataset with locks per block (HDFS-9668): the operations whose locks must reach further
 * than stock's. The others are in {@link OperationDataset} and {@link MovingDataset}. Thread-safe;
 * lock order in {@link io.evenkeel.locking.core}.
 *
 * <p>Where this differs from stock on purpose: two creations of a block exclude each other (stock
 * has let both succeed since 3.4), a new replica does not come to a volume where files of an
 * earlier one of its block are still being deleted, a replica that changed while it was copied to
 * another volume is not replaced by its copy, a pool that is being closed refuses at once, a
 * deletion on a volume that is being removed is ignored, and a volume that comes back does not
 * bring back older replicas.
 */
@SuppressWarnings("try") // an operation is there for its begin and end
public class FineGrainedDataset extends MovingDataset {
  /** Long enough for whoever only opens or renames files, short enough for who waits behind. */
  private static final long DELETION_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private final long drainNanos;
  private final ThreadLocal<Boolean> leavesStragglers = new ThreadLocal<>();
  private volatile Runnable whenShutDown = () -> {};

  private FineGrainedDataset(
      DataNode datanode, DataStorage storage, Configuration conf, long drainMillis)
      throws IOException {
    super(datanode, storage, conf);
    this.drainNanos = TimeUnit.MILLISECONDS.toNanos(drainMillis);
  }

  /**
   * Made as stock's, but for two classes whose names stock takes from the configuration: ours stand
   * before those configured there. Afterwards the configuration is as it was.
   *
   * @param datanode whose lock manager is a {@link BlockLockManager}
   * @param drainMillis how long closing a pool waits for operations inside
   */
  public static FineGrainedDataset create(
      DataNode datanode, DataStorage storage, Configuration conf, long drainMillis)
      throws IOException {
    String policy = conf.get(DFS_DATANODE_FSDATASET_VOLUME_CHOOSING_POLICY_KEY);
    String memory = conf.get(DFS_DATANODE_RAM_DISK_REPLICA_TRACKER_KEY);
    put(conf, AvoidingVolumeChoosingPolicy.CONFIGURED, policy);
    put(conf, LockedMemoryReplicas.CONFIGURED, memory);
    put(
        conf,
        DFS_DATANODE_FSDATASET_VOLUME_CHOOSING_POLICY_KEY,
        AvoidingVolumeChoosingPolicy.class.getName());
    put(conf, DFS_DATANODE_RAM_DISK_REPLICA_TRACKER_KEY, LockedMemoryReplicas.class.getName());
    try {
      return new FineGrainedDataset(datanode, storage, conf, drainMillis);
    } finally {
      put(conf, DFS_DATANODE_FSDATASET_VOLUME_CHOOSING_POLICY_KEY, policy);
      put(conf, DFS_DATANODE_RAM_DISK_REPLICA_TRACKER_KEY, memory);
      conf.unset(AvoidingVolumeChoosingPolicy.CONFIGURED);
      conf.unset(LockedMemoryReplicas.CONFIGURED);
    }
  }

  private static void put(Configuration conf, String key, String value) {
    if (value == null) {
      conf.unset(key);
    } else {
      conf.set(key, value);
    }
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
      try (Creation creation = avoidingOldFiles(b)) {
        return orClosed(b, super.createRbw(type, storageId, b, lazyPersist, newGs));
      }
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
          try (Creation creation = avoidingOldFiles(b)) {
            return orClosed(b, super.createTemporary(type, storageId, b, isTransfer));
          }
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

  private Creation avoidingOldFiles(ExtendedBlock b) {
    return AvoidingVolumeChoosingPolicy.begin(
        deletions.of(b.getBlockPoolId(), b.getBlockId()), stopTimeoutMillis());
  }

  /**
   * A new replica whose volume was not closed meanwhile. Who closes it looks for writers in the map
   * afterwards, and this looks whether it is closed after the replica came into the map: one of
   * both sees the other. What was made for nothing is taken away again; nobody knows of it yet.
   */
  private ReplicaHandler orClosed(ExtendedBlock b, ReplicaHandler created) throws IOException {
    try {
      return ifOpen(b, created);
    } catch (ClosedChannelException e) {
      try (ReplicaHandler closing = created) {
        ReplicaInfo replica = closing.getReplica().getReplicaInfo();
        if (volumeMap.get(b.getBlockPoolId(), b.getBlockId()) == replica) {
          volumeMap.remove(b.getBlockPoolId(), b.getBlockId());
        }
        replica.deleteBlockData();
        replica.deleteMetadata();
      }
      throw e;
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

  /**
   * As stock, but one block that cannot be deleted does not keep the others from it, and each order
   * remembers the replica it was given for.
   */
  @Override
  public void invalidate(String pool, Block[] blocks) throws IOException {
    List<String> errors = new ArrayList<>();
    for (Block block : blocks) {
      ReplicaInfo replica = volumeMap.get(pool, block);
      if (replica != null && replica.getVolume() == null) {
        errors.add("Failed to delete replica " + block + ". No volume for replica " + replica);
        continue;
      }
      if (replica != null) {
        schedule(new DeletionOrder(pool, block, replica));
        continue;
      }
      ReplicaInfo other = volumeMap.get(pool, block.getBlockId());
      if (other == null) {
        LOG.info("Failed to delete replica {}: ReplicaInfo not found.", block);
      } else {
        errors.add(
            "Failed to delete replica "
                + block
                + ": GenerationStamp not matched, existing replica is "
                + Block.toString(other));
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
      asyncDiskService.execute(volume, () -> delete(order, reference));
    } catch (RuntimeException e) {
      IOUtils.cleanupWithLogger(LOG, reference);
      LOG.warn("Volume {} is being removed, ignore the deletion of {}: {}", volume, order, e);
    }
  }

  /** Where the files go is asked here, by the volume's own thread: it takes a look at the disk. */
  private void delete(DeletionOrder order, FsVolumeReference reference) {
    Runnable task;
    try {
      String trash = dataStorage.getTrashDirectoryForReplica(order.pool(), order.replica());
      task =
          asyncDiskService
          .new ReplicaFileDeleteTask(
              reference, order.replica(), new ExtendedBlock(order.pool(), order), trash);
    } catch (RuntimeException e) { // the pool is being removed
      IOUtils.cleanupWithLogger(LOG, reference);
      LOG.warn("Block {} of {} is not deleted", order, order.pool(), e);
      return;
    }
    try {
      task.run(); // and gives the reference back
    } finally {
      order.end();
    }
  }

  @Override
  boolean removeReplicaFromMem(ExtendedBlock block, FsVolumeImpl volume) {
    String pool = block.getBlockPoolId();
    Operation begun = operations().begin(OperationKind.REMOVE, pool, block.getBlockId());
    if (begun == null) {
      return false; // as stock for a block it does not have
    }
    try (Operation operation = begun) {
      operation.on(volume.getStorageID());
      if (block.getLocalBlock() instanceof DeletionOrder) {
        return remove(operation, block, (DeletionOrder) block.getLocalBlock(), volume);
      }
      operation.keepLock(); // a creation that takes its place; it has the lock
      return super.removeReplicaFromMem(block, volume);
    }
  }

  /**
   * Where another operation has the block, this thread goes on with the other blocks of its volume,
   * and without a reference to it: what has the block may wait for another disk, for ever. Who
   * gives the lock back has the deletion go on.
   */
  private boolean remove(
      Operation operation, ExtendedBlock block, DeletionOrder order, FsVolumeImpl volume) {
    parked.add(order);
    if (!operation.keepLockOr(DELETION_WAIT_NANOS, () -> goOn(order))) {
      return false;
    }
    parked.remove(order);
    ReplicaInfo now = volumeMap.get(order.pool(), order);
    boolean sameReplica = now == order.replica();
    boolean sameVolume = now != null && now.getVolume() == volume;
    if (now != null && !(sameReplica && sameVolume)) {
      if (sameReplica || sameVolume) {
        // moved, or finalized: the files of this order are no more, or another replica's
        schedule(new DeletionOrder(order.pool(), order, now));
      } else {
        LOG.info("{} came after the deletion of {} was ordered, and stays", now, order);
      }
      return false;
    }
    boolean removed = super.removeReplicaFromMem(block, volume);
    if (removed) {
      order.begun(deletions.begin(order.pool(), order.getBlockId(), volume));
    }
    return removed;
  }

  /** Unless its pool was closed; {@link #schedule} sees whether its volume was. */
  private void goOn(DeletionOrder order) {
    if (parked.remove(order)) {
      schedule(new DeletionOrder(order.pool(), order, order.replica()));
    }
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

  /**
   * Locks the block of a replica that is to be evicted by this thread, until stock has evicted it.
   *
   * @return false when the block is in use, its replica is no longer the one in memory that was
   *     saved, or files of an earlier one are still being deleted where it would come to
   */
  final boolean lockForEviction(RamDiskReplicaTracker.RamDiskReplica candidate) {
    String pool = candidate.getBlockPoolId();
    Operation operation = operations().begin(OperationKind.EVICT, pool, candidate.getBlockId());
    if (operation == null) {
      return false; // its pool is closed; it may be another than the creation's
    }
    boolean evicts = false;
    try {
      if (operation.tryLock()) {
        ReplicaInfo replica = volumeMap.get(pool, candidate.getBlockId());
        FsVolumeImpl disk = candidate.getLazyPersistVolume();
        evicts =
            replica != null
                && replica.getVolume().isTransientStorage()
                && ramDiskReplicaTracker.getReplica(pool, candidate.getBlockId()) == candidate
                && disk != null
                && !deletions.isOn(disk, pool, candidate.getBlockId());
        if (!evicts) {
          operation.unlock();
        }
      }
      return evicts;
    } finally {
      if (evicts) {
        locks().evicts(operation);
      } else {
        operation.close();
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
    parked.removeIf(order -> order.pool().equals(pool)); // the NameNode's next report shows them
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
