package io.evenkeel.terasort.core.suite;

/** One phase that ended well. Immutable. */
public final class Measured {
  private final int run;
  private final Phase phase;
  private final double seconds;
  private final long bytes;
  private final JobFacts facts;

  /**
   * Creates a result.
   *
   * @param run number of the run, from 1
   * @param seconds wall time as the client saw it, start of the job included; above 0
   * @param bytes size of the data set
   */
  public Measured(int run, Phase phase, double seconds, long bytes, JobFacts facts) {
    this.run = run;
    this.phase = phase;
    this.seconds = seconds;
    this.bytes = bytes;
    this.facts = facts;
  }

  /** Number of the run, from 1. */
  public int run() {
    return run;
  }

  /** Which program. */
  public Phase phase() {
    return phase;
  }

  /** Wall time in seconds. */
  public double seconds() {
    return seconds;
  }

  /** Size of the data set in bytes. */
  public long bytes() {
    return bytes;
  }

  /** What the counters told. */
  public JobFacts facts() {
    return facts;
  }

  /** The data set's size by the wall time, in 10^9 bytes per second. */
  public double gigabytesPerSecond() {
    return bytes / 1e9 / seconds;
  }

  /** CPU seconds of the tasks per 10^9 bytes of the data set; NaN when not known. */
  public double cpuPerGigabyte() {
    return facts.cpuMillis() < 0 ? Double.NaN : facts.cpuMillis() / 1e3 / (bytes / 1e9);
  }

  /** Bytes read off the hosts that have them; 0 for TeraGen, negative when not known. */
  public long remoteBytes() {
    return phase == Phase.GENERATE ? 0 : facts.remoteBytes(bytes);
  }
}
