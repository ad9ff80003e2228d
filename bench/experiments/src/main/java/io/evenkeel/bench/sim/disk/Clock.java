package io.evenkeel.bench.sim.disk;

/** Virtual time. Confined to one thread. */
final class Clock {
  private static final double NANOS = 1e9;

  /** The zero of a system clock is somewhere, never at the start of a process. */
  private static final long ORIGIN = 1_000_000_000_000L;

  private double seconds;

  double seconds() {
    return seconds;
  }

  long nanos() {
    return ORIGIN + (long) (seconds * NANOS);
  }

  void set(double time) {
    seconds = time;
  }
}
