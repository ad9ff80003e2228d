package io.evenkeel.mover.follow;

import java.io.IOException;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/** The last transaction of the NameNode that writes the edits. Stateless. */
final class CurrentTransaction {
  private CurrentTransaction() {}

  /**
   * Asks for it; one call.
   *
   * @throws IOException also when the NameNode does not write edits: an observer, or one that is
   *     just becoming active, answers with -1, and whoever took that for a transaction would start
   *     at the wrong one
   */
  static long of(DistributedFileSystem fs) throws IOException {
    long current = fs.getClient().getNamenode().getCurrentEditLogTxid();
    if (current < 0) {
      throw new IOException("the NameNode that answered does not write edits now");
    }
    return current;
  }
}
