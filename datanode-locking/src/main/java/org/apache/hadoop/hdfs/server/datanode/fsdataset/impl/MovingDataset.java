package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import io.evenkeel.locking.core.Operation;
import io.evenkeel.locking.core.OperationKind;
import io.evenkeel.locking.dataset.DeletionOrder;
import java.io.File;
import java.io.IOException;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.ExtendedBlockId;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataStorage;
import org.apache.hadoop.hdfs.server.datanode.DatanodeUtil;
import org.apache.hadoop.hdfs.server.datanode.Replica;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInfo;
import org.apache.hadoop.hdfs.server.datanode.ReplicaNotFoundException;
import org.apache.hadoop.hdfs.server.datanode.StorageLocation;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeReference;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.ReturningReplicas.Older;
import org.apache.hadoop.hdfs.server.protocol.NamespaceInfo;

/**
 * Moves of replicas to other volumes. The copy is made without a lock, as in stock. From the moment
 * it takes the replica's place until the old files are gone the block's lock is held, or the old
 * path could be in use again when it is deleted. A recovery that cuts the file short waits for the
 * copy of its block: stock's copy never ends when its file gets shorter. And replicas of a volume
 * that comes back, see {@link ReturningReplicas}. Thread-safe.
 */
@SuppressWarnings("try") // an operation is there for its begin and end
class MovingDataset extends OperationDataset {
  private static final long LOOK_AGAIN_MILLIS = 5;

  /** Blocks that are being moved, or whose file is being cut short; not both at once. */
  private final Set<ExtendedBlockId> moving = ConcurrentHashMap.newKeySet();

  /** Deletions of blocks that are in use: who gives the lock back has them go on. */
  final Set<DeletionOrder> parked =
      Collections.synchronizedSet(Collections.newSetFromMap(new IdentityHashMap<>()));

  private final ReturningReplicas returning;
  private final boolean deletesDuplicates;

