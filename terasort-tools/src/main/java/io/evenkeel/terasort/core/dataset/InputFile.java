package io.evenkeel.terasort.core.dataset;

import java.util.Objects;

/** One file as it was listed before the run. Immutable. */
public final class InputFile {
  private final String path;
  private final long length;
  private final long modified;
  private final long id;

  /**
   * Creates the entry.
   *
   * @param path whole path with scheme and authority
   * @param length bytes
   * @param modified modification time, milliseconds since 1970
   * @param id file id (inode id in HDFS), or 0 where the file system has none
   */
  public InputFile(String path, long length, long modified, long id) {
    this.path = Objects.requireNonNull(path);
    this.length = length;
    this.modified = modified;
    this.id = id;
  }

  /** Whole path. */
  public String path() {
    return path;
  }

  /** Last component of the path: the name in stock's reports. */
  public String name() {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  /** All of the path before the name, without the last slash. */
  public String directory() {
    int slash = path.lastIndexOf('/');
    return slash < 0 ? "" : path.substring(0, slash);
  }

  /** Bytes when it was listed. */
  public long length() {
    return length;
  }

  /** Milliseconds since 1970. */
  public long modified() {
    return modified;
  }

  /** File id, or 0. */
  public long id() {
    return id;
  }

  /** Whether it is the same file with the same content as far as a listing tells. */
  public boolean unchanged(InputFile later) {
    return path.equals(later.path)
        && length == later.length
        && modified == later.modified
        && id == later.id;
  }

  @Override
  public String toString() {
    return path;
  }
}
