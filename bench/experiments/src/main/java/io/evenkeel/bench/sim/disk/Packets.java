package io.evenkeel.bench.sim.disk;

/**
 * Writes of 64 KB to one disk since somebody looked, and how long they took. Apart from {@link
 * Disk}, which is the same whoever looks. One thread.
 */
final class Packets {
  private static final double PER_MB = 16;

  private double seconds;
  private double written;

  /** So many streams had a write under way for that time, and so many MB were written. */
  void add(int streams, double time, double mb) {
    seconds += streams * time;
    written += mb * PER_MB;
  }

  /**
   * Milliseconds of a write since the last call; not a number when none is complete, and then what
   * they have taken so far counts next time.
   */
  double take() {
    if (written < 1) {
      return Double.NaN;
    }
    double mean = 1000 * seconds / written;
    seconds = 0;
    written = 0;
    return mean;
  }
}
