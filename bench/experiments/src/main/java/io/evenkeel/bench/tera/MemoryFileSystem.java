package io.evenkeel.bench.tera;

import java.io.ByteArrayInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PositionedReadable;
import org.apache.hadoop.fs.Seekable;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.util.Progressable;

/**
 * One array of bytes as the only file of a file system, so that reading costs no more than it must.
 * Apart from {@link RecordChecks} because Hadoop makes it by its name.
 */
public final class MemoryFileSystem extends FileSystem {
  /** The scheme of its paths; {@code fs.memory.impl} names this class. */
  public static final String SCHEME = "memory";

  private static volatile byte[] content = {};

  /** Sets the content of the file, for all instances in this JVM. */
  static void content(byte[] bytes) {
    content = bytes;
  }

  /** Configuration in which {@code memory:} paths work. */
  static Configuration conf() {
    Configuration conf = new Configuration(false);
    conf.setClass("fs." + SCHEME + ".impl", MemoryFileSystem.class, FileSystem.class);
    return conf;
  }

  @Override
  public URI getUri() {
    return URI.create(SCHEME + ":///");
  }

  @Override
  public FSDataInputStream open(Path path, int bufferSize) {
    return new FSDataInputStream(new Bytes(content));
  }

  @Override
  public FileStatus getFileStatus(Path path) {
    return new FileStatus(content.length, false, 1, content.length, 0, path);
  }

  @Override
  public FileStatus[] listStatus(Path path) {
    return new FileStatus[] {getFileStatus(path)};
  }

  @Override
  public FSDataOutputStream create(
      Path path,
      FsPermission permission,
      boolean overwrite,
      int bufferSize,
      short replication,
      long blockSize,
      Progressable progress)
      throws IOException {
    throw readOnly();
  }

  @Override
  public FSDataOutputStream append(Path path, int bufferSize, Progressable progress)
      throws IOException {
    throw readOnly();
  }

  @Override
  public boolean rename(Path from, Path to) throws IOException {
    throw readOnly();
  }

  @Override
  public boolean delete(Path path, boolean recursive) throws IOException {
    throw readOnly();
  }

  @Override
  public boolean mkdirs(Path path, FsPermission permission) throws IOException {
    throw readOnly();
  }

  private static IOException readOnly() {
    return new FileNotFoundException("cannot be written");
  }

  @Override
  public void setWorkingDirectory(Path path) {
    // there is only one
  }

  @Override
  public Path getWorkingDirectory() {
    return new Path("/");
  }

  private static final class Bytes extends ByteArrayInputStream
      implements Seekable, PositionedReadable {
    Bytes(byte[] bytes) {
      super(bytes);
    }

    @Override
    public void seek(long position) {
      pos = (int) position;
    }

    @Override
    public long getPos() {
      return pos;
    }

    @Override
    public boolean seekToNewSource(long target) {
      return false;
    }

    @Override
    public int read(long position, byte[] target, int offset, int length) {
      int most = Math.min(length, count - (int) position);
      System.arraycopy(buf, (int) position, target, offset, most);
      return most;
    }

    @Override
    public void readFully(long position, byte[] target, int offset, int length) {
      System.arraycopy(buf, (int) position, target, offset, length);
    }

    @Override
    public void readFully(long position, byte[] target) {
      readFully(position, target, 0, target.length);
    }
  }
}
