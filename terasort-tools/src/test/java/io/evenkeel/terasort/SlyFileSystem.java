package io.evenkeel.terasort;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;

/** The local file system, but a test may act before a file of records is opened. */
public final class SlyFileSystem extends LocalFileSystem {
  private static volatile Action beforeOpen = path -> {};

  /** What to do before a file is opened. */
  interface Action {
    void before(Path path) throws IOException;
  }

  /** Acts before each open of a file that is named as a partition, in this JVM. */
  static void install(Configuration conf, Action action) {
    beforeOpen = action;
    conf.setClass("fs.file.impl", SlyFileSystem.class, LocalFileSystem.class);
    conf.setBoolean("fs.file.impl.disable.cache", true);
  }

  @Override
  public FSDataInputStream open(Path path, int bufferSize) throws IOException {
    if (path.getName().startsWith("part-") && path.getParent().getName().equals("in")) {
      beforeOpen.before(path);
    }
    return super.open(path, bufferSize);
  }
}
