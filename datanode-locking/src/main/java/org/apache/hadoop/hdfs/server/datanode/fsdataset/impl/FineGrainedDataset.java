package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import static org.apache.hadoop.hdfs.DFSConfigKeys.DFS_DATANODE_FSDATASET_VOLUME_CHOOSING_POLICY_KEY;
import static org.apache.hadoop.hdfs.DFSConfigKeys.DFS_DATANODE_RAM_DISK_REPLICA_TRACKER_KEY;

import io.evenkeel.locking.core.Operation;
import io.evenkeel.locking.core.OperationKind;
import io.evenkeel.locking.core.Operations;
import io.evenkeel.locking.core.PoolGate;
import io.evenkeel.locking.dataset.AvoidingVolumeChoosingPolicy;
import io.evenkeel.locking.dataset.BlockLockManager;
import io.evenkeel.locking.dataset.DeferredChecks;
import io.evenkeel.locking.dataset.DeletionOrder;
import io.evenkeel.locking.dataset.ScanResult;
import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.channels.ClosedChannelException;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.ExtendedBlockId;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.BlockListAsLongs;
import org.apache.hadoop.hdfs.protocol.BlockLocalPathInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataStorage;
import org.apache.hadoop.hdfs.server.datanode.Replica;
import org.apache.hadoop.hdfs.server.datanode.ReplicaHandler;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInPipeline;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInfo;
import org.apache.hadoop.hdfs.server.datanode.ReplicaNotFoundException;
import org.apache.hadoop.hdfs.server.datanode.StorageLocation;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeReference;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi.ScanInfo;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.ReplicaInputStreams;
import org.apache.hadoop.hdfs.server.protocol.BlockRecoveryCommand.RecoveringBlock;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.apache.hadoop.hdfs.server.protocol.NamespaceInfo;
import org.apache.hadoop.hdfs.server.protocol.ReplicaRecoveryInfo;

/**
 * Stock's dataset with locks per block (HDFS-9668). Each method that works on a block runs inside
 * an {@link Operation}, so that {@link BlockLockManager} knows which block the lock requests of
 * stock's code in it mean; where a lock must reach further than stock's, the operation keeps it.
 * What stands apart: {@link ReplicaDeletions}, {@link ReplicaMoves}, {@link MergingReplicaMap},
 * {@link VolumeRemovals} and {@link LockedMemoryReplicas}. Thread-safe; lock order in {@link
 * io.evenkeel.locking.core}.
 *
 * <p>Where this differs from stock on purpose: two creations of a block exclude each other (stock
 * has let both succeed since 3.4), a new replica does not come to a volume where files of an
 * earlier one of its block are still being deleted, a writer whose volume goes while it opens its
 * replica is refused, a replica is not forgotten while its files are there (HDFS-17342), a replica
 * that changed while it was copied to another volume is not replaced by its copy, none is moved to
 * the volume it is on, what the directory scanner saw is dropped when it is out of date, a pool
 * that is being closed refuses at once, a deletion on a volume that is being removed is ignored,
 * and a volume that comes back does not bring back older replicas.
 */
@SuppressWarnings("try") // an operation is there for its begin and end
public class FineGrainedDataset extends FsDatasetImpl {
  /** Long enough for whoever only opens or renames files on a disk that does not hang. */
  private static final long SHORT_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  /** Whether stock's createRbw takes a generation stamp: since 3.4.1. */
  private static final boolean CREATES_BY_STAMP =
      Arrays.stream(FsDatasetImpl.class.getDeclaredMethods())
          .anyMatch(m -> m.getName().equals("createRbw") && m.getParameterCount() == 5);

  final ReplicaDeletions deletions = new ReplicaDeletions(this);
  private final ReplicaMoves moves = new ReplicaMoves(this);
  private final ReplicaCreations creations = new ReplicaCreations(this);
  final VolumeRemovals volumeRemovals = new VolumeRemovals(this);
  final MergingReplicaMap mergingMap;
  final FsVolumeList volumeList;

  private final DeferredCaching caching = new DeferredCaching(this);
  final DeferredChecks deferredChecks = new DeferredChecks();
  private final long drainNanos;
  private final ThreadLocal<Boolean> closesInUse = new ThreadLocal<>();
  private volatile Runnable whenShutDown = () -> {};

  private FineGrainedDataset(
      DataNode datanode, DataStorage storage, Configuration conf, long drainMillis)
      throws IOException {
    super(datanode, storage, conf);
    this.drainNanos = TimeUnit.MILLISECONDS.toNanos(drainMillis);
    try {
      mergingMap = MergingReplicaMap.install(this, conf);
      volumeList = (FsVolumeList) CreationWait.field().get(this);
    } catch (ReflectiveOperationException e) {
      throw new IOException("checkParts was not asked before", e);
    }
  }

