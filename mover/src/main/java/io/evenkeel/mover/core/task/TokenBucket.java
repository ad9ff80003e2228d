package io.evenkeel.mover.core.task;

import java.util.concurrent.TimeUnit;

/**
 * A limit in bytes, or in replicas, per second. A move may start when the bucket is not in debt and
 * takes all its bytes at once, so that blocks larger than the bucket pass too; over time that gives
 * the rate. The bucket starts empty and saves up one second when nothing is moved.
 *
 * <p>Times are of one clock that never goes back, in nanoseconds. Not thread-safe: a caller with
 * several threads asks and takes under one lock.
 */
public final class TokenBucket {
  private static final double NANOS = TimeUnit.SECONDS.toNanos(1);

  private final long bytesPerSecond;
  private boolean started;
  private double bytes;
  private long lastNanos;

  /**
   * Creates it.
   *
   * @param bytesPerSecond the rate and the most that is saved up; 0 for no limit
   * @throws IllegalArgumentException when negative
   */
  public TokenBucket(long bytesPerSecond) {
    if (bytesPerSecond < 0) {
      throw new IllegalArgumentException("bytes per second: " + bytesPerSecond);
    }
    this.bytesPerSecond = bytesPerSecond;
  }

  /** How long until a move may start; 0 when it may start now. */
  public long delayNanos(long nowNanos) {
    refill(nowNanos);
    return bytes >= 0 ? 0 : (long) Math.ceil(-bytes / bytesPerSecond * NANOS);
  }

  /** Takes the bytes of a move that starts; the bucket may go into debt. */
  public void take(long moveBytes, long nowNanos) {
    refill(nowNanos);
    if (bytesPerSecond > 0) {
      bytes -= moveBytes;
    }
  }

  private void refill(long nowNanos) {
    long elapsed = started ? nowNanos - lastNanos : 0;
    started = true;
    if (elapsed > 0) {
      bytes = Math.min(bytesPerSecond, bytes + (double) elapsed / NANOS * bytesPerSecond);
    }
    lastNanos = nowNanos;
  }
}
