package io.evenkeel.cli.core.history;

/** One attempt at a task. Built while a history is read, then not changed. */
public final class Attempt {
  /** Stands for a number the history does not have. */
  public static final long NOT_KNOWN = -1;

  final String id;
  String host = "";
  String rack = "";
  String yarnLocality = "";
  long started = NOT_KNOWN;
  long finished = NOT_KNOWN;
  long hdfsBytesRead = NOT_KNOWN;

  Attempt(String id) {
    this.id = id;
  }

  /** Identifier, as {@code attempt_1700000000000_0001_m_000000_0}. */
  public String id() {
    return id;
  }

  /** The host it ran on by YARN's name; empty when it never ran. */
  public String host() {
    return host;
  }

  /** The rack the application master took the host to be in; empty when it is not told. */
  public String rack() {
    return rack;
  }

  /** {@code NODE_LOCAL}, {@code RACK_LOCAL}, {@code OFF_SWITCH} or empty: the master's view. */
  public String yarnLocality() {
    return yarnLocality;
  }

  /** Start in milliseconds since the epoch, or {@link #NOT_KNOWN}. */
  public long started() {
    return started;
  }

  /** End in milliseconds since the epoch, or {@link #NOT_KNOWN}. */
  public long finished() {
    return finished;
  }

  /** Bytes read from HDFS, or {@link #NOT_KNOWN}. */
  public long hdfsBytesRead() {
    return hdfsBytesRead;
  }
}
