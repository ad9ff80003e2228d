package io.evenkeel.mover.hdfs;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.DirectoryListing;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.SnapshottableDirectoryStatus;

/**
 * Finds the snapshots that may hold files of a directory. Thread-safe. Separate from the namespace
 * because only requests with snapshots need it.
 */
final class SnapshotRoots {
  private static final String SNAPSHOTS = ".snapshot";

  private final HdfsConnection connection;

  SnapshotRoots(HdfsConnection connection) {
    this.connection = connection;
  }

  /**
   * The roots of snapshots of directories at or below {@code directory}; of a snapshottable
   * directory above it, what the snapshot holds at its place.
   */
  List<String> of(String directory) throws IOException {
    SnapshottableDirectoryStatus[] all =
        connection.call(
            "getSnapshottableDirListing", () -> connection.client().getSnapshottableDirListing());
    List<String> roots = new ArrayList<>();
    if (all == null) {
      return roots;
    }
    for (SnapshottableDirectoryStatus status : all) {
      String path = status.getFullPath().toUri().getPath();
      if (isAtOrBelow(path, directory)) {
        roots.addAll(snapshots(path));
      } else if (isAtOrBelow(directory, path)) {
        String rest = directory.substring(Path.SEPARATOR.equals(path) ? 0 : path.length());
        for (String snapshot : snapshots(path)) {
          addIfThere(snapshot + rest, roots);
        }
      }
    }
    return roots;
  }

  private static boolean isAtOrBelow(String path, String directory) {
    return path.equals(directory) || path.startsWith(withSlash(directory));
  }

  private static String withSlash(String path) {
    return path.endsWith(Path.SEPARATOR) ? path : path + Path.SEPARATOR;
  }

  private List<String> snapshots(String directory) throws IOException {
    String parent = withSlash(directory) + SNAPSHOTS;
    List<String> found = new ArrayList<>();
    byte[] start = HdfsFileStatus.EMPTY_NAME;
    while (start != null) {
      byte[] after = start;
      DirectoryListing listing =
          connection.call(
              "list " + parent, () -> connection.client().listPaths(parent, after, false));
      if (listing == null) {
        return found;
      }
      for (HdfsFileStatus status : listing.getPartialListing()) {
        found.add(status.getFullName(parent));
      }
      start = listing.hasMore() ? listing.getLastName() : null;
    }
    return found;
  }

  private void addIfThere(String path, List<String> roots) throws IOException {
    if (connection.call("look at " + path, () -> connection.client().getFileInfo(path)) != null) {
      roots.add(path);
    }
  }
}
