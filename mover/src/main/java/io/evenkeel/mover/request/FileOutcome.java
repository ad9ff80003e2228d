package io.evenkeel.mover.request;

/**
 * What became of a file or of one of its blocks. {@link #SATISFIED} and {@link #MOVED} mean that
 * the NameNode says every replica is on the storage type its policy asks for. In the order of
 * severity: what is said of a file is the latest of what is said of its blocks.
 */
public enum FileOutcome {
  /** Every replica was on the right storage type before anything was done. */
  SATISFIED("already satisfied"),
  /** Replicas were moved, and the NameNode says that all are right now. */
  MOVED("moved"),
  /** Deleted after it was found; a file that has its path by then is in the report instead. */
  DELETED("deleted meanwhile"),
  /** A dry run: replicas would be moved. */
  PLANNED("would be moved"),
  /** Asked of the daemon, since the user may not move; what becomes of it is not known here. */
  HANDED_OVER("handed to the daemon"),
  /** Some replicas were moved, others could not be; the reason tells about those. */
  PARTIAL("partly moved"),
  /** The last block is being written; all others are right. Asked again after it is closed. */
  PENDING_OPEN("pending, open for writing"),
  /** A replica is in excess, or one was lost during the work and is not back yet. */
  PENDING_REPLICATION("pending, the NameNode still replicates or deletes"),
  /** No DataNode that may take a replica has the storage type with enough space. */
  NO_TARGET("no target"),
  /** A replica is pinned to its DataNode (favored nodes) and that one lacks the storage type. */
  PINNED("pinned"),
  /** The path asked for does not exist (any more), or a block has no live replica. */
  MISSING("missing"),
  /** An erasure coded file under a policy that HDFS does not apply to striped blocks. */
  UNSUPPORTED_EC_POLICY("policy not supported for erasure coding"),
  /** The NameNode denied the permission. */
  DENIED("denied"),
  /** Stopped before the end, by a cancel or a deadline. */
  CANCELLED("cancelled"),
  /** Anything else; the reason says what. */
  FAILED("failed");

  private final String words;

  FileOutcome(String words) {
    this.words = words;
  }

  /** In a few words, for people. */
  public String words() {
    return words;
  }

  /**
   * Whether the NameNode says that no replica is on a wrong type: the file is as its policy asks,
   * or is no more.
   */
  public boolean isSatisfied() {
    return this == SATISFIED || this == MOVED || this == DELETED;
  }
}
