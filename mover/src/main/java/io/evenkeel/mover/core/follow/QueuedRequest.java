package io.evenkeel.mover.core.follow;

import io.evenkeel.mover.request.FileReport;
import io.evenkeel.mover.request.MoveRequest;

/** One request as the journal holds it. Immutable. */
public final class QueuedRequest {
  private final long id;
  private final RequestKind kind;
  private final int attempts;
  private final String text;

  /**
   * Creates it.
   *
   * @param id unique in the journal
   * @param attempts how often it was tried before, 0..127
   * @param text the path; for {@link RequestKind#SPOOL} several lines; for {@link
   *     RequestKind#RETRY} perhaps {@link #textOf} a file
   */
  public QueuedRequest(long id, RequestKind kind, int attempts, String text) {
    this.id = id;
    this.kind = kind;
    this.attempts = attempts;
    this.text = text;
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

  /** As the journal has it: a path, several lines of a spool file, or {@link #textOf} a file. */
  public String text() {
    return text;
  }

  /** The text of a file that is tried again: by its inode id, and with its path for people. */
  public static String textOf(FileReport file) {
    return file.inodeId() == 0 ? file.path() : file.inodeId() + " " + file.path();
  }

  /** What is to be moved, unless it is several lines: a path, that of an inode for a retry. */
  public String path() {
    return namesInode() ? MoveRequest.inode(Long.parseLong(text.substring(0, space()))) : text;
  }

  /** What people are told of it. */
  public String shown() {
    return namesInode() ? text.substring(space() + 1) : text;
  }

  private boolean namesInode() {
    return kind == RequestKind.RETRY && !text.startsWith("/");
  }

  private int space() {
    return text.indexOf(' ');
  }

  @Override
  public String toString() {
    return id + " " + kind + " " + text;
  }
}