  /**
   * Looks for what is private in stock's dataset and needed here.
   *
   * @throws ReflectiveOperationException naming what is missing or different
   */
  public static void checkParts() throws ReflectiveOperationException {
    MergingReplicaMap.field();
    CreationWait.field();
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

  /** How long anybody waits for another thread to be done with a block. */
  final long stopTimeoutMillis() {
    return datanode.getDnConf().getXceiverStopTimeout();
  }

  // Creating.

  @Override
  public ReplicaHandler createRbw(
      StorageType type, String storageId, ExtendedBlock b, boolean lazyPersist, long newGs)
      throws IOException {
    CreationWait wait = new CreationWait(this, b, type, storageId, lazyPersist);
    return creations.createRbw(
        b, newGs, wait, () -> super.createRbw(type, storageId, b, lazyPersist, newGs));
  }

  /** All that 3.4.0 has; later releases go on from here to the one above, with 0. */
  @Override
  public ReplicaHandler createRbw(
      StorageType type, String storageId, ExtendedBlock b, boolean lazyPersist) throws IOException {
    if (CREATES_BY_STAMP) {
      return createRbw(type, storageId, b, lazyPersist, 0);
    }
    CreationWait wait = new CreationWait(this, b, type, storageId, lazyPersist);
    return creations.createRbw(b, 0, wait, () -> super.createRbw(type, storageId, b, lazyPersist));
  }

  @Override
  public ReplicaHandler createTemporary(
      StorageType type, String storageId, ExtendedBlock b, boolean isTransfer) throws IOException {
    CreationWait wait = new CreationWait(this, b, type, storageId, false);
    return creations.createTemporary(
        b, isTransfer, wait, () -> super.createTemporary(type, storageId, b, isTransfer));
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
        Closeable volume = volumeRemovals.hold(operation, b)) {
      Replica closed = super.recoverClose(b, newGs, expectedLength);
      memory().stampWasRaised(operation, b);
      return closed;
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
        Closeable volume = volumeRemovals.hold(begun, b)) {
      ReplicaRecoveryInfo info = super.initReplicaRecovery(block);
      while (info == null && isThere(begun, b)) {
        info = super.initReplicaRecovery(block);
      }
      return info;
    }
  }

  /**
   * Stock looks without a lock: between what a creation deletes and what it makes is nothing. A
   * creation that takes longer may hang; there is no replica then, as in stock.
   */
  private boolean isThere(Operation operation, ExtendedBlock b) {
    if (!operation.tryLock(SHORT_NANOS)) {
      return false;
    }
    try {
      return volumeMap.get(b.getBlockPoolId(), b.getBlockId()) != null;
    } finally {
      operation.unlock();
    }
  }

  @Override
  public Replica updateReplicaUnderRecovery(
      ExtendedBlock old, long recoveryId, long newBlockId, long newLength) throws IOException {
    if (newBlockId != old.getBlockId() || !isLonger(old, newLength)) {
      return update(old, recoveryId, newBlockId, newLength);
    }
    ExtendedBlockId id = ExtendedBlockId.fromExtendedBlock(old);
    moves.beginCut(id);
    try {
      return update(old, recoveryId, newBlockId, newLength);
    } finally {
      moves.endCut(id);
    }
  }

  private Replica update(ExtendedBlock old, long recoveryId, long newBlockId, long newLength)
      throws IOException {
    try (Operation operation = begin(OperationKind.UPDATE_RECOVERY, old);
        Closeable volume = volumeRemovals.hold(operation, old)) {
      if (newBlockId == old.getBlockId()) {
        boolean cut = isLonger(old, newLength) && memory().knows(old);
        if (cut) {
          operation.keepLock(); // who saves it is not to come between the new stamp and the cut
        }
        long stamp = stampOf(old);
        try {
          Replica updated =
              super.updateReplicaUnderRecovery(old, recoveryId, newBlockId, newLength);
          if (!cut) {
            memory().stampWasRaised(operation, old);
          }
          return updated;
        } finally {
          if (cut && stampOf(old) != stamp) { // stock raises it first; else it was refused
            memory().wasCut(old);
          }
        }
      }
      operation.keepLock();
      ExtendedBlock copy = new ExtendedBlock(old.getBlockPoolId(), newBlockId);
      try (Operation copying = begin(OperationKind.UPDATE_RECOVERY, copy)) {
        // The NameNode knows the new block, and has it deleted when its file is gone.
        if (!copying.tryLock(0)) {
          throw new IOException("Block " + copy + ", which is to be a copy, is in use");
        }
        try {
          return super.updateReplicaUnderRecovery(old, recoveryId, newBlockId, newLength);
        } finally {
          copying.unlock();
        }
      }
    }
  }

