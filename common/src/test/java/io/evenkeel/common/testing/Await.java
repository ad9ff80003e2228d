package io.evenkeel.common.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.Reference;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;

/**
 * The one place where a test sleeps ({@link ArchitectureRules#onlyAwaitSleeps}): it waits for a
 * condition, with a limit that only a broken test reaches. Stateless.
 */
public final class Await {
  /** Long enough for a loaded machine; reaching it is a failure. */
  private static final Duration LIMIT = Duration.ofSeconds(90);

  private static final long SHORTEST_MILLIS = 1;
  private static final long LONGEST_MILLIS = 50;

  private Await() {}

  /** Until the condition holds; fails after 90 s and names {@code what} was waited for. */
  public static void until(String what, Callable<Boolean> condition) throws Exception {
    until(what, LIMIT, condition, () -> "nothing more is known");
  }

  /** Until the condition holds; {@code seen} is asked what there was when it did not in time. */
  public static void until(
      String what, Duration limit, Callable<Boolean> condition, Callable<?> seen) throws Exception {
    long start = System.nanoTime();
    long wait = SHORTEST_MILLIS;
    while (!condition.call()) {
      if (System.nanoTime() - start > limit.toNanos()) {
        assertThat(false).as("%s within %s; now %s", what, limit, seen.call()).isTrue();
      }
      pause(wait);
      wait = Math.min(2 * wait, LONGEST_MILLIS);
    }
  }

  /** Until the garbage collector has taken what is referred to. */
  public static void untilCollected(Reference<?> reference) throws Exception {
    until(
        "it is collected",
        () -> {
          System.gc();
          return reference.get() == null;
        });
  }

  /**
   * The pause of a load between two of its steps, or of a simulated device. Never to wait for
   * something to happen: that is what {@link #until} is for.
   */
  public static void pause(long millis) throws InterruptedException {
    Thread.sleep(millis);
  }

  /**
   * The pause of a simulated device, also one of microseconds. An interrupt does not shorten it and
   * is still pending afterwards, as with a thread in a system call.
   */
  public static void pauseUninterruptibly(Duration length) {
    long end = System.nanoTime() + length.toNanos();
    boolean interrupted = false;
    for (long left = length.toNanos(); left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(left);
      interrupted |= Thread.interrupted();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
