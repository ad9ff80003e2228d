package io.evenkeel.locking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.common.testing.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.BlockMissingException;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManager;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataNodeTestUtils;
import org.apache.hadoop.hdfs.server.protocol.BlockReportContext;
import org.apache.hadoop.hdfs.server.protocol.StorageBlockReport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three faults that no dataset can prevent, shown with stock's. The NameNode keeps the block object
 * itself in a DataNode's list of replicas to delete and in that of replicas to copy, so what was
 * queued before an append names the new generation stamp when it is sent. And it believes a full
 * report that was made before the DataNode was told to delete. Whoever kills DataNodes or removes
 * volumes while replication is lowered and files are appended to will see it.
 */
@Timeout(300)
@Tag("slow") // it runs no code of ours
class StockNameNodeIT {
  private static final Path FILE = new Path("/appended");
  private static final int BLOCK = 8192;

  @TempDir private java.nio.file.Path dir;

  @Test
  void appendAfterAQueuedDeletion_onlyReplicaIsDeletedWithTheNewBytes() throws Exception {
    int tries = 1;
    while (!isDeletedAfterAppend(dir.resolve("try" + tries))) {
      assertThat(++tries).as("the appended file could not be closed").isLessThan(10);
    }
  }

  /**
   * False when the file could not be closed: by the order of two reports the NameNode may still
   * count its only replica as an excess one, and wait for others.
   */
  private static boolean isDeletedAfterAppend(java.nio.file.Path dir) throws Exception {
    Configuration conf = OneDataNode.conf(false);
    conf.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, dir.toString());
    conf.setInt("dfs.client.block.write.locateFollowingBlock.retries", 2);
    conf.setInt("dfs.namenode.redundancy.interval.seconds", 1);
    conf.setInt("dfs.heartbeat.interval", 1);
    conf.setInt("dfs.client.retry.window.base", 10);
    conf.set("dfs.client.block.write.replace-datanode-on-failure.policy", "NEVER");
    try (MiniDFSCluster cluster = new MiniDFSCluster.Builder(conf).numDataNodes(2).build()) {
      cluster.waitActive();
      DistributedFileSystem fs = cluster.getFileSystem();
      write(fs.create(FILE, (short) 2));
      DFSTestUtil.waitReplication(fs, FILE, (short) 2);
      heartbeats(cluster, false);

      fs.setReplication(FILE, (short) 1);
      DataNode chosen = nodeWithDeletionQueued(cluster);
      for (DataNode each : cluster.getDataNodes()) {
        if (each != chosen) {
          cluster.stopDataNode(each.getDisplayName()); // killed; the NameNode does not know yet
          break;
        }
      }
      try {
        write(fs.append(FILE)); // acknowledged by the only one that runs
      } catch (IOException e) {
        assertThat(e).hasMessageContaining("does not have enough number of replicas");
        return false;
      }
      ExtendedBlock block = DFSTestUtil.getFirstBlock(fs, FILE);
      assertThat(chosen.getFSDataset().isValidBlock(block)).isTrue();

      heartbeats(cluster, true);
      Await.until("it is deleted", () -> !chosen.getFSDataset().contains(block));
      assertThatThrownBy(() -> read(fs)).isInstanceOf(BlockMissingException.class);
      return true;
    }
  }

  /** With as many DataNodes as replicas nothing takes the place of such a copy. */
  @Test
  void appendAfterAQueuedCopy_copyIsTooShortAndCorruptOnceTheFileIsClosed() throws Exception {
    Configuration conf = OneDataNode.conf(false);
    conf.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, dir.toString());
    conf.setInt("dfs.namenode.redundancy.interval.seconds", 1);
    conf.setInt("dfs.heartbeat.interval", 1);
    conf.setInt("dfs.client.retry.window.base", 10);
    conf.setInt("dfs.blocksize", BLOCK);
    try (MiniDFSCluster cluster = new MiniDFSCluster.Builder(conf).numDataNodes(2).build()) {
      cluster.waitActive();
      DistributedFileSystem fs = cluster.getFileSystem();
      write(fs.create(FILE, (short) 1));
      heartbeats(cluster, false);

      fs.setReplication(FILE, (short) 2);
      awaitCopyQueued(cluster);
      try (FSDataOutputStream out = fs.append(FILE)) {
        out.write(new byte[1000]);
        out.hflush(); // the NameNode has the length of this one
        out.write(new byte[BLOCK - 1100]);
        out.hflush(); // the block is full, and finalized on its DataNode
        ExtendedBlock block = DFSTestUtil.getFirstBlock(fs, FILE);
        heartbeats(cluster, true);
        for (DataNode each : cluster.getDataNodes()) {
          Await.until("it has the block", () -> each.getFSDataset().isValidBlock(block));
        }
      }
      ExtendedBlock block = DFSTestUtil.getFirstBlock(fs, FILE);
      assertThat(block.getNumBytes()).isEqualTo(BLOCK);
      assertThat(lengths(cluster, block)) // 1100, to the end of its chunk
          .containsExactlyInAnyOrder((long) BLOCK, 1536L);
      while (corrupt(cluster) == 0) {
        cluster.triggerBlockReports();
      }
      assertThat(DFSTestUtil.getAllBlocks(fs, FILE).get(0).getLocations()).hasSize(1);

      fs.setReplication(FILE, (short) 1); // what an operator can do
      while (lengths(cluster, block).size() > 1) {
        cluster.triggerBlockReports();
      }
      fs.setReplication(FILE, (short) 2);
      List<Long> whole = List.of((long) BLOCK, (long) BLOCK);
      Await.until("it is copied again", () -> lengths(cluster, block).equals(whole));
      DFSTestUtil.waitReplication(fs, FILE, (short) 2);
    }
  }

  /**
   * The replica that is being deleted counts as another one, and the good one is deleted as in
   * excess. It takes two full reports close to each other, which a DataNode sends when triggered.
   */
  @Test
  void fullReportMadeBeforeADeletion_isReadAfterIt_noReplicaIsLeft() throws Exception {
    int tries = 1;
    while (!areBothDeleted(dir.resolve("report" + tries))) {
      assertThat(++tries).as("the NameNode chose the replica that is gone").isLessThan(20);
    }
  }

  private static boolean areBothDeleted(java.nio.file.Path dir) throws Exception {
    Configuration conf = OneDataNode.conf(false);
    conf.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, dir.toString());
    conf.setInt("dfs.namenode.redundancy.interval.seconds", 1);
    conf.setInt("dfs.heartbeat.interval", 1);
    try (MiniDFSCluster cluster = new MiniDFSCluster.Builder(conf).numDataNodes(2).build()) {
      cluster.waitActive();
      DistributedFileSystem fs = cluster.getFileSystem();
      write(fs.create(FILE, (short) 2));
      DFSTestUtil.waitReplication(fs, FILE, (short) 2);
      LocatedBlock located = DFSTestUtil.getAllBlocks(fs, FILE).get(0);
      ExtendedBlock block = located.getBlock();
      DataNode bad = cluster.getDataNode(located.getLocations()[0].getIpcPort());
      DataNode good = cluster.getDataNode(located.getLocations()[1].getIpcPort());
      LocatedBlock corrupt =
          new LocatedBlock(
              block,
              new DatanodeInfoWithStorage[] {located.getLocations()[0]},
              new String[] {located.getStorageIDs()[0]},
              new StorageType[] {located.getStorageTypes()[0]});
      cluster.getNameNodeRpc().reportBadBlocks(new LocatedBlock[] {corrupt});
      Runnable early = report(cluster, bad);

      fs.setReplication(FILE, (short) 1);
      early.run(); // has the corrupt one deleted
      Await.until("it is deleted", () -> !bad.getFSDataset().contains(block));
      early.run();

      BlockManager blocks = cluster.getNamesystem().getBlockManager();
      assertThat(blocks.getExcessBlocksCount()).isEqualTo(1); // of the good one or of the other
      cluster.triggerHeartbeats();
      Await.until("the order to delete is sent", () -> blocks.getPendingDeletionBlocksCount() == 0);
      cluster.triggerHeartbeats(); // orders are carried out before the next one is sent
      return !good.getFSDataset().contains(block);
    }
  }

  /** Sends what the DataNode would report now, whenever it is run. */
  private static Runnable report(MiniDFSCluster cluster, DataNode node) throws IOException {
    String pool = cluster.getNamesystem().getBlockPoolId();
    List<StorageBlockReport> reports = new ArrayList<>();
    node.getFSDataset()
        .getBlockReports(pool)
        .forEach((storage, blocks) -> reports.add(new StorageBlockReport(storage, blocks)));
    return () -> {
      try {
        cluster
            .getNameNodeRpc()
            .blockReport(
                node.getDNRegistrationForBP(pool),
                pool,
                reports.toArray(new StorageBlockReport[0]),
                new BlockReportContext(1, 0, System.nanoTime(), 0));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    };
  }

  /** Of the finalized replicas. */
  private static List<Long> lengths(MiniDFSCluster cluster, ExtendedBlock block) {
    List<Long> lengths = new ArrayList<>();
    for (DataNode each : cluster.getDataNodes()) {
      try {
        lengths.add(each.getFSDataset().getLength(block));
      } catch (IOException e) {
        continue; // it has none
      }
    }
    return lengths;
  }

  private static long corrupt(MiniDFSCluster cluster) {
    return cluster.getNamesystem().getBlockManager().getCorruptReplicaBlocksCount();
  }

  private static void awaitCopyQueued(MiniDFSCluster cluster) throws Exception {
    Await.until(
        "a copy is queued", () -> cluster.getNamesystem().getPendingReconstructionBlocks() > 0);
  }

  private static void write(FSDataOutputStream out) throws IOException {
    try (FSDataOutputStream file = out) {
      file.write(new byte[100]);
      file.hflush();
    }
  }

  private static void read(DistributedFileSystem fs) throws IOException {
    try (FSDataInputStream in = fs.open(FILE)) {
      in.readFully(0, new byte[200]);
    }
  }

  /** None is on its way when this returns. */
  private static void heartbeats(MiniDFSCluster cluster, boolean sent) throws IOException {
    for (DataNode each : cluster.getDataNodes()) {
      DataNodeTestUtils.setHeartbeatsDisabledForTests(each, !sent);
      DataNodeTestUtils.triggerDeletionReport(each); // by the thread that sends heartbeats
    }
  }

  private static DataNode nodeWithDeletionQueued(MiniDFSCluster cluster) throws Exception {
    AtomicReference<DataNode> found = new AtomicReference<>();
    Await.until(
        "a deletion is queued",
        () -> {
          for (DataNode each : cluster.getDataNodes()) {
            if (queued(cluster, each) > 0) {
              found.set(each);
            }
          }
          return found.get() != null;
        });
    return found.get();
  }

  private static int queued(MiniDFSCluster cluster, DataNode node) throws Exception {
    DatanodeDescriptor known =
        cluster
            .getNamesystem()
            .getBlockManager()
            .getDatanodeManager()
            .getDatanode(node.getDatanodeId());
    Field field = DatanodeDescriptor.class.getDeclaredField("invalidateBlocks");
    field.setAccessible(true);
    return ((Collection<?>) field.get(known)).size();
  }
}
