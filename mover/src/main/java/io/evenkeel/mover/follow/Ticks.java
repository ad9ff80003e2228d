package io.evenkeel.mover.follow;

import java.util.concurrent.TimeUnit;

/** The monotonic clock of this package in milliseconds. Stateless. */
final class Ticks {
  private Ticks() {}

  static long now() {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
  }
}