  /** Of the replica there is now; 0 for none. */
  private long stampOf(ExtendedBlock b) {
    ReplicaInfo replica = volumeMap.get(b.getBlockPoolId(), b.getBlockId());
    return replica == null ? 0 : replica.getGenerationStamp();
  }

  private boolean isLonger(ExtendedBlock b, long length) {
    ReplicaInfo replica = volumeMap.get(b.getBlockPoolId(), b.getBlockId());
    return replica != null && replica.getNumBytes() > length;
  }

  // Moving to another volume.

  @Override
  ReplicaInfo moveBlock(
      ExtendedBlock block, ReplicaInfo source, FsVolumeReference target, boolean sameMount)
      throws IOException {
    try (ReplicaMoves.Move move = moves.begin(block, source, (FsVolumeImpl) target.getVolume())) {
      return super.moveBlock(block, source, target, sameMount);
    }
  }

  @Override
  void finalizeNewReplica(ReplicaInfo copy, ExtendedBlock block) throws IOException {
    ReplicaMoves.Move move = moves.current(block);
    try (Operation operation = begin(OperationKind.MOVE, block)) {
      operation.on(copy.getStorageUuid());
      if (move == null || copy.getVolume().isTransientStorage()) {
        operation.keepLock();
        super.finalizeNewReplica(copy, block);
      } else {
        move.finish(operation, copy);
      }
    }
  }

  // Taking away.

