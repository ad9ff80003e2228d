package io.evenkeel.locking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.util.Arrays;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.FileIoProvider.OPERATION;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInfo;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.Volumes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A reader has seen the meta file of a replica and opens it when the replica has been finalized and
 * its files have other names: the DataNode takes the block for missing (HDFS-17342).
 */
@Timeout(300)
class MissingBlockIT {
  private static final Path FILE = new Path("/closed-while-read");
  private static final int BYTES = 1000;

  @TempDir java.nio.file.Path dir;

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void readerMissesTheMetaFileOfABlockThatIsFinalized_acknowledgedFileStaysReadable(boolean ours)
      throws Exception {
    boolean stockIsRight = !System.getProperty("evenkeel.hadoop.version").startsWith("3.4.");
    assumeThat(ours || stockIsRight).as("stock 3.4 forgets the replica").isTrue();
    try (OneDataNode one = OneDataNode.startWithNameNode(dir, OneDataNode.conf(ours));
        ParkedIo io = ParkedIo.of(one.node())) {
      DistributedFileSystem fs = one.fileSystem();
      FSDataOutputStream out = fs.create(FILE, (short) 1);
      out.write(new byte[BYTES]);
      out.hflush();
      ExtendedBlock b = DFSTestUtil.getFirstBlock(fs, FILE);
      ParkedIo.Parking opening = io.park(OPERATION.OPEN, 1, MissingBlockIT::opensTheMetaFile);
      Calls<?> reader = Calls.start("read", () -> read(fs));
      opening.awaitAll();
      out.close();
      assertThat(one.dataset().isValidBlock(b)).isTrue();
      opening.release();
      assertThat(reader.failure()).as("it asks again").isNull();
      assertThat(one.dataset().isValidBlock(b)).isTrue();
      read(fs);
    }
  }

  private static boolean opensTheMetaFile(Thread thread) {
    return Arrays.stream(thread.getStackTrace())
        .anyMatch(frame -> frame.getMethodName().equals("getMetaDataInputStream"));
  }

  private static Void read(DistributedFileSystem fs) throws IOException {
    try (FSDataInputStream in = fs.open(FILE)) {
      in.readFully(0, new byte[BYTES]);
    }
    return null;
  }

  /** What the method is there for. */
  @Test
  void filesAreGone_isForgotten() throws Exception {
    try (OneDataNode one = OneDataNode.start(dir, OneDataNode.conf(true))) {
      Replicas replicas = new Replicas(one, dir);
      ExtendedBlock gone = replicas.finalized(org.apache.hadoop.fs.StorageType.DISK);
      ExtendedBlock there = replicas.finalized(org.apache.hadoop.fs.StorageType.DISK);
      ReplicaInfo replica = Volumes.replica(one.dataset(), gone);
      assertThat(replica.deleteBlockData()).isTrue();
      for (ExtendedBlock each : new ExtendedBlock[] {gone, there, replicas.block()}) {
        one.dataset().invalidateMissingBlock(each.getBlockPoolId(), each.getLocalBlock());
      }
      assertThat(Volumes.replica(one.dataset(), gone)).isNull();
      assertThat(one.dataset().isValidBlock(there)).isTrue();
    }
  }
}
