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
    Action prepare(OneDataNode dataNode) throws Exception;
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
        new Event("nothing", dataNode -> () -> {}),
        new Event("incoming replication", BackgroundEvents::replication),
        new Event("deletion", BackgroundEvents::deletion),
        new Event("missing block", BackgroundEvents::missing),
        new Event(
            "block report", dataNode -> () -> dataNode.dataset().getBlockReports(dataNode.pool())),
        new Event(
            "directory scan",
            dataNode -> new DirectoryScanner(dataNode.dataset(), dataNode.conf())::reconcile),
        new Event("append after a failure", BackgroundEvents::recoverAppend),
        new Event("block recovery", dataNode -> recovery(dataNode, OneDataNode.BLOCK, false)),
        new Event("truncate", dataNode -> recovery(dataNode, OneDataNode.BLOCK / 2, false)),
        new Event("copy on truncate", dataNode -> recovery(dataNode, OneDataNode.BLOCK / 2, true)),
        new Event("lazy persist", dataNode -> () -> inMemory(dataNode)),
        new Event("eviction from memory", BackgroundEvents::eviction),
        new Event("pool shutdown, of another pool", BackgroundEvents::poolShutdown),
        new Event("empty volume added", dataNode -> addition(dataNode, 0)),
        new Event("volume with 50 replicas added", dataNode -> addition(dataNode, 50)),
        new Event("volume removed", dataNode -> removal(dataNode, SPARE)),
        new Event("stuck volume removed", dataNode -> removal(dataNode, SLOW)),
        new Event("volume failed", BackgroundEvents::failure));
  }

  private static Action replication(OneDataNode dataNode) {
    ExtendedBlock block = dataNode.newBlock();
    return () -> {
      try (ReplicaHandler handler =
          dataNode.dataset().createTemporary(StorageType.SSD, null, block, false)) {
        OneDataNode.write(handler.getReplica(), OneDataNode.BLOCK);
      }
      dataNode.dataset().unfinalizeBlock(block);
    };
  }

  private static Action deletion(OneDataNode dataNode) throws IOException {
    ExtendedBlock block = dataNode.finalized(StorageType.SSD, null);
    return () ->
        dataNode.dataset().invalidate(dataNode.pool(), new Block[] {block.getLocalBlock()});
  }

  private static Action missing(OneDataNode dataNode) throws IOException {
    ExtendedBlock block = dataNode.finalized(StorageType.SSD, null);
    String replica = dataNode.dataset().getBlockLocalPathInfo(block).getBlockPath();
    if (!new File(replica).delete()) {
      throw new IOException("cannot delete " + replica);
    }
    return () -> dataNode.dataset().invalidateMissingBlock(dataNode.pool(), block.getLocalBlock());
  }

  private static Action recoverAppend(OneDataNode dataNode) throws IOException {
    ExtendedBlock block = dataNode.finalized(StorageType.SSD, null);
    return () ->
        dataNode.dataset().recoverAppend(block, OneDataNode.STAMP + 1, OneDataNode.BLOCK).close();
  }

  private static Action recovery(OneDataNode dataNode, int length, boolean copy)
      throws IOException {
    ExtendedBlock block = dataNode.finalized(StorageType.SSD, null);
    long stamp = OneDataNode.STAMP + 1;
    long id = copy ? dataNode.newBlock().getBlockId() : block.getBlockId();
    return () -> {
      dataNode
          .dataset()
          .initReplicaRecovery(new RecoveringBlock(block, new DatanodeInfo[0], stamp));
      dataNode.dataset().updateReplicaUnderRecovery(block, stamp, id, length);
    };
  }

  /** The DataNode's lazy writer finds the block within a second. */
  private static ExtendedBlock inMemory(OneDataNode dataNode) throws IOException {
    ExtendedBlock block = dataNode.newBlock();
    block.setNumBytes(MEMORY / MEMORY_BLOCKS);
    try (ReplicaHandler handler =
        dataNode.dataset().createRbw(StorageType.DISK, null, block, true)) {
      OneDataNode.write(handler.getReplica(), MEMORY / MEMORY_BLOCKS);
      if (!handler.getReplica().getReplicaInfo().isOnTransientStorage()) {
        throw new IOException(block + " is not in memory");
      }
    }
    dataNode.dataset().finalizeBlock(block, false);
    return block;
  }

  private static Action eviction(OneDataNode dataNode) throws Exception {
    List<ExtendedBlock> blocks = new ArrayList<>();
    for (int i = 0; i < MEMORY_BLOCKS; i++) {
      blocks.add(inMemory(dataNode));
    }
    for (ExtendedBlock block : blocks) {
      while (!dataNode.persisted(block)) {
        Thread.sleep(50); // only a block that is on disk as well makes room for the next one
      }
    }
    return () -> inMemory(dataNode);
  }

  private static Action poolShutdown(OneDataNode dataNode) throws IOException {
    dataNode.dataset().addBlockPool(OTHER_POOL, dataNode.conf());
    return () -> dataNode.dataset().shutdownBlockPool(OTHER_POOL);
  }

  private static Action addition(OneDataNode dataNode, int replicas) throws Exception {
    dataNode.useAllVolumesBut(Set.of());
    String storageId = dataNode.volume(SPARE).getStorageID();
    List<ExtendedBlock> blocks = new ArrayList<>();
    for (int i = 0; i < replicas; i++) {
      blocks.add(dataNode.finalized(StorageType.DISK, storageId));
    }
    dataNode.useAllVolumesBut(Set.of(SPARE));
    return () -> {
      dataNode.useAllVolumesBut(Set.of());
      dataNode.delete(blocks);
    };
  }

  private static Action removal(OneDataNode dataNode, int volume) throws Exception {
    dataNode.useAllVolumesBut(Set.of());
    return () -> dataNode.useAllVolumesBut(Set.of(volume));
  }

  private static Action failure(OneDataNode dataNode) throws Exception {
    dataNode.useAllVolumesBut(Set.of(SPARE));
    dataNode.useAllVolumesBut(Set.of());
    return () -> dataNode.dataset().handleVolumeFailures(Set.of(dataNode.volume(SPARE)));
  }
}
