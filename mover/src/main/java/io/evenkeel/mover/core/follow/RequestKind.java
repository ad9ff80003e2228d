package io.evenkeel.mover.core.follow;

/** Where a request comes from. The codes are written to the journal and never change. */
public enum RequestKind {
  /** A rename; in journals of older versions the close of a file under a prefix, too. */
  EVENT(1, Line.TO_LOOK_AT, "rename"),
  /** A prefix, because events were missed, or more came than the queue takes. */
  RESCAN(2, Line.LOW, "rescan"),
  /** A prefix, because policies may have changed, for which there is no event. */
  SCAN(3, Line.LOW, "scan"),
  /** An inode from the NameNode's queue of {@code satisfyStoragePolicy}. */
  SATISFY(4, Line.ASKED, "satisfy"),
  /** The lines of a file of the spool directory; the first line is its name. */
  SPOOL(5, Line.ASKED, "spool"),
  /** A file of an earlier request that could not be satisfied yet, or is open. */
  RETRY(6, Line.TO_LOOK_AT, "file"),
  /** The same by its inode id, with its path for people; see {@link QueuedRequest#textOf}. */
  INODE(7, Line.TO_MOVE, "file");

  private final int code;
  private final Line line;
  private final String shown;

  /** Requests of one line wait for each other, and not for those of another. */
  public enum Line {
    /** Somebody waits for them. */
    ASKED,
    /** The daemon makes them by itself, a file each as a rule: to be looked at, nothing moves. */
    TO_LOOK_AT,
    /** Of its own, too; somebody has looked, and there is something to move, or was. */
    TO_MOVE,
    /** The same, and it is a directory, or cannot be read together with others. */
    ALONE,
    /** Whole prefixes, which wait for all others. */
    LOW
  }

  RequestKind(int code, Line line, String shown) {
    this.code = code;
    this.line = line;
    this.shown = shown;
  }

  int code() {
    return code;
  }

  /** What people are told. */
  public String shown() {
    return shown;
  }

  /** For which others it waits. */
  public Line line() {
    return line;
  }

  /** Whether somebody waits for its end. */
  public boolean isAsked() {
    return line == Line.ASKED;
  }

  /** Requests of one group and the same text mean the same; one of them in the queue is enough. */
  int group() {
    return this == EVENT || this == RETRY ? 0 : code;
  }

  /** The kind of a code, null for an unknown one. */
  static RequestKind of(int code) {
    for (RequestKind kind : values()) {
      if (kind.code == code) {
        return kind;
      }
    }
    return null;
  }
}
