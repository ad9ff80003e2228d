package io.evenkeel.volume.core;

/**
 * What a device has done since some moment in the past; only differences of two readings mean
 * anything. Immutable.
 */
public final class DeviceCounters {
  private static final double UNKNOWN = -1;

  private final long completed;
  private final long writes;
  private final double writeMillis;
  private final long inFlight;
  private final double busyMillis;

  /** Creates a reading of a device that does not tell how long it was busy. */
  public DeviceCounters(long completed, long writes, double writeMillis, long inFlight) {
    this(completed, writes, writeMillis, inFlight, UNKNOWN);
  }

  /**
   * Creates a reading.
   *
   * @param completed requests completed, reads and writes
   * @param writes write requests completed
   * @param writeMillis milliseconds all completed write requests waited and were served, summed
   * @param inFlight requests issued and not completed at this moment; 0 when unknown
   * @param busyMillis milliseconds during which there was any request; negative when unknown
   */
  public DeviceCounters(
      long completed, long writes, double writeMillis, long inFlight, double busyMillis) {
    this.completed = completed;
    this.writes = writes;
    this.writeMillis = writeMillis;
    this.inFlight = inFlight;
    this.busyMillis = busyMillis;
  }

  /** Requests completed, reads and writes. */
  public long completed() {
    return completed;
  }

  /** Write requests completed. */
  public long writes() {
    return writes;
  }

  /** Milliseconds of all completed write requests, summed. */
  public double writeMillis() {
    return writeMillis;
  }

  /** Requests that are not completed at this moment. */
  public long inFlight() {
    return inFlight;
  }

  /** Milliseconds during which there was any request; negative when unknown. */
  public double busyMillis() {
    return busyMillis;
  }
}
