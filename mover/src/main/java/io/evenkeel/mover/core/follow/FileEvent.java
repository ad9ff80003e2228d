package io.evenkeel.mover.core.follow;

import java.util.Objects;

/** What happened in the namespace, as far as a mover cares. Immutable. */
public final class FileEvent {
  private final String source;
  private final String path;
  private final long time;

  private FileEvent(String source, String path, long time) {
    this.source = source;
    this.path = Objects.requireNonNull(path);
    this.time = time;
  }

  /** A file or directory got another path. */
  public static FileEvent rename(String source, String destination, long time) {
    return new FileEvent(Objects.requireNonNull(source), destination, time);
  }

  /** A file was written to its end. */
  public static FileEvent close(String path, long time) {
    return new FileEvent(null, path, time);
  }

  /** The path from now on. */
  public String path() {
    return path;
  }

  /** When the NameNode did it, its own clock in milliseconds. */
  public long time() {
    return time;
  }

  /** Whether it is a rename. */
  public boolean isRename() {
    return source != null;
  }

  @Override
  public String toString() {
    return (isRename() ? "rename " + source + " to " : "close ") + path;
  }
}
