package io.evenkeel.locking;

import io.evenkeel.locking.core.TimeHistogram;

/**
 * How long something took since start, in microseconds, as JMX shows it. Percentiles are at most an
 * eighth above the truth, the largest value is exact; all are 0 while nothing was counted. The
 * figures are those of the moment they are asked for.
 */
public final class TimesReport {
  private static final double P50 = 0.5;
  private static final double P99 = 0.99;

  private final TimeHistogram times;

  TimesReport(TimeHistogram times) {
    this.times = times;
  }

  /** How often. */
  public long getCount() {
    return times.count();
  }

  /** The sum of all. */
  public long getTotalMicros() {
    return times.totalMicros();
  }

  public long getP50Micros() {
    return times.percentileMicros(P50);
  }

  public long getP99Micros() {
    return times.percentileMicros(P99);
  }

  public long getMaxMicros() {
    return times.maxMicros();
  }
}
