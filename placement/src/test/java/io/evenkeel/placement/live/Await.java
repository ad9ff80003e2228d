package io.evenkeel.placement.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Waits. Stateless. */
final class Await {
  private static final long STEP_MILLIS = 250;

  private Await() {}

  /** Until {@code condition} is true; {@code seen} says what was there when it is not in time. */
  static void until(String what, int seconds, Callable<Boolean> condition, Callable<?> seen)
      throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    while (!condition.call()) {
      if (System.nanoTime() > deadline) {
        assertThat(false).as("%s within %d s; now %s", what, seconds, seen.call()).isTrue();
      }
      pause(STEP_MILLIS);
    }
  }

  /** Until {@code value} has been the same for {@code quiet} seconds. */
  static long settled(String what, int quiet, int seconds, Callable<Long> value) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    long last = value.call();
    long since = System.nanoTime();
    while (System.nanoTime() - since < TimeUnit.SECONDS.toNanos(quiet)) {
      pause(STEP_MILLIS);
      long now = value.call();
      if (now != last) {
        assertThat(System.nanoTime()).as("%s settles; now %d", what, now).isLessThan(deadline);
        last = now;
        since = System.nanoTime();
      }
    }
    return last;
  }

  static void pause(long millis) {
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
  }
}
