package io.evenkeel.mover.hdfs;

import java.io.IOException;
import org.apache.hadoop.hdfs.protocol.DirectoryListing;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;

/** Pages of directories as the NameNode gives them. */
final class Listings {
  private Listings() {}

  /**
   * One call.
   *
   * @param start the name after which it begins
   * @param located whether with the replicas of files
   * @return null when there is no such path
   */
  static DirectoryListing page(
      HdfsConnection connection, String path, byte[] start, boolean located) throws IOException {
    try {
      return connection.call(
          "list " + path, () -> connection.client().listPaths(path, start, located));
    } catch (IOException e) {
      if (HdfsErrors.isMissing(e, path)) {
        return null;
      }
      throw e;
    }
  }

  /** What a page has; nothing where there is none. */
  static HdfsFileStatus[] entries(DirectoryListing page) {
    return page == null ? new HdfsFileStatus[0] : page.getPartialListing();
  }
}
