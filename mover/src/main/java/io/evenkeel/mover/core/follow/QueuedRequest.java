package io.evenkeel.mover.core.follow;

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
   * @param text the path; for {@link RequestKind#SPOOL} several lines
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

  /** The path; for {@link RequestKind#SPOOL} several lines. */
  public String text() {
    return text;
  }

  @Override
  public String toString() {
    return id + " " + kind + " " + text;
  }
}
