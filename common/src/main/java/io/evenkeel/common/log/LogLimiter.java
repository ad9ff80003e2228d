package io.evenkeel.common.log;

/**
 * Lets one message of a cause through per interval and counts the others.
 *
 * <p>Thread-safe. Both fields are guarded by {@code this}. Time is handed in: nanoseconds of any
 * origin that do not run backwards.
 */
public final class LogLimiter {
  /** Answer of {@link #permit} when the message must not be written now. */
  public static final long QUIET = -1;

  private final long intervalNanos;
  private boolean written;
  private long lastNanos;
  private long withheld;

  /** Creates a limiter; {@code intervalNanos} is larger than 0. */
  public LogLimiter(long intervalNanos) {
    if (intervalNanos <= 0) {
      throw new IllegalArgumentException("interval " + intervalNanos + " ns is not above 0");
    }
    this.intervalNanos = intervalNanos;
  }

  /** How many messages were withheld since the last one when this may be written, else QUIET. */
  public synchronized long permit(long nowNanos) {
    if (written && nowNanos - lastNanos < intervalNanos) {
      withheld++;
      return QUIET;
    }
    long count = withheld;
    written = true;
    lastNanos = nowNanos;
    withheld = 0;
    return count;
  }
}
