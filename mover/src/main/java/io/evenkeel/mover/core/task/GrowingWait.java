package io.evenkeel.mover.core.task;

/** A wait in milliseconds that is twice as long each time, up to a longest one. Not thread-safe. */
public final class GrowingWait {
  private final long firstMillis;
  private final long longestMillis;
  private long nextMillis;

  /** Starts with the first, at least 1 and at most the longest. */
  public GrowingWait(long firstMillis, long longestMillis) {
    this.firstMillis = firstMillis;
    this.longestMillis = longestMillis;
    this.nextMillis = firstMillis;
  }

  /** How long to wait this time. */
  public long next() {
    long now = nextMillis;
    nextMillis = Math.min(2 * now, longestMillis);
    return now;
  }

  /** Starts anew with the first. */
  public void reset() {
    nextMillis = firstMillis;
  }
}