  MovingDataset(DataNode datanode, DataStorage storage, Configuration conf) throws IOException {
    super(datanode, storage, conf);
    deletesDuplicates = conf.getBoolean("dfs.datanode.duplicate.replica.deletion", true);
    try {
      returning = ReturningReplicas.install(this);
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
    ReturningReplicas.field();
  }

  /** And has deleted what came back and is older than what is there. */
  @Override
  public void addVolume(StorageLocation location, List<NamespaceInfo> pools) throws IOException {
    returning.takeLeftOut();
    super.addVolume(location, pools);
    returning.takeLeftOut().forEach(this::scheduleDeletion);
  }

  /** On the volume's own thread: the disk of the other replica may hang. */
  private void scheduleDeletion(Older older) {
    try {
      asyncDiskService.execute((FsVolumeImpl) older.replica.getVolume(), () -> deleteOlder(older));
    } catch (RuntimeException e) {
      LOG.info("{} came back and is gone again", older.replica, e);
    }
  }

  /** Its files would be in the way of later replicas, and the next start might take them. */
  private void deleteOlder(Older older) {
    ReplicaInfo found = older.replica;
    Operation begun =
        operations().begin(OperationKind.CHECK_AND_UPDATE, older.pool, found.getBlockId());
    if (begun == null) {
      return; // its pool goes
    }
    try (Operation operation = begun;
        FsVolumeReference volume = found.getVolume().obtainReference()) {
      operation.on(volume.getVolume().getStorageID());
      if (!operation.keepLockOr(0, () -> scheduleDeletion(older))) {
        return; // the block is in use, perhaps on another disk that hangs
      }
      ReplicaInfo known = volumeMap.get(older.pool, found.getBlockId());
      if (mayDelete(older.pool) && supersedes(known, found)) {
        delete(older.pool, found);
        LOG.info("{} came back and was deleted; its block has {}", found, known);
      } else {
        LOG.info("{} came back and stays on its disk; its block has {}", found, known);
      }
    } catch (IOException | RuntimeException e) {
      LOG.info("{} came back and stays on its disk", found, e);
    }
  }

  /** With the space and the block that stock counted when it read the volume. */
  private static void delete(String pool, ReplicaInfo found) throws IOException {
    FsVolumeImpl volume = (FsVolumeImpl) found.getVolume();
    long data = found.getBlockDataLength();
    long meta = found.getMetadataLength();
    if (!found.deleteBlockData()) {
      throw new IOException("cannot delete " + found.getBlockURI());
    }
    volume.onBlockFileDeletion(pool, data);
    if (found.deleteMetadata()) {
      volume.onMetaFileDeletion(pool, meta);
    }
  }

  /** Not where a rollback of an upgrade may want it back. */
  private boolean mayDelete(String pool) {
    return deletesDuplicates && !dataStorage.trashEnabled(pool);
  }

  private static boolean supersedes(ReplicaInfo known, ReplicaInfo found) throws IOException {
    if (!ReturningReplicas.isOlder(found, known)) {
      return false;
    }
    try (FsVolumeReference volume = known.getVolume().obtainReference()) {
      return volume.getVolume() != found.getVolume()
          && !known.getBlockURI().equals(found.getBlockURI())
          && known.blockDataExists()
          && known.metadataExists()
          && known.getBlockDataLength() >= found.getBlockDataLength();
    }
  }

  @Override
  ReplicaInfo moveBlock(
      ExtendedBlock block, ReplicaInfo source, FsVolumeReference target, boolean sameMount)
      throws IOException {
    ExtendedBlockId id = ExtendedBlockId.fromExtendedBlock(block);
    if (!moving.add(id)) {
      throw new ReplicaNotFoundException(
          "Replica " + source + " is being moved or recovered already");
    }
    boolean moved = false;
    try (Operation operation = begin(OperationKind.MOVE, block)) {
      operation.about(source);
      ReplicaInfo copy = super.moveBlock(block, source, target, sameMount);
      moved = true;
      return copy;
    } finally {
      try {
        if (!moved) {
          deleteCopy((FsVolumeImpl) target.getVolume(), block);
        }
      } catch (IOException e) {
        LOG.warn("What was copied of {} stays on {}", block, target.getVolume(), e); // pool gone
      } finally {
        moving.remove(id);
      }
    }
  }

  @Override
  public Replica updateReplicaUnderRecovery(
      ExtendedBlock old, long recoveryId, long newBlockId, long newLength) throws IOException {
    if (newBlockId != old.getBlockId() || !isLonger(old, newLength)) {
      return super.updateReplicaUnderRecovery(old, recoveryId, newBlockId, newLength);
    }
    ExtendedBlockId id = ExtendedBlockId.fromExtendedBlock(old);
    awaitMove(id);
    try {
      return super.updateReplicaUnderRecovery(old, recoveryId, newBlockId, newLength);
    } finally {
      moving.remove(id);
    }
  }

  private boolean isLonger(ExtendedBlock b, long length) {
    ReplicaInfo replica = volumeMap.get(b.getBlockPoolId(), b.getBlockId());
    return replica != null && replica.getNumBytes() > length;
  }

  /** Begins as a move does, after one that is under way. */
  private void awaitMove(ExtendedBlockId id) throws IOException {
    long start = System.nanoTime();
    while (!moving.add(id)) {
      if (TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start) >= stopTimeoutMillis()) {
        throw new IOException("Block " + id + " is still being moved");
      }
      try {
        Thread.sleep(LOOK_AGAIN_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("Interrupted while block " + id + " is moved", e);
      }
    }
  }

  /** How long anybody waits for another thread to be done with a block. */
  final long stopTimeoutMillis() {
    return datanode.getDnConf().getXceiverStopTimeout();
  }

  /** Stock leaves a copy that failed half-way, and a meta file whose generation stamp is over. */
  private static void deleteCopy(FsVolumeImpl volume, ExtendedBlock block) throws IOException {
    File tmp = volume.getTmpDir(block.getBlockPoolId());
    File dir = DatanodeUtil.idToBlockDir(tmp, block.getBlockId());
    String name = block.getBlockName();
    File[] files = dir.listFiles((in, each) -> each.equals(name) || each.startsWith(name + "_"));
    if (files != null) {
      for (File file : files) {
        volume.getFileIoProvider().deleteWithExistsCheck(volume, file);
      }
    }
  }

  @Override
  void finalizeNewReplica(ReplicaInfo copy, ExtendedBlock block) throws IOException {
    Operation moving = operations().current();
    if (moving == null || moving.kind() != OperationKind.MOVE) {
      try (Operation operation = begin(OperationKind.MOVE, block)) {
        super.finalizeNewReplica(copy, block);
      }
      return;
    }
    moving.on(copy.getStorageUuid());
    moving.keepLock();
    ReplicaInfo now = volumeMap.get(block.getBlockPoolId(), block.getBlockId());
    if (now != moving.subject()) {
      copy.deleteBlockData();
      copy.deleteMetadata();
      throw new ReplicaNotFoundException(
          "Replica " + moving.subject() + " changed while it was copied, to " + now);
    }
    if (deletions.isOn(copy.getVolume(), block.getBlockPoolId(), block.getBlockId())) {
      copy.deleteBlockData();
      copy.deleteMetadata();
      throw new IOException(
          "An earlier replica of " + block + " is still being deleted on " + copy.getVolume());
    }
    super.finalizeNewReplica(copy, block);
    ReplicaInfo moved = volumeMap.get(block.getBlockPoolId(), block.getBlockId());
    parked.forEach(
        order -> {
          if (order.replica() == moving.subject()) {
            order.follow(moved);
          }
        });
  }
}
