package io.evenkeel.locking;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import org.apache.commons.io.FileUtils;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNodeFaultInjector;
import org.apache.hadoop.hdfs.server.datanode.Replica;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A loss that no dataset prevents. {@code BlockReceiver} writes the bytes of a packet, then their
 * checksums. Where the packet goes on within a chunk of which the first bytes are acknowledged, a
 * kill between the two leaves a checksum that fits neither, and whoever loads the replica cuts it
 * at the last whole chunk. With one replica these acknowledged bytes are gone.
 */
@Timeout(300)
@Tag("slow") // what cuts is stock's
class LastChunkIT {
  private static final org.apache.hadoop.fs.Path FILE = new org.apache.hadoop.fs.Path("/open");
  private static final String FACTORY = "dfs.datanode.fsdataset.factory";
  private static final int CHUNK = 512;
  private static final int ACKNOWLEDGED = CHUNK + 84;

  @TempDir private Path dir;

  @ParameterizedTest(name = "written with ours {0}, loaded with ours {1}")
  @CsvSource({"false,false", "true,false", "false,true", "true,true"})
  void killedBetweenDataAndChecksum_isCutAtTheLastWholeChunk(boolean ours, boolean loadedByOurs)
      throws Exception {
    try (OneDataNode one =
        OneDataNode.startWithNameNode(dir.resolve("dfs"), OneDataNode.conf(ours))) {
      FSDataOutputStream out = one.fileSystem().create(FILE, (short) 1);
      out.write(new byte[ACKNOWLEDGED]);
      out.hflush();
      ExtendedBlock block = DFSTestUtil.getFirstBlock(one.fileSystem(), FILE);
      File volumes = new File(one.cluster().getDataDirectory());
      File atTheKill = dir.resolve("killed").toFile();
      copyWhileThePacketIsWritten(out, volumes, atTheKill);

      DataNodeProperties node = one.cluster().stopDataNode(0);
      FileUtils.deleteDirectory(volumes);
      FileUtils.moveDirectory(atTheKill, volumes);
      Configuration conf = one.node().getConf(); // the next one starts with it
      conf.unset(FACTORY);
      if (loadedByOurs) {
        conf.set(FACTORY, FineGrainedDatasetFactory.class.getName());
      }
      one.cluster().restartDataNode(node, true);
      one.cluster().waitActive();

      Replica loaded =
          one.cluster()
              .getDataNodes()
              .get(0)
              .getFSDataset()
              .getReplica(block.getBlockPoolId(), block.getBlockId());
      assertThat(loaded.getNumBytes()).isEqualTo(CHUNK);
    }
  }

  /** Copies what a kill would leave; nothing else is under way on the volumes. */
  private static void copyWhileThePacketIsWritten(
      FSDataOutputStream out, File volumes, File atTheKill) throws Exception {
    CountDownLatch between = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    DataNodeFaultInjector before = DataNodeFaultInjector.get();
    DataNodeFaultInjector.set(
        new DataNodeFaultInjector() {
          @Override
          public void delayWriteToDisk() {
            between.countDown();
            try {
              go.await();
            } catch (InterruptedException e) {
              throw new IllegalStateException("nobody stops the DataNode here", e);
            }
          }
        });
    try {
      Calls<Void> next =
          Calls.start(
              "next packet",
              () -> {
                out.write(new byte[100]);
                out.hflush();
                return null;
              });
      between.await();
      FileUtils.copyDirectory(volumes, atTheKill);
      go.countDown();
      assertThat(next.failure()).isNull();
    } finally {
      go.countDown();
      DataNodeFaultInjector.set(before);
    }
  }
}
