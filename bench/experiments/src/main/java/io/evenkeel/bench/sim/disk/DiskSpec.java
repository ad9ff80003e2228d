package io.evenkeel.bench.sim.disk;

/**
 * A disk as it is bought.
 *
 * @param bandwidth MB/s of one sequential writer
 * @param seekLoss fraction lost with each further stream: n streams get bandwidth / (1 + loss (n -
 *     1))
 * @param capacity MB
 * @param free MB at the start
 * @param controller index of the controller it hangs on, {@link #NONE} for one of its own
 */
record DiskSpec(double bandwidth, double seekLoss, double capacity, double free, int controller) {
  static final int NONE = -1;

  private static final double TERABYTE = 1 << 20;

  /** A hard disk of 4 TB, half full. */
  static DiskSpec hdd(double bandwidth) {
    return new DiskSpec(bandwidth, 0.02, 4 * TERABYTE, 2 * TERABYTE, NONE);
  }

  /** An SSD of 4 TB, half full. */
  static DiskSpec ssd(double bandwidth) {
    return new DiskSpec(bandwidth, 0, 4 * TERABYTE, 2 * TERABYTE, NONE);
  }

  /** The same, empty and with that capacity in MB. */
  DiskSpec sized(double mb) {
    return new DiskSpec(bandwidth, seekLoss, mb, mb, controller);
  }

  /** The same with that fraction of it used. */
  DiskSpec filled(double used) {
    return new DiskSpec(bandwidth, seekLoss, capacity, capacity * (1 - used), controller);
  }

  /** The same on a controller. */
  DiskSpec on(int index) {
    return new DiskSpec(bandwidth, seekLoss, capacity, free, index);
  }
}
