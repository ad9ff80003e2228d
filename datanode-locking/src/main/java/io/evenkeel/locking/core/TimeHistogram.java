package io.evenkeel.locking.core;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * How long something took, counted in buckets of microseconds: eight per power of two, so that a
 * percentile is at most an eighth above the truth; the largest value is exact. Memory is fixed
 * (about 2 kB), {@link #record} allocates nothing and takes no lock. Thread-safe; numbers read
 * while others record may be of slightly different moments.
 */
public final class TimeHistogram {
  private static final int SUB_BITS = 3;
  private static final int SUB = 1 << SUB_BITS;

  /** Values from 2^36 us (19 hours) on share the last bucket. */
  private static final int TOP_BITS = 36;

  private static final int BUCKETS = (TOP_BITS - SUB_BITS + 1) * SUB;
  private static final long NANOS_PER_MICRO = 1000;

  private final AtomicLongArray buckets = new AtomicLongArray(BUCKETS);
  private final AtomicLong nanos = new AtomicLong();
  private final AtomicLong max = new AtomicLong();

  /** Counts one value, in nanoseconds; a negative one counts as 0. */
  public void record(long valueNanos) {
    long value = Math.max(0, valueNanos);
    long micros = value / NANOS_PER_MICRO;
    buckets.getAndIncrement(bucket(micros));
    nanos.getAndAdd(value);
    long seen = max.get();
    while (micros > seen && !max.compareAndSet(seen, micros)) {
      seen = max.get();
    }
  }

  /** Values below 8 have a bucket each; above, the three bits after the highest one count. */
  private static int bucket(long micros) {
    if (micros < SUB) {
      return (int) micros;
    }
    int high = Long.SIZE - 1 - Long.numberOfLeadingZeros(micros);
    int sub = (int) (micros >>> (high - SUB_BITS)) - SUB;
    return Math.min(BUCKETS - 1, (high - SUB_BITS + 1) * SUB + sub);
  }

  /** The largest value that falls into a bucket. */
  private static long upper(int bucket) {
    if (bucket < SUB) {
      return bucket;
    }
    int shift = bucket / SUB - 1;
    return ((long) (SUB + bucket % SUB + 1) << shift) - 1;
  }

  /** Values counted. */
  public long count() {
    long count = 0;
    for (int i = 0; i < BUCKETS; i++) {
      count += buckets.get(i);
    }
    return count;
  }

  /** The sum of all values in microseconds. */
  public long totalMicros() {
    return nanos.get() / NANOS_PER_MICRO;
  }

  /** The largest value in microseconds, 0 when there is none. */
  public long maxMicros() {
    return max.get();
  }

  /**
   * The value that this fraction of all values does not exceed, in microseconds, rounded up to its
   * bucket; 0 when there is none.
   *
   * @param fraction 0 to 1, for example 0.99
   */
  public long percentileMicros(double fraction) {
    long rank = Math.max(1, (long) Math.ceil(fraction * count()));
    long passed = 0;
    for (int i = 0; i < BUCKETS - 1; i++) {
      passed += buckets.get(i);
      if (passed >= rank) {
        return Math.min(upper(i), maxMicros());
      }
    }
    return maxMicros();
  }
}
