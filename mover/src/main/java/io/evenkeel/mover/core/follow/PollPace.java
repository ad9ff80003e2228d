package io.evenkeel.mover.core.follow;

import io.evenkeel.mover.core.task.GrowingWait;

/**
 * How long to wait before the NameNode is asked for events again. While it has more events, it is
 * asked at once. Otherwise the longer of two waits: the poll interval, doubled with each empty
 * answer up to half a second; and twenty times as long as the last call took, at most 5 s, because
 * for each call the NameNode reads its current segment of edits from the beginning, and a twentieth
 * of one of its processors is enough for that. Not thread-safe.
 */
public final class PollPace {
  private static final long MOST_WHILE_IDLE_MS = 500;
  private static final int TIMES_THE_CALL = 20;
  private static final long MOST_FOR_THE_CALL_MS = 5_000;

  private final long shortMs;
  private final GrowingWait wait;

  /** Creates it; {@code shortMs} is the poll interval. */
  public PollPace(long shortMs) {
    this.shortMs = shortMs;
    this.wait = new GrowingWait(shortMs, Math.max(shortMs, MOST_WHILE_IDLE_MS));
  }

  /**
   * The wait after an answer.
   *
   * @param hasMore whether the NameNode has further transactions, and gave some now
   * @param eventsCame whether there were events in it
   * @param tookMs how long the call took, milliseconds
   */
  public long waitAfter(boolean hasMore, boolean eventsCame, long tookMs) {
    if (eventsCame) {
      wait.reset();
    }
    if (hasMore) {
      return 0;
    }
    long usual = eventsCame ? shortMs : wait.next();
    return Math.max(usual, Math.min(MOST_FOR_THE_CALL_MS, TIMES_THE_CALL * tookMs));
  }
}
