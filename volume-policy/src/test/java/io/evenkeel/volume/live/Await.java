package io.evenkeel.volume.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Waits for a condition, with a limit only a broken test reaches. Stateless. */
final class Await {
  private static final long LIMIT = TimeUnit.SECONDS.toNanos(90);

  private Await() {}

  static void until(String what, Callable<Boolean> condition) throws Exception {
    long deadline = System.nanoTime() + LIMIT;
    while (!condition.call()) {
      assertThat(System.nanoTime()).as("waiting until " + what).isLessThan(deadline);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
    }
  }
}
