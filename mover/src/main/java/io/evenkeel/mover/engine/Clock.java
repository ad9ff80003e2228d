package io.evenkeel.mover.engine;

/** Time that starts at 0 and never goes back. Thread-safe. */
class Clock {
  private final long start = System.nanoTime();

  long nanos() {
    return System.nanoTime() - start;
  }

  long millis() {
    return nanos() / 1_000_000;
  }
}