  @Override
  public void invalidate(String pool, Block[] blocks) throws IOException {
    deletions.order(pool, blocks);
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
      if (!(block.getLocalBlock() instanceof DeletionOrder)) {
        operation.keepLock(); // a creation that takes its place; it has the lock
        return super.removeReplicaFromMem(block, volume);
      }
      DeletionOrder order = (DeletionOrder) block.getLocalBlock();
      boolean removed =
          deletions.mayBegin(operation, order, volume) && super.removeReplicaFromMem(block, volume);
      if (removed) {
        deletions.begun(order, volume);
      }
      return removed;
    }
  }

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
    Operation begun =
        operations().begin(OperationKind.INVALIDATE_MISSING, pool, block.getBlockId());
    if (begun == null) {
      return; // its pool goes
    }
    try (Operation operation = begun) {
      operation.keepLock();
      ReplicaInfo replica = volumeMap.get(pool, block);
      if (replica != null) {
        invalidateIfMissing(pool, replica, checkFiles);
      }
    }
  }

  /** The reader that misses it holds another volume, where the replica has been moved meanwhile. */
  private void invalidateIfMissing(String pool, ReplicaInfo replica, boolean checkFiles) {
    try (FsVolumeReference volume = replica.getVolume().obtainReference()) {
      if (!(checkFiles && replica.blockDataExists() && replica.metadataExists())) {
        volumeMap.remove(pool, replica);
        invalidate(pool, replica);
      }
    } catch (IOException e) { // closed, and goes with its replicas
      LOG.info("The volume of replica {} of {} was removed: {}", replica, pool, e.toString());
    }
  }

  @Override
  public void checkAndUpdate(String pool, ScanInfo found) throws IOException {
    Operation begun = operations().begin(OperationKind.CHECK_AND_UPDATE, pool, found.getBlockId());
    if (begun == null) {
      return;
    }
    try (Operation operation = begun;
        FsVolumeReference volume = found.getVolume().obtainReference()) {
      operation.on(volume.getVolume().getStorageID());
      if (!operation.keepLockOr(SHORT_NANOS, () -> checkLater(pool, found))) {
        return; // what has the block may wait for another disk
      }
      ReplicaInfo now = volumeMap.get(pool, found.getBlockId());
      try (Closeable other = now == null ? () -> {} : now.getVolume().obtainReference()) {
        checkAndUpdate(pool, found, now);
      }
    } catch (ClosedChannelException e) {
      // Its replica would come into the map without a volume, or the NameNode would be told of a
      // storage that nobody knows any more.
      LOG.info(
          "The volume of block {} of {} was removed after it was scanned",
          found.getBlockId(),
          pool);
    }
  }

  /** The caller has locked the block and holds both volumes. */
  private void checkAndUpdate(String pool, ScanInfo found, ReplicaInfo now) throws IOException {
    if (deletions.arePending(pool, found.getBlockId(), found.getVolume())
        || ScanResult.isOutOfDate(found, now)) {
      LOG.debug("Block {} of {} has changed since the scan", found.getBlockId(), pool);
    } else if (ScanResult.isOlderDuplicate(found, now)) {
      deleteOlder(pool, found, now);
    } else {
      super.checkAndUpdate(pool, found);
    }
  }

  private void checkLater(String pool, ScanInfo found) {
    deferredChecks.add(
        () -> {
          try {
            checkAndUpdate(pool, found);
          } catch (IOException e) {
            LOG.warn("Block {} of {} is left to the next scan", found.getBlockId(), pool, e);
          }
        });
  }

  /** As stock does with two replicas of a block, and nothing else. */
  private void deleteOlder(String pool, ScanInfo found, ReplicaInfo newer) throws IOException {
    ReplicaInfo older = ScanResult.replica(found);
    FsVolumeImpl volume = (FsVolumeImpl) found.getVolume();
    LOG.info("Replica file {} is older than {} of {}", found.getBlockFile(), newer, pool);
    if (older != null) {
      volume.resolveDuplicateReplicas(pool, newer, older, volumeMap);
    } else if (!datanode.getFileIoProvider().delete(volume, found.getBlockFile())) {
      LOG.warn("Failed to delete {}", found.getBlockFile());
    }
  }

  // Reading.

  @Override
  public InputStream getBlockInputStream(ExtendedBlock b, long offset) throws IOException {
    try (Operation operation = begin(OperationKind.OPEN_STREAMS, b)) {
      return super.getBlockInputStream(b, offset);
    }
  }

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
      caching.cache(pool, id);
    }
  }

  final void cacheNow(String pool, long blockId) {
    super.cache(pool, new long[] {blockId});
  }

  /** Also what has not been cached yet. */
  @Override
  public void uncache(String pool, long[] blockIds) {
    caching.forget(pool, blockIds);
    super.uncache(pool, blockIds);
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

  final LockedMemoryReplicas memory() {
    return (LockedMemoryReplicas) ramDiskReplicaTracker;
  }

  @Override
  public void onCompleteLazyPersist(
      String pool, long blockId, long creationTime, File[] saved, FsVolumeImpl target) {
    List<File> useless;
    boolean stays;
    try (Operation operation = operations().begin(OperationKind.END_LAZY_PERSIST, pool, blockId)) {
      operation.keepLock();
      useless = memory().useless(pool, blockId, creationTime, saved);
      if (useless == null) {
        super.onCompleteLazyPersist(pool, blockId, creationTime, saved, target);
        memory().isSaved(pool, blockId, saved, target);
      }
      stays = useless == null || memory().keepsAsOlder(pool, blockId, saved, target);
    }
    if (stays) {
      LockedMemoryReplicas.deleteOtherMetas(saved);
    }
    if (useless != null) {
      memory().drop(pool, blockId, creationTime, stays ? Collections.emptyList() : useless);
    }
  }

  // Pools and volumes.

  /** And brings in what was in use, and has deleted what is older than what is there. */
  @Override
  public void addVolume(StorageLocation location, List<NamespaceInfo> pools) throws IOException {
    mergingMap.beforeAddVolume();
    if (location.getStorageType() != StorageType.PROVIDED) {
      deletions.deleteSavedIn(new File(location.getUri())); // else it is read as a replica
    }
    super.addVolume(location, pools);
    mergingMap.afterAddVolume();
  }

  @Override
  public void removeVolumes(Collection<StorageLocation> locations, boolean clearFailure) {
    super.removeVolumes(locations, clearFailure);
    volumeRemovals.removed();
  }

  @Override
  public void addBlockPool(String pool, Configuration conf) throws IOException {
    PoolGate gate = operations().pool(pool).gate();
    if (gate.closed() && gate.inside() > 0) {
      LOG.warn(
          "Block pool {} waits for {} operations that began before it was closed",
          pool,
          gate.inside());
    }
    try {
      gate.reopening(); // or who was inside would take, or delete, what is read now
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("Block pool " + pool + " is not read: interrupted");
    }
    try {
      deletions.deleteSavedOf(pool); // else it is read as replicas
      super.addBlockPool(pool, conf);
    } finally {
      gate.open(); // also when some volumes failed
    }
  }

  @Override
  public void shutdownBlockPool(String pool) {
    PoolGate gate = operations().pool(pool).gate();
    boolean drained = gate.close(drainNanos);
    deletions.forget(pool);
    if (drained) {
      super.shutdownBlockPool(pool);
      return;
    }
    LOG.warn("Closing block pool {} with {} operations still inside", pool, gate.inside());
    closesInUse.set(true);
    try {
      super.shutdownBlockPool(pool);
    } finally {
      closesInUse.remove();
    }
    gate.whenEmpty(() -> volumeMap.cleanUpBlockPool(pool));
  }

  /**
   * Nothing for a pool that closes while operations are inside: stock would save the list on disk
   * and believe it at the next start, without the replicas those operations leave.
   */
  @Override
  public Map<DatanodeStorage, BlockListAsLongs> getBlockReports(String pool) {
    return closesInUse.get() == null
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
      deferredChecks.stop();
      super.shutdown();
    } finally {
      whenShutDown.run();
    }
  }
}
