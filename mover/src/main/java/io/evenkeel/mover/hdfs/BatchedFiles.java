package io.evenkeel.mover.hdfs;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.protocol.DirectoryListing;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.ipc.RemoteException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Located files by path: many per call where client and NameNode have batched listings (3.3 and
 * later), else one. Thread-safe. Separate from the namespace for what differs between releases.
 */
final class BatchedFiles {
  private static final Logger LOG = LoggerFactory.getLogger(BatchedFiles.class);
  private static final ByReflection LIST =
      ByReflection.method(
          DFSClient.class, "batchedListPaths", String[].class, byte[].class, boolean.class);

  private final HdfsConnection connection;
  private volatile int most;

  /**
   * Creates it.
   *
   * @param most files asked for by one call
   */
  BatchedFiles(HdfsConnection connection, int most) {
    this.connection = connection;
    this.most = LIST.isThere() ? most : 1;
  }

  /** How many files one call reads. */
  int ofOneCall() {
    return most;
  }

  /** One entry per path, null where there is no file. */
  HdfsLocatedFileStatus[] get(List<String> paths) throws IOException {
    HdfsLocatedFileStatus[] found = new HdfsLocatedFileStatus[paths.size()];
    int from = 0;
    while (from < paths.size()) {
      List<String> some = paths.subList(from, Math.min(paths.size(), from + most));
      if (some.size() == 1) {
        DirectoryListing page = connection.list(some.get(0), HdfsFileStatus.EMPTY_NAME, true);
        found[from] = file(Arrays.asList(HdfsConnection.entries(page)));
        from++;
      } else {
        from += many(some.toArray(new String[0]), found, from);
      }
    }
    return found;
  }

  /**
   * How many of them are answered; none when the NameNode does not take it like this, and another
   * way is to be tried. A directory is answered with its first page: the NameNode would list all of
   * it before the next path, for nothing.
   */
  private int many(String[] paths, HdfsLocatedFileStatus[] found, int from) throws IOException {
    byte[] start = HdfsFileStatus.EMPTY_NAME;
    boolean more = true;
    while (more) {
      Object batch;
      byte[] after = start;
      try {
        batch =
            connection.call(
                "list " + paths.length + " files from " + paths[0],
                () -> LIST.call(connection.client(), paths, after, true));
      } catch (IOException e) {
        if (isOtherWay(e, paths.length)) {
          return 0;
        }
        throw e;
      }
      int index = -1;
      for (Object part : (Object[]) value(batch, "getListings")) {
        index = (Integer) value(part, "getParentIdx");
        found[from + index] = fileOf(part, paths[index]);
      }
      more = (Boolean) value(batch, "hasMore");
      if (more && index >= 0 && found[from + index] == null) {
        return index + 1; // which is a directory, or is not there
      }
      start = (byte[]) value(batch, "getStartAfter");
    }
    return paths.length;
  }

  private boolean isOtherWay(IOException e, int size) {
    if (HdfsErrors.isUnknownMethod(e)) {
      LOG.info("The NameNode has no batched listings; files are listed one by one");
      most = 1;
      return true;
    }
    if (HdfsErrors.remoteClass(e).endsWith("IllegalArgumentException")) {
      // dfs.batched.ls.limit of the NameNode, which a client cannot ask for.
      most = Math.max(1, size / 2);
      return true;
    }
    return false;
  }

  private HdfsLocatedFileStatus fileOf(Object part, String path) throws IOException {
    RemoteException failure = (RemoteException) value(part, "getException");
    if (failure == null) {
      return file((List<?>) value(part, "getPartialListing"));
    }
    if (HdfsErrors.isMissing(failure, path)) {
      return null;
    }
    throw HdfsErrors.translate(failure, connection.nameNode(), "list " + path);
  }

  private static HdfsLocatedFileStatus file(List<?> listing) {
    if (listing.size() != 1 || !(listing.get(0) instanceof HdfsLocatedFileStatus)) {
      return null;
    }
    HdfsLocatedFileStatus status = (HdfsLocatedFileStatus) listing.get(0);
    return status.isEmptyLocalName() ? status : null;
  }

  /** Of a BatchedDirectoryListing or HdfsPartialListing, which 3.1 does not have. */
  private static Object value(Object of, String getter) throws IOException {
    return ByReflection.method(of.getClass(), getter).call(of);
  }
}
