package io.evenkeel.mover.core.follow;

import java.util.Arrays;
import java.util.function.LongSupplier;

/** How much of something came a second, over the last minute. Thread-safe. */
public final class LastMinute {
  private static final int SECONDS = 60;

  private final LongSupplier millis;
  private final long start;

  /** What came in each second, of the second {@code s} at {@code s % SECONDS}. Guarded by this. */
  private final long[] counts = new long[SECONDS];

  /** Seconds from the start to the last look; only grows. Guarded by this. */
  private long second;

  /**
   * Nothing came yet.
   *
   * @param millis a monotonic clock in milliseconds
   */
  public LastMinute(LongSupplier millis) {
    this.millis = millis;
    this.start = millis.getAsLong();
  }

  /** So much came now. */
  public synchronized void add(long count) {
    forget();
    counts[(int) (second % SECONDS)] += count;
  }

  /** A second, over the last minute or the time since the start when that is shorter. */
  public synchronized double perSecond() {
    forget();
    return (double) Arrays.stream(counts).sum() / Math.min(SECONDS, second + 1);
  }

  /** Forgets what is older than a minute. Called with the monitor held. */
  private void forget() {
    long now = Math.max(second, (millis.getAsLong() - start) / 1000);
    if (now - second >= SECONDS) {
      Arrays.fill(counts, 0);
    } else {
      for (long s = second + 1; s <= now; s++) {
        counts[(int) (s % SECONDS)] = 0;
      }
    }
    second = now;
  }
}
