package io.evenkeel.locking.core;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * How long the locks of blocks of one DataNode were held and waited for. Recording allocates
 * nothing, and takes no lock that is held while anything else is done. Separate from the monitor to
 * be tested without Hadoop. Thread-safe.
 */
public final class LockStatistics implements LockEvents {
  private final TimeHistogram held = new TimeHistogram();
  private final TimeHistogram waited = new TimeHistogram();
  private final AtomicLong slowHolds = new AtomicLong();
  private final LongSupplier clock;
  private final SlowHolders slow;

  /**
   * Nothing recorded yet.
   *
   * @param clock as {@link System#nanoTime}
   * @param slow is told of each slow hold that ended
   */
  public LockStatistics(LongSupplier clock, SlowHolders slow) {
    this.clock = clock;
    this.slow = slow;
  }

  @Override
  public void released(Operation operation) {
    long nanos = clock.getAsLong() - operation.since();
    held.record(nanos);
    if (operation.waitedNanos() > 0) {
      waited.record(operation.waitedNanos());
    }
    if (slow.isSlow(nanos)) {
      slowHolds.getAndIncrement();
      slow.ended(operation, nanos);
    }
  }

  /** How long a lock was held, each time it was given back. */
  public TimeHistogram held() {
    return held;
  }

  /**
   * How long a lock was waited for, of the times it was not free; counted when it is given back.
   */
  public TimeHistogram waited() {
    return waited;
  }

  /** Holds that ended and were slow. */
  public long slowHolds() {
    return slowHolds.get();
  }
}
