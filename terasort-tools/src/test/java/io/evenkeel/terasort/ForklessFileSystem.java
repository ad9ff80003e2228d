package io.evenkeel.terasort;

import java.io.IOException;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.permission.FsPermission;

/**
 * The local file system without permissions: without Hadoop's native library each of them would
 * start a process ({@code chmod}, {@code ls}), which is most of what a small local job takes.
 */
public final class ForklessFileSystem extends LocalFileSystem {
  /** For Hadoop. */
  public ForklessFileSystem() {
    super(new Raw());
  }

  private static final class Raw extends RawLocalFileSystem {
    private static final FsPermission ALL = new FsPermission((short) 0700);
    private static final String OWNER = System.getProperty("user.name");

    @Override
    public void setPermission(Path path, FsPermission permission) {
      // there are none
    }

    @Override
    public FileStatus getFileStatus(Path path) throws IOException {
      FileStatus status = super.getFileStatus(path);
      return new FileStatus(
          status.getLen(),
          status.isDirectory(),
          status.getReplication(),
          status.getBlockSize(),
          status.getModificationTime(),
          status.getAccessTime(),
          ALL,
          OWNER,
          OWNER,
          status.getPath());
    }
  }
}
