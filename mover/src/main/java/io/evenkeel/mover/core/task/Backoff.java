package io.evenkeel.mover.core.task;

import java.util.Random;

/**
 * Waits that double with each attempt up to a longest one, each a random part of that ("full
 * jitter"), so that many who failed at one moment do not come back at one moment. Not thread-safe
 * beyond what its {@link Random} is.
 */
public final class Backoff {
  private final Random random;
  private final long firstMillis;
  private final long longestMillis;

  /**
   * Creates it.
   *
   * @param firstMillis longest wait before the first new attempt, at least 1
   * @param longestMillis longest wait of all, at least {@code firstMillis}
   * @throws IllegalArgumentException when they are not
   */
  public Backoff(Random random, long firstMillis, long longestMillis) {
    if (firstMillis < 1 || longestMillis < firstMillis) {
      throw new IllegalArgumentException(
          "back-off from " + firstMillis + " to " + longestMillis + " ms");
    }
    this.random = random;
    this.firstMillis = firstMillis;
    this.longestMillis = longestMillis;
  }

  /**
   * A wait in milliseconds, 0 to {@link #ceiling}.
   *
   * @param attempt how many new attempts there were; 0 or less for the first
   */
  public long delay(int attempt) {
    return (long) (random.nextDouble() * (ceiling(attempt) + 1));
  }

  /** The longest wait in milliseconds before that attempt. */
  public long ceiling(int attempt) {
    long ceiling = firstMillis;
    for (int i = 0; i < attempt && ceiling < longestMillis; i++) {
      ceiling = ceiling > longestMillis / 2 ? longestMillis : 2 * ceiling;
    }
    return ceiling;
  }
}
