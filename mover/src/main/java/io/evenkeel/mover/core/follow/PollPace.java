package io.evenkeel.mover.core.follow;

/**
 * How long to wait before the NameNode is asked for events again: the short interval while events
 * come, doubled with each empty answer up to the long one. Not thread-safe.
 */
public final class PollPace {
  private final long shortMs;
  private final long longMs;
  private long next;

  /** Creates it; {@code longMs} below {@code shortMs} counts as that. */
  public PollPace(long shortMs, long longMs) {
    this.shortMs = shortMs;
    this.longMs = Math.max(shortMs, longMs);
    this.next = shortMs;
  }

  /** The wait after an answer. */
  public long waitAfter(boolean eventsCame) {
    long wait = eventsCame ? shortMs : next;
    next = eventsCame ? shortMs : Math.min(longMs, next * 2);
    return wait;
  }
}
