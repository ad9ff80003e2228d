package io.evenkeel.mover.core.follow;

/** A request and what becomes of it. Immutable. */
public final class RequestState {
  private final QueuedRequest request;
  private final boolean moving;
  private final long ageMs;
  private final long waitMs;

  RequestState(QueuedRequest request, boolean moving, long ageMs, long waitMs) {
    this.request = request;
    this.moving = moving;
    this.ageMs = ageMs;
    this.waitMs = waitMs;
  }

  /** The request itself. */
  public QueuedRequest request() {
    return request;
  }

  /** Whether the mover works on it, more than that it looks at it. */
  public boolean isMoving() {
    return moving;
  }

  /** Milliseconds since it was added, or read from the journal by this daemon. */
  public long ageMs() {
    return ageMs;
  }

  /** Milliseconds until it is tried again; 0 when it waits for its turn only. */
  public long waitMs() {
    return waitMs;
  }
}
