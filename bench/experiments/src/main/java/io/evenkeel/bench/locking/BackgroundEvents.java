package io.evenkeel.bench.locking;

import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DirectoryScanner;
import org.apache.hadoop.hdfs.server.datanode.ReplicaHandler;
import org.apache.hadoop.hdfs.server.protocol.BlockRecoveryCommand.RecoveringBlock;

/** What a DataNode does beside the reads and writes of clients. Stateless. */
final class BackgroundEvents {
  static final int SLOW = 2;
  static final int OTHER_OF_TYPE = 3;
  static final int SPARE = 5;

  /** Volumes the events need; the I/O of {@link #SLOW} is what gets stuck. */
  static final List<StorageType> VOLUMES =
      List.of(
          StorageType.SSD,
          StorageType.SSD,
          StorageType.DISK,
          StorageType.DISK,
          StorageType.RAM_DISK,
          StorageType.DISK);

  /** Bytes of blocks that fit into memory: {@link #MEMORY_BLOCKS} of them. */
  static final int MEMORY = 1 << 20;

  private static final int MEMORY_BLOCKS = 16;
  private static final String OTHER_POOL = "BP-2-127.0.0.1-2";

  private BackgroundEvents() {}

  /** What happens; any thread may run it once. */
  interface Action {
    void run() throws Exception;
  }

  /** Prepares an action before any I/O gets stuck. */
  interface Preparation {
    Action prepare(DatasetRig rig) throws Exception;
  }

  /**
   * One kind of event.
   *
   * @param label what it is called in results
   */
  record Event(String label, Preparation preparation) {}

  /** All of them; each leaves the DataNode so that it can be prepared again. */
  static List<Event> all() {
    return List.of(
        new Event("nothing", rig -> () -> {}),
        new Event("incoming replication", BackgroundEvents::replication),
        new Event("deletion", BackgroundEvents::deletion),
        new Event("missing block", BackgroundEvents::missing),
        new Event("block report", rig -> () -> rig.dataset().getBlockReports(rig.pool())),
        new Event(
            "directory scan", rig -> new DirectoryScanner(rig.dataset(), rig.conf())::reconcile),
        new Event("append after a failure", BackgroundEvents::recoverAppend),
        new Event("block recovery", rig -> recovery(rig, DatasetRig.BLOCK, false)),
        new Event("truncate", rig -> recovery(rig, DatasetRig.BLOCK / 2, false)),
        new Event("copy on truncate", rig -> recovery(rig, DatasetRig.BLOCK / 2, true)),
        new Event("lazy persist", rig -> () -> inMemory(rig)),
        new Event("eviction from memory", BackgroundEvents::eviction),
        new Event("pool shutdown, of another pool", BackgroundEvents::poolShutdown),
        new Event("empty volume added", rig -> addition(rig, 0)),
        new Event("volume with 50 replicas added", rig -> addition(rig, 50)),
        new Event("volume removed", rig -> removal(rig, SPARE)),
        new Event("stuck volume removed", rig -> removal(rig, SLOW)),
        new Event("volume failed", BackgroundEvents::failure));
  }

  private static Action replication(DatasetRig rig) {
    ExtendedBlock block = rig.newBlock();
    return () -> {
      try (ReplicaHandler handler =
          rig.dataset().createTemporary(StorageType.SSD, null, block, false)) {
        DatasetRig.write(handler.getReplica(), DatasetRig.BLOCK);
      }
      rig.dataset().unfinalizeBlock(block);
    };
  }

  private static Action deletion(DatasetRig rig) throws IOException {
    ExtendedBlock block = rig.finalized(StorageType.SSD, null);
    return () -> rig.dataset().invalidate(rig.pool(), new Block[] {block.getLocalBlock()});
  }

  private static Action missing(DatasetRig rig) throws IOException {
    ExtendedBlock block = rig.finalized(StorageType.SSD, null);
    String replica = rig.dataset().getBlockLocalPathInfo(block).getBlockPath();
    if (!new File(replica).delete()) {
      throw new IOException("cannot delete " + replica);
    }
    return () -> rig.dataset().invalidateMissingBlock(rig.pool(), block.getLocalBlock());
  }

  private static Action recoverAppend(DatasetRig rig) throws IOException {
    ExtendedBlock block = rig.finalized(StorageType.SSD, null);
    return () -> rig.dataset().recoverAppend(block, DatasetRig.STAMP + 1, DatasetRig.BLOCK).close();
  }

  private static Action recovery(DatasetRig rig, int length, boolean copy) throws IOException {
    ExtendedBlock block = rig.finalized(StorageType.SSD, null);
    long stamp = DatasetRig.STAMP + 1;
    long id = copy ? rig.newBlock().getBlockId() : block.getBlockId();
    return () -> {
      rig.dataset().initReplicaRecovery(new RecoveringBlock(block, new DatanodeInfo[0], stamp));
      rig.dataset().updateReplicaUnderRecovery(block, stamp, id, length);
    };
  }

  /** The DataNode's lazy writer finds the block within a second. */
  private static ExtendedBlock inMemory(DatasetRig rig) throws IOException {
    ExtendedBlock block = rig.newBlock();
    block.setNumBytes(MEMORY / MEMORY_BLOCKS);
    try (ReplicaHandler handler = rig.dataset().createRbw(StorageType.DISK, null, block, true)) {
      DatasetRig.write(handler.getReplica(), MEMORY / MEMORY_BLOCKS);
      if (!handler.getReplica().getReplicaInfo().isOnTransientStorage()) {
        throw new IOException(block + " is not in memory");
      }
    }
    rig.dataset().finalizeBlock(block, false);
    return block;
  }

  private static Action eviction(DatasetRig rig) throws Exception {
    List<ExtendedBlock> blocks = new ArrayList<>();
    for (int i = 0; i < MEMORY_BLOCKS; i++) {
      blocks.add(inMemory(rig));
    }
    for (ExtendedBlock block : blocks) {
      while (!rig.persisted(block)) {
        Thread.sleep(50); // only a block that is on disk as well makes room for the next one
      }
    }
    return () -> inMemory(rig);
  }

  private static Action poolShutdown(DatasetRig rig) throws IOException {
    rig.dataset().addBlockPool(OTHER_POOL, rig.conf());
    return () -> rig.dataset().shutdownBlockPool(OTHER_POOL);
  }

  private static Action addition(DatasetRig rig, int replicas) throws Exception {
    rig.useAllVolumesBut(Set.of());
    String storageId = rig.volume(SPARE).getStorageID();
    List<ExtendedBlock> blocks = new ArrayList<>();
    for (int i = 0; i < replicas; i++) {
      blocks.add(rig.finalized(StorageType.DISK, storageId));
    }
    rig.useAllVolumesBut(Set.of(SPARE));
    return () -> {
      rig.useAllVolumesBut(Set.of());
      rig.delete(blocks);
    };
  }

  private static Action removal(DatasetRig rig, int volume) throws Exception {
    rig.useAllVolumesBut(Set.of());
    return () -> rig.useAllVolumesBut(Set.of(volume));
  }

  private static Action failure(DatasetRig rig) throws Exception {
    rig.useAllVolumesBut(Set.of(SPARE));
    rig.useAllVolumesBut(Set.of());
    return () -> rig.dataset().handleVolumeFailures(Set.of(rig.volume(SPARE)));
  }
}
