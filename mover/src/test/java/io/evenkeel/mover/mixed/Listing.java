package io.evenkeel.mover.mixed;

import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/** All files of a tree. Stateless. */
final class Listing {
  private Listing() {}

  static Map<String, LocatedFileStatus> files(DistributedFileSystem fs, Path root)
      throws IOException {
    Map<String, LocatedFileStatus> found = new TreeMap<>();
    RemoteIterator<LocatedFileStatus> all = fs.listFiles(root, true);
    while (all.hasNext()) {
      LocatedFileStatus file = all.next();
      found.put(file.getPath().toUri().getPath(), file);
    }
    return found;
  }
}
