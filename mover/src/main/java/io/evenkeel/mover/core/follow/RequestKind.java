package io.evenkeel.mover.core.follow;

/** Where a request comes from. The codes are written to the journal and never change. */
public enum RequestKind {
  /** A rename; in journals of older versions the close of a file under a prefix, too. */
  EVENT(1, false, "rename"),
  /** A prefix, because events were missed, or more came than the queue takes. */
  RESCAN(2, true, "rescan"),
  /** A prefix, because policies may have changed, for which there is no event. */
  SCAN(3, true, "scan"),
  /** An inode from the NameNode's queue of {@code satisfyStoragePolicy}. */
  SATISFY(4, false, "satisfy"),
  /** The lines of a file of the spool directory; the first line is its name. */
  SPOOL(5, false, "spool"),
  /** A file of an earlier request that could not be satisfied yet, or is open. */
  RETRY(6, false, "file"),
  /** The same by its inode id, with its path for people; see {@link QueuedRequest#textOf}. */
  INODE(7, false, "file");

  private final int code;
  private final boolean low;
  private final String shown;

  RequestKind(int code, boolean low, String shown) {
    this.code = code;
    this.low = low;
    this.shown = shown;
  }

  int code() {
    return code;
  }

  /** What people are told. */
  public String shown() {
    return shown;
  }

  /** Whether everything else comes first. */
  public boolean isLow() {
    return low;
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
