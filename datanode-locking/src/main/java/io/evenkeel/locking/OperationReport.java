package io.evenkeel.locking;

import io.evenkeel.locking.core.LockStatistics;
import io.evenkeel.locking.core.TimeHistogram;

/** Times of one operation on one volume since start, in microseconds, as JMX shows them. */
public final class OperationReport {
  private static final double P50 = 0.5;
  private static final double P99 = 0.99;
  private static final double P999 = 0.999;

  private final LockStatistics.Row row;
  private final String volume;

  OperationReport(LockStatistics.Row row, String directory) {
    this.row = row;
    this.volume = directory;
  }

  private TimeHistogram hold() {
    return row.hold();
  }

  private TimeHistogram waiting() {
    return row.waiting();
  }

  /** The method of the dataset. */
  public String getOperation() {
    return row.kind().label();
  }

  /** Data directory; empty for what ended before a volume was chosen. */
  public String getVolume() {
    return volume;
  }

  /** How often the lock was held. */
  public long getHolds() {
    return hold().count();
  }

  /** Of these, how often for longer than {@code evenkeel.locking.slow-hold}. */
  public long getSlowHolds() {
    return row.slow();
  }

  /** The sum of all holds. */
  public long getHoldTotalMicros() {
    return hold().totalMicros();
  }

  public long getHoldP50Micros() {
    return hold().percentileMicros(P50);
  }

  public long getHoldP99Micros() {
    return hold().percentileMicros(P99);
  }

  public long getHoldP999Micros() {
    return hold().percentileMicros(P999);
  }

  public long getHoldMaxMicros() {
    return hold().maxMicros();
  }

  /** How often the lock was not free; percentiles of waits are of these only. */
  public long getWaits() {
    return waiting().count();
  }

  /** The sum of all waits. */
  public long getWaitTotalMicros() {
    return waiting().totalMicros();
  }

  public long getWaitP50Micros() {
    return waiting().percentileMicros(P50);
  }

  public long getWaitP99Micros() {
    return waiting().percentileMicros(P99);
  }

  public long getWaitP999Micros() {
    return waiting().percentileMicros(P999);
  }

  public long getWaitMaxMicros() {
    return waiting().maxMicros();
  }
}
