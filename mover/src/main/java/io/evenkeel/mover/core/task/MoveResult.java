package io.evenkeel.mover.core.task;

import java.util.Objects;

/** How one attempt to move a replica ended. Immutable. */
public final class MoveResult {
  /** What kind of end. */
  public enum Kind {
    /** The DataNode has it on the storage type now. */
    DONE,
    /** The target has a replica of the block already; the NameNode's view decides. */
    EXISTS,
    /** Nothing was tried, since nothing may be moved now. */
    HELD,
    /** The DataNode makes as many moves as it may: not its fault, to be tried again. */
    BUSY,
    /** The same of the DataNode the bytes were asked of. */
    PROXY_BUSY,
    /** No volume of that type with room on the target. */
    NO_SPACE,
    /** The replica is pinned to its DataNode. */
    PINNED,
    /** The block is not there as it was planned: deleted, appended, another generation stamp. */
    CHANGED,
    /** The target could not be asked. */
    UNREACHABLE,
    /** The target was asked, and the connection broke. It may still be at work. */
    BROKEN_OFF,
    /** The target was asked and has not answered for long. It may still be at work. */
    UNANSWERED,
    /** The DataNode the bytes were asked of could not be asked, or broke off. */
    PROXY_UNREACHABLE,
    /** Not begun: by now another process may have the turn inside DataNodes. */
    TOO_LATE,
    /** Not begun: the target has answered no other move for long. */
    STALLED,
    /** The same of the DataNode the bytes would be asked of. */
    PROXY_STALLED,
    /** The block token or the SASL handshake was refused. */
    DENIED,
    /** Anything else. */
    FAILED
  }

  private final Kind kind;
  private final String message;

  private MoveResult(Kind kind, String message) {
    this.kind = Objects.requireNonNull(kind);
    this.message = Objects.requireNonNull(message);
  }

  /** A result with one line about it, empty when there is nothing to add. */
  public static MoveResult of(Kind kind, String message) {
    return new MoveResult(kind, message);
  }

  /** Whether a DataNode made as many moves as it may. */
  public boolean isBusy() {
    return kind == Kind.BUSY || kind == Kind.PROXY_BUSY;
  }

  /** Whether the DataNode may still be at work. */
  public boolean mayGoOn() {
    return kind == Kind.BROKEN_OFF || kind == Kind.UNANSWERED;
  }

  /** What kind of end. */
  public Kind kind() {
    return kind;
  }

  /** One line, empty when there is nothing to add. */
  public String message() {
    return message;
  }

  @Override
  public String toString() {
    return kind + (message.isEmpty() ? "" : ": " + message);
  }
}
