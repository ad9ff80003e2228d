package io.evenkeel.locking;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNodeTestUtils;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInfo;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi.ScanInfo;
import org.apache.hadoop.util.VersionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The directory scanner has looked at a block, then waits for the disk of another volume; meanwhile
 * the block is appended to and finalized. What the scanner saw is out of date.
 */
@Timeout(300)
class ScanOutOfDateIT {
  private static final org.apache.hadoop.fs.Path FILE = new org.apache.hadoop.fs.Path("/file");

  @TempDir Path dir;

  /** Stock 3.5 asks the replica's own files whether they are regular. */
  @Test
  void appendedSinceTheScan_isTakenForCorruptWithStock34() throws Exception {
    assertThat(isCorruptAfterwards(false)).isEqualTo(VersionInfo.getVersion().startsWith("3.4."));
  }

  @Test
  void appendedSinceTheScan_isLeftAloneWithOurs() throws Exception {
    assertThat(isCorruptAfterwards(true)).isFalse();
  }

  /** What the scan is for still works: files that went without the DataNode. */
  @Test
  void filesThatWent_areForgottenWithOurs() throws Exception {
    try (OneDataNode one = OneDataNode.startWithNameNode(dir, OneDataNode.conf(true))) {
      ExtendedBlock block = write(one.fileSystem());
      File data = scanned(one, block).getBlockFile();
      assertThat(data.delete()).isTrue();
      File meta = new File(data.getParent(), meta(block));
      String base = data.getParent();
      one.dataset()
          .checkAndUpdate(
              block.getBlockPoolId(),
              new ScanInfo(
                  block.getBlockId(),
                  new File(base),
                  null,
                  meta.getName(),
                  one.dataset().getVolume(block)));
      assertThat(one.dataset().contains(block)).isFalse();
      assertThat(meta).doesNotExist();
    }
  }

  private boolean isCorruptAfterwards(boolean ours) throws Exception {
    try (OneDataNode one = OneDataNode.startWithNameNode(dir, OneDataNode.conf(ours))) {
      DistributedFileSystem fs = one.fileSystem();
      ScanInfo seen = scanned(one, write(fs));
      write(fs.append(FILE));
      ExtendedBlock now = DFSTestUtil.getFirstBlock(fs, FILE);
      FsDatasetSpi<?> dataset = one.dataset();
      assertThat(dataset.isValidBlock(now)).isTrue();

      dataset.checkAndUpdate(now.getBlockPoolId(), seen);

      assertThat(dataset.isValidBlock(now)).isTrue();
      // What it would tell the NameNode is sent between two heartbeats.
      DataNodeTestUtils.triggerHeartbeat(one.node());
      DataNodeTestUtils.triggerHeartbeat(one.node());
      return isCorrupt(fs);
    }
  }

  private static boolean isCorrupt(DistributedFileSystem fs) throws IOException {
    return fs.getClient().getLocatedBlocks(FILE.toString(), 0).get(0).isCorrupt();
  }

  private static ExtendedBlock write(DistributedFileSystem fs) throws IOException {
    write(fs.create(FILE, (short) 1));
    return DFSTestUtil.getFirstBlock(fs, FILE);
  }

  private static void write(FSDataOutputStream out) throws IOException {
    try (FSDataOutputStream file = out) {
      file.write(new byte[100]);
    }
  }

  /** As the scanner finds it. */
  private static ScanInfo scanned(OneDataNode one, ExtendedBlock block) throws IOException {
    ReplicaInfo replica =
        (ReplicaInfo) one.dataset().getReplica(block.getBlockPoolId(), block.getBlockId());
    File data = new File(replica.getBlockURI());
    return new ScanInfo(
        block.getBlockId(),
        data.getParentFile(),
        data.getName(),
        meta(block),
        one.dataset().getVolume(block));
  }

  private static String meta(ExtendedBlock block) {
    return "blk_" + block.getBlockId() + "_" + block.getGenerationStamp() + ".meta";
  }
}
