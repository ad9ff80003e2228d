package io.evenkeel.mover.core.follow;

import io.evenkeel.mover.core.task.GrowingWait;

/**
 * How long to wait before the NameNode is asked for events again: the short interval while events
 * come, doubled with each empty answer up to the long one. Not thread-safe.
 */
public final class PollPace {
  private final long shortMs;
  private final GrowingWait wait;

  /** Creates it; {@code longMs} below {@code shortMs} counts as that. */
  public PollPace(long shortMs, long longMs) {
    this.shortMs = shortMs;
    this.wait = new GrowingWait(shortMs, Math.max(shortMs, longMs));
  }

  /** The wait after an answer. */
  public long waitAfter(boolean eventsCame) {
    if (eventsCame) {
      wait.reset();
      return shortMs;
    }
    return wait.next();
  }
}
