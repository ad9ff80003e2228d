package io.evenkeel.placement.namenode;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How large the blocks are that a NameNode places: the largest one for which a DataNode was found
 * in the latest hour or two. Thread-safe.
 */
final class LargestBlock {
  private static final long PERIOD_MS = TimeUnit.HOURS.toMillis(1);

  private final AtomicLong lately = new AtomicLong();
  private long before; // this and the next: guarded by this
  private long since;

  void asked(long bytes) {
    if (bytes > lately.get()) {
      lately.accumulateAndGet(bytes, Math::max);
    }
  }

  /**
   * In bytes; 0 when none was asked for. {@code now} in milliseconds of a clock that only grows.
   */
  synchronized long get(long now) {
    if (now - since > PERIOD_MS) {
      since = now;
      before = lately.getAndSet(0);
    }
    return Math.max(before, lately.get());
  }
}
