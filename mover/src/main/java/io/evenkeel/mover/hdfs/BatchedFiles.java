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
  private static final String BATCH = "org.apache.hadoop.hdfs.protocol.BatchedDirectoryListing";
  private static final String PART = "org.apache.hadoop.hdfs.protocol.HdfsPartialListing";
  private static final ByReflection LIST =
      ByReflection.method(
          DFSClient.class, "batchedListPaths", String[].class, byte[].class, boolean.class);

  private final HdfsConnection connection;
  private volatile boolean batched = LIST.isThere();
  private volatile int most;

  /**
   * Creates it.
   *
   * @param most files asked for by one call
   */
  BatchedFiles(HdfsConnection connection, int most) {
    this.connection = connection;
    this.most = most;
  }

  /** How many files one call reads. */
  int ofOneCall() {
    return batched ? most : 1;
  }

  /** One entry per path, null where there is no file. */
  HdfsLocatedFileStatus[] get(List<String> paths) throws IOException {
    HdfsLocatedFileStatus[] found = new HdfsLocatedFileStatus[paths.size()];
    int from = 0;
    while (from < paths.size()) {
      int size = Math.min(most, paths.size() - from);
      String[] some = paths.subList(from, from + size).toArray(new String[0]);
      if (!batched || size == 1) {
        for (int i = 0; i < size; i++) {
          DirectoryListing page =
              Listings.page(connection, some[i], HdfsFileStatus.EMPTY_NAME, true);
          found[from + i] = file(Arrays.asList(Listings.entries(page)));
        }
        from += size;
      } else {
        from += many(some, found, from);
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
      for (Object part : (Object[]) Parts.LISTINGS.call(batch)) {
        index = (Integer) Parts.INDEX.call(part);
        found[from + index] = fileOf(part, paths[index]);
      }
      more = (Boolean) Parts.MORE.call(batch);
      if (more && index >= 0 && found[from + index] == null) {
        return index + 1; // which is a directory, or is not there
      }
      start = (byte[]) Parts.AFTER.call(batch);
    }
    return paths.length;
  }

  private boolean isOtherWay(IOException e, int size) {
    IOException cause = e.getCause() instanceof IOException ? (IOException) e.getCause() : e;
    if (HdfsErrors.isUnknownMethod(cause)) {
      LOG.info("The NameNode has no batched listings; files are listed one by one");
      batched = false;
      return true;
    }
    if (cause instanceof RemoteException
        && ((RemoteException) cause).getClassName().endsWith("IllegalArgumentException")) {
      // dfs.batched.ls.limit of the NameNode, which a client cannot ask for.
      most = Math.max(1, size / 2);
      return true;
    }
    return false;
  }

  private HdfsLocatedFileStatus fileOf(Object part, String path) throws IOException {
    RemoteException failure = (RemoteException) Parts.FAILURE.call(part);
    if (failure == null) {
      return file((List<?>) Parts.ENTRIES.call(part));
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

  /** Loaded only where the classes exist. */
  private static final class Parts {
    static final ByReflection LISTINGS = of(BATCH, "getListings");
    static final ByReflection MORE = of(BATCH, "hasMore");
    static final ByReflection AFTER = of(BATCH, "getStartAfter");
    static final ByReflection INDEX = of(PART, "getParentIdx");
    static final ByReflection ENTRIES = of(PART, "getPartialListing");
    static final ByReflection FAILURE = of(PART, "getException");

    private Parts() {}

    private static ByReflection of(String owner, String name) {
      try {
        return ByReflection.method(
            Class.forName(owner, false, DFSClient.class.getClassLoader()), name);
      } catch (ClassNotFoundException e) {
        throw new IllegalStateException(owner, e);
      }
    }
  }
}
