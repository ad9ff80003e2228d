package io.evenkeel.bench.trial;

import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/** Waits. Stateless; apart from its users so that nothing else sleeps. */
final class Await {
  private static final long PAUSE_MILLIS = 100;

  private Await() {}

  static void until(int seconds, String otherwise, Callable<Boolean> holds) throws Exception {
    long begin = System.nanoTime();
    while (!holds.call()) {
      Check.that(
          System.nanoTime() - begin < TimeUnit.SECONDS.toNanos(seconds),
          "after " + seconds + " s: " + otherwise);
      Thread.sleep(PAUSE_MILLIS);
    }
  }
}
