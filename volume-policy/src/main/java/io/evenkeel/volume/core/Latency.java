package io.evenkeel.volume.core;

import java.util.concurrent.TimeUnit;

/**
 * Write latency and throughput of one volume, from the counters of its device, and whether the
 * device is stuck.
 *
 * <p>An exponentially weighted mean of the latency between samples. Without writes there is nothing
 * to learn: the estimate then ages and is forgotten, so that no volume is judged by its past. A
 * device that holds requests and completes none is stuck; what those requests took is not counted
 * when it comes back, unless that happens again and again: such a device is slow. Requests that it
 * shows while nobody uses the volume are ignored: some drivers lose count.
 *
 * <p>Not thread-safe: guarded by the {@link VolumeGroup}.
 */
final class Latency {
  private static final double TIME_CONSTANT = TimeUnit.SECONDS.toNanos(3);

  /** An estimate older than this is forgotten. */
  private static final long FORGET = TimeUnit.SECONDS.toNanos(15);

  /** Beyond this distance two readings say nothing about the time between them. */
  private static final long GAP = TimeUnit.MINUTES.toNanos(2);

  private DeviceCounters last;
  private long lastAt;
  private double millis;
  private double pace;
  private double flow;
  private long measuredAt;
  private boolean measured;
  private boolean latestSampleMeasured;
  private boolean stuck;
  private long stuckSince;
  private boolean usedBefore;
  private long lost; // requests its counter shows and nobody waits for
  private boolean excused;
  private long excusedAt;

  /**
   * Takes a reading.
   *
   * @param now null when there is none
   * @param used whether anybody uses the volume, or may
   */
  void observe(DeviceCounters now, boolean used, long at) {
    latestSampleMeasured = false;
    DeviceCounters before = last;
    long elapsed = at - lastAt;
    boolean unused = !used && !usedBefore;
    last = now;
    lastAt = at;
    usedBefore = used;
    if (now == null) {
      stuck = false;
      return;
    }
    if (before == null || now.writes() < before.writes() || elapsed <= 0 || elapsed > GAP) {
      stuck = false;
      return;
    }
    boolean idle = now.completed() <= before.completed();
    long held = Math.min(before.inFlight(), now.inFlight());
    lost = idle && unused && !stuck ? held : Math.min(lost, held);
    if (idle && held > lost && (used || stuck)) {
      stuckSince = stuck ? stuckSince : at - elapsed;
      stuck = true;
      return;
    }
    if (stuck) {
      stuck = false;
      if (!excused || at - excusedAt > FORGET) {
        excused = true;
        excusedAt = at;
        forget();
        return;
      }
    }
    long writes = now.writes() - before.writes();
    if (writes > 0) {
      add(Math.max(0, now.writeMillis() - before.writeMillis()) / writes, elapsed, at);
      double busy = now.busyMillis() - before.busyMillis();
      boolean told = before.busyMillis() >= 0 && busy > 0;
      pace = told ? writes / busy : 0;
      flow = told ? Math.max(0, now.bytesWritten() - before.bytesWritten()) / busy : 0;
    }
  }

  private void add(double sample, long elapsed, long at) {
    if (known(at)) {
      double keep = Math.exp(-elapsed / TIME_CONSTANT);
      millis = keep * millis + (1 - keep) * sample;
    } else {
      millis = sample;
    }
    measured = true;
    measuredAt = at;
    latestSampleMeasured = true;
  }

  /** Drops the estimate, so that the next sample stands for itself. */
  void forget() {
    measured = false;
  }

  /** Whether there is a recent estimate. */
  boolean known(long now) {
    return measured && now - measuredAt <= FORGET;
  }

  /** Whether the latest reading brought a new measurement. */
  boolean updated() {
    return latestSampleMeasured;
  }

  /** Whether there are counters at all. */
  boolean hasSignal() {
    return last != null;
  }

  /** Milliseconds per write; meaningful while {@link #known}. */
  double millis() {
    return millis;
  }

  /**
   * Writes per millisecond the device was busy, between the latest two readings that brought a
   * measurement; 0 when it does not tell. Meaningful while {@link #known}.
   */
  double pace() {
    return pace;
  }

  /** The same in bytes: few large writes are as much work as many small ones. */
  double flow() {
    return flow;
  }

  /** How long the device has completed nothing although it has requests; 0 when it works. */
  long stuckFor(long now) {
    return stuck ? now - stuckSince : 0;
  }
}
