package io.evenkeel.locking;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.testing.Await;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Random;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.FineGrainedDataset;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The life of a file with our dataset, as a client sees it. */
class FineGrainedDatasetIT {
  @TempDir private static Path dir;
  private static OneDataNode one;

  @BeforeAll
  static void start() throws IOException {
    one = OneDataNode.startWithNameNode(dir, OneDataNode.conf(true));
  }

  @AfterAll
  static void stop() {
    one.close();
  }

  @Test
  void dataset_withTheKey_isOurs() {
    assertThat(one.dataset()).isInstanceOf(FineGrainedDataset.class);
  }

  @Test
  void file_writtenAppendedTruncated_readsBack() throws Exception {
    DistributedFileSystem fs = one.fileSystem();
    org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path("/file");
    byte[] bytes = new byte[3_500_000];
    new Random(1).nextBytes(bytes);
    try (FSDataOutputStream out = fs.create(path, (short) 1)) {
      out.write(bytes, 0, 1_000_000);
      out.hflush();
      out.write(bytes, 1_000_000, 1_500_000);
    }
    try (FSDataOutputStream out = fs.append(path)) {
      out.write(bytes, 2_500_000, 1_000_000);
    }
    fs.truncate(path, 2_600_000);
    Await.until("the file is cut short", () -> fs.isFileClosed(path));
    assertThat(fs.getFileStatus(path).getLen()).isEqualTo(2_600_000);
    byte[] read = new byte[2_600_000];
    try (FSDataInputStream in = fs.open(path)) {
      in.readFully(read);
      assertThat(in.read()).isEqualTo(-1);
    }
    assertThat(read).isEqualTo(java.util.Arrays.copyOf(bytes, 2_600_000));
    fs.delete(path, false);
    assertThat(one.operations().liveLocks()).isZero();
    assertThat(one.locks().operations().lastBrokenRule()).isEmpty();
  }
}
