package io.evenkeel.volume.core;

import java.util.concurrent.TimeUnit;

/**
 * How many users of one volume keep it open and hardly use it: a write-ahead log with few edits, a
 * job history, a client that pauses. Each is a user for as long as its block is open, an hour
 * perhaps. On a DataNode with few writers it would turn nearly all blocks away from its volume.
 *
 * <p>A user is not known by itself. But whoever was there during all of a calm time, in which next
 * to no bytes were acknowledged and the device was idle for the greater part, does not work. A
 * device that is busy or stuck may be what they wait for; then all of them count, and so they do
 * where the device does not tell.
 *
 * <p>Not thread-safe: guarded by the {@link VolumeGroup}.
 */
final class IdleUsers {
  /** How long a time must be calm. */
  static final long CALM = TimeUnit.SECONDS.toNanos(5);

  /** Bytes per second that all users together may write in a calm time. */
  static final long TRICKLE = 1 << 20;

  private static final double SECOND = TimeUnit.SECONDS.toNanos(1);
  private static final double MILLI = TimeUnit.MILLISECONDS.toNanos(1);

  private boolean calm;
  private long calmSince;
  private double busyBefore;
  private long fewest;
  private long lastAt;
  private long lastBytes;
  private long idle;

  /**
   * Takes a sample.
   *
   * @param users negative when not known
   * @param unacknowledged bytes announced and not yet acknowledged; negative when not known
   * @param device null when there are no counters
   * @param stuck whether the device completes nothing of what it has to do
   */
  void observe(long users, long unacknowledged, DeviceCounters device, boolean stuck, long now) {
    double busy = device == null ? -1 : device.busyMillis();
    if (users < 0 || unacknowledged < 0 || busy < 0 || stuck) {
      calm = false;
      idle = 0;
      return;
    }
    double seconds = (now - lastAt) / SECOND;
    boolean moved = Math.abs(unacknowledged - lastBytes) > TRICKLE * seconds;
    lastAt = now;
    lastBytes = unacknowledged;
    if (!calm || moved || busy < busyBefore) {
      begin(users, busy, now);
      return;
    }
    fewest = Math.min(fewest, users);
    if (now - calmSince >= CALM) {
      boolean deviceIdled = busy - busyBefore < (now - calmSince) / MILLI / 2;
      idle = deviceIdled ? fewest : 0;
      begin(users, busy, now);
    }
  }

  private void begin(long users, double busy, long now) {
    calm = true;
    calmSince = now;
    busyBefore = busy;
    fewest = users;
  }

  /** How many of so many users do not count. */
  long among(long users) {
    if (users < idle) {
      idle = users;
    }
    return idle;
  }
}
