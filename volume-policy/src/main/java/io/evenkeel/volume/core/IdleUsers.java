package io.evenkeel.volume.core;

import java.util.concurrent.TimeUnit;

/**
 * How many users of one volume keep it open and hardly use it: a write-ahead log with few edits, a
 * job history. Each is a user for as long as its block is open, an hour perhaps. On a DataNode with
 * few writers it would turn nearly all blocks away from its volume.
 *
 * <p>A user is not known by itself. But whoever was there during all of a calm time does little: a
 * time in which clients wrote, though next to nothing, and its device had nothing to do for the
 * greater part. They count again as soon as the device has more to do or is stuck, for they may be
 * what waits for it, when fewer are left, and when the last calm time was long ago. Where the
 * device does not tell, or the samples are far apart, everyone counts.
 *
 * <p>Bytes are those clients write: a copy that comes in and a reader show on the device only.
 *
 * <p>Not thread-safe: guarded by the {@link VolumeGroup}.
 */
final class IdleUsers {
  /** Length of the times that are looked at. */
  static final long WINDOW = TimeUnit.SECONDS.toNanos(5);

  /** Bytes per second that all users together may write in a calm time. */
  static final long TRICKLE = 1 << 20;

  /** For so long a calm time tells about users who were joined by others since. */
  static final long REMEMBERED = TimeUnit.SECONDS.toNanos(60);

  /** Samples further apart miss who came and went; one of every 2 s may be late. */
  static final long GAP = TimeUnit.SECONDS.toNanos(3);

  private static final double SECOND = TimeUnit.SECONDS.toNanos(1);
  private static final double MILLI = TimeUnit.MILLISECONDS.toNanos(1);

  private DeviceCounters began; // null while there is no window
  private long beganAt;
  private long fewest;
  private double moved;
  private double inWrites;
  private boolean alive;
  private double lastWriteMillis;
  private long lastBytes;
  private long lastAt;
  private long calmAt;
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
    boolean told = users >= 0 && unacknowledged >= 0 && device != null && device.busyMillis() >= 0;
    if (!told || stuck || now - lastAt > GAP) {
      began = null;
      idle = 0;
    }
    double elapsed = (now - lastAt) / MILLI;
    long bytesBefore = lastBytes;
    lastBytes = unacknowledged;
    lastAt = now;
    if (!told || stuck) {
      return;
    }
    double writeMillis = device.writeMillis() - lastWriteMillis;
    lastWriteMillis = device.writeMillis();
    if (began == null || device.busyMillis() < began.busyMillis()) {
      begin(users, device, now);
      return;
    }
    fewest = Math.min(fewest, users);
    moved += Math.abs(unacknowledged - bytesBefore);
    inWrites += Math.min(writeMillis, elapsed); // many at once sum up to more than the time
    alive |= unacknowledged < bytesBefore;
    if (now - beganAt >= WINDOW) {
      judge(device, now);
      begin(users, device, now);
    }
  }

  private void begin(long users, DeviceCounters device, long now) {
    began = device;
    beganAt = now;
    fewest = users;
    moved = 0;
    inWrites = 0;
    alive = false;
  }

  private void judge(DeviceCounters device, long now) {
    double half = (now - beganAt) / MILLI / 2;
    double busy = device.busyMillis() - began.busyMillis();
    boolean calm = moved <= TRICKLE * ((now - beganAt) / SECOND);
    if (busy >= half || inWrites >= half) { // some kernels tell too little of being busy
      idle = 0;
    } else if (calm && alive) {
      idle = fewest;
      calmAt = now;
    } else if (calm) {
      // Nobody was seen to write: they may read, or wait for what no counter shows.
      idle = Math.min(idle, fewest);
      calmAt = device.writes() > began.writes() ? now : calmAt;
    }
    if (now - calmAt > REMEMBERED) {
      idle = 0;
    }
  }

  /** How many of so many users do not count. */
  long among(long users) {
    if (users < fewest) {
      fewest = users;
    }
    if (users < idle) {
      idle = users;
    }
    return idle;
  }
}
