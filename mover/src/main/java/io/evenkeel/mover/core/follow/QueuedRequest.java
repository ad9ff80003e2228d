package io.evenkeel.mover.core.follow;

import io.evenkeel.mover.request.FileReport;
import io.evenkeel.mover.request.MoveRequest;

/** One request as the journal holds it. Immutable. */
public final class QueuedRequest {
  private final long id;
  private final RequestKind kind;
  private final int attempts;
  private final String text;
  private final String readUpTo;

  /**
   * Creates it.
   *
   * @param id unique in the journal
   * @param attempts how often it was tried before, 0..127
   * @param text the path; for {@link RequestKind#SPOOL} several lines; for {@link
   *     RequestKind#INODE} {@link #textOf} a file
   */
  public QueuedRequest(long id, RequestKind kind, int attempts, String text) {
    this(id, kind, attempts, text, null);
  }

  private QueuedRequest(long id, RequestKind kind, int attempts, String text, String readUpTo) {
    this.id = id;
    this.kind = kind;
    this.attempts = attempts;
    this.text = text;
    this.readUpTo = readUpTo;
  }

  /** Unique in the journal. */
  public long id() {
    return id;
  }

  /** Where it comes from. */
  public RequestKind kind() {
    return kind;
  }

  /** How often it was tried before. */
  public int attempts() {
    return attempts;
  }

  /** The same as if it had been tried so often, of which it counts 127 at most. */
  public QueuedRequest withAttempts(int value) {
    return new QueuedRequest(id, kind, Math.min(Byte.MAX_VALUE, value), text, readUpTo);
  }

  QueuedRequest withReadUpTo(String value) {
    return new QueuedRequest(id, kind, attempts, text, value);
  }

  /** Where an earlier attempt has come to in the tree; null for its beginning. */
  public String readUpTo() {
    return readUpTo;
  }

  /** As the journal has it: a path, several lines of a spool file, or {@link #textOf} a file. */
  public String text() {
    return text;
  }

  /** The text of a file that is asked for by its inode id: that, and its path for people. */
  public static String textOf(FileReport file) {
    return file.inodeId() + " " + file.path();
  }

  /** What is to be moved, unless it is several lines: a path, perhaps that of an inode. */
  public String path() {
    return kind == RequestKind.INODE
        ? MoveRequest.inode(Long.parseLong(text.substring(0, space())))
        : text;
  }

  /** What people are told of it. */
  public String shown() {
    return kind == RequestKind.INODE ? text.substring(space() + 1) : text;
  }

  /** The same in one line. */
  public String title() {
    if (kind != RequestKind.SPOOL) {
      return shown();
    }
    SpoolText spool = SpoolText.parse(text);
    int paths = spool.accepted().size();
    return spool.name() + " of " + spool.owner() + ", " + paths + (paths == 1 ? " path" : " paths");
  }

  private int space() {
    return text.indexOf(' ');
  }

  @Override
  public String toString() {
    return id + " " + kind + " " + text;
  }
}
