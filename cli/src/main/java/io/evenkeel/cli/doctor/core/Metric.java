package io.evenkeel.cli.doctor.core;

/** What DataNodes of one role are compared by, from two readings of one of them. */
enum Metric {
  /** Milliseconds its volumes take to write a MiB of packets. */
  WRITE("writes", "ms for a MiB") {
    @Override
    double of(Reading before, Reading after) {
      return perMiB(before, after, "TotalWriteTime", "BytesWritten");
    }
  },

  /** Milliseconds it takes to read a MiB and send it; a slow client counts too. */
  READ("reads", "ms for a MiB") {
    @Override
    double of(Reading before, Reading after) {
      return perMiB(before, after, "TotalReadTime", "BytesRead");
    }
  },

  /** Milliseconds of a flush of a packet to the operating system. */
  FLUSH("flushes", "ms") {
    @Override
    double of(Reading before, Reading after) {
      return average(before, after, "FlushNanos");
    }
  },

  /** Milliseconds of an fsync. */
  SYNC("syncs", "ms") {
    @Override
    double of(Reading before, Reading after) {
      return average(before, after, "FsyncNanos");
    }
  };

  private static final double MIB = 1 << 20;
  private static final double NANOS_PER_MILLI = 1e6;

  /** With less traffic in an interval, single blocks decide. */
  private static final double LEAST_BYTES = MIB;

  /** With fewer operations in an interval, single ones decide. */
  private static final double LEAST_OPERATIONS = 3;

  private final String label;
  private final String unit;

  Metric(String label, String unit) {
    this.label = label;
    this.unit = unit;
  }

  /**
   * The value of the interval; not a number where it is not known or next to nothing happened, 0
   * where it took less than Hadoop's whole milliseconds can tell.
   */
  abstract double of(Reading before, Reading after);

  /** What is slow, in the plural. */
  String label() {
    return label;
  }

  /** Unit of the value. */
  String unit() {
    return unit;
  }

  private static double perMiB(Reading before, Reading after, String millis, String bytes) {
    double moved = after.number(bytes) - before.number(bytes);
    double took = after.number(millis) - before.number(millis);
    return moved >= LEAST_BYTES && took >= 0 ? took / (moved / MIB) : Double.NaN;
  }

  /** Hadoop shows the average of its own last ten seconds, and a count since start. */
  private static double average(Reading before, Reading after, String nanos) {
    double count = after.number(nanos + "NumOps") - before.number(nanos + "NumOps");
    double average = after.number(nanos + "AvgTime");
    return count >= LEAST_OPERATIONS && average > 0 ? average / NANOS_PER_MILLI : Double.NaN;
  }
}
