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
  private final double bytesWritten;
  private final double bytesRead;

  /** Creates a reading of a device that tells neither how long it was busy nor how many bytes. */
  public DeviceCounters(long completed, long writes, double writeMillis, long inFlight) {
    this(completed, writes, writeMillis, inFlight, UNKNOWN, UNKNOWN, UNKNOWN);
  }

  /**
   * Creates a reading.
   *
   * @param completed requests completed, reads and writes
   * @param writes write requests completed
   * @param writeMillis milliseconds all completed write requests waited and were served, summed
   * @param inFlight requests issued and not completed at this moment; 0 when unknown
   * @param busyMillis milliseconds during which there was any request; negative when unknown
   * @param bytesWritten bytes of the completed write requests; negative when unknown
   * @param bytesRead bytes of the completed read requests; negative when unknown
   */
  public DeviceCounters(
      long completed,
      long writes,
      double writeMillis,
      long inFlight,
      double busyMillis,
      double bytesWritten,
      double bytesRead) {
    this.completed = completed;
    this.writes = writes;
    this.writeMillis = writeMillis;
    this.inFlight = inFlight;
    this.busyMillis = busyMillis;
    this.bytesWritten = bytesWritten;
    this.bytesRead = bytesRead;
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

  /** Bytes of the completed write requests; negative when unknown. */
  public double bytesWritten() {
    return bytesWritten;
  }

  /** Bytes of the completed read requests; negative when unknown. */
  public double bytesRead() {
    return bytesRead;
  }
}
