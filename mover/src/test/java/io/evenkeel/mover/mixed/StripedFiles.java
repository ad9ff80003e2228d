package io.evenkeel.mover.mixed;

import java.io.IOException;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * Erasure coding with a policy HDFS has from the start: NameNodes of one process share the
 * policies, and one that starts forgets those that were added. Stateless.
 */
final class StripedFiles {
  static final String POLICY = "XOR-2-1-1024k";

  private static final int DATA = 2;
  private static final int PARITY = 1;
  private static final int CELL = 1 << 20;

  /** Of internal blocks. */
  static final int BLOCK = CELL;

  private StripedFiles() {}

  /** Has all new files striped but for those below a directory. */
  static void enable(DistributedFileSystem fs, String replicated) throws IOException {
    fs.enableErasureCodingPolicy(POLICY);
    fs.setErasureCodingPolicy(new Path("/"), POLICY);
    fs.mkdirs(new Path(replicated));
    fs.setErasureCodingPolicy(new Path(replicated), "REPLICATION");
  }

  /** How many replicas or internal blocks a block of a file has when nothing is missing. */
  static int width(FileStatus file, BlockLocation block) {
    return file.isErasureCoded()
        ? (int) Math.min(DATA, (block.getLength() + CELL - 1) / CELL) + PARITY
        : file.getReplication();
  }
}
