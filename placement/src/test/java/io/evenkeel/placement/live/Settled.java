package io.evenkeel.placement.live;

import io.evenkeel.common.testing.Await;
import java.time.Duration;
import java.util.concurrent.Callable;

/** A number that was the same for a while. Confined to one thread. */
final class Settled {
  private final Callable<Long> value;
  private long last = Long.MIN_VALUE;
  private long since;

  private Settled(Callable<Long> value) {
    this.value = value;
  }

  /** Waits until {@code value} has been the same for so many seconds; returns it. */
  static long value(String what, int quietSeconds, Callable<Long> value) throws Exception {
    Settled settled = new Settled(value);
    long quiet = Duration.ofSeconds(quietSeconds).toNanos();
    Await.until(what + " settle", () -> settled.quietNanos() >= quiet);
    return settled.last;
  }

  private long quietNanos() throws Exception {
    long now = value.call();
    if (now != last) {
      last = now;
      since = System.nanoTime();
    }
    return System.nanoTime() - since;
  }
}
