package io.evenkeel.volume.core;

import java.util.concurrent.TimeUnit;

/**
 * The work in flight of one volume: its users, each of which holds a volume reference. Neither the
 * one that is always there counts, nor idle ones. A choice counts at once, though its block shows
 * as a user only when its files are open.
 *
 * <p>Not thread-safe: guarded by the {@link VolumeGroup}.
 */
final class WorkInFlight<V> {
  /** Length of the window in which choices count although nobody has seen them start. */
  static final long WINDOW = TimeUnit.MILLISECONDS.toNanos(3);

  /** A device that completes nothing for this long is taken for stuck by its idle users. */
  private static final long STUCK = TimeUnit.SECONDS.toNanos(1);

  /** Bytes that count as one user when only bytes are known. */
  private static final double BYTES_PER_USER = 64L << 20;

  private final VolumeSignals<V> signals;
  private final IdleUsers idle = new IdleUsers();
  private long fewest = Long.MAX_VALUE;
  private long window = Long.MIN_VALUE;
  private double lastSeen;
  private double unseen;

  WorkInFlight(VolumeSignals<V> signals) {
    this.signals = signals;
  }

  /** The number of the window a moment lies in; the same for all volumes. */
  static long window(long now) {
    return Math.floorDiv(now, WINDOW);
  }

  /**
   * Users seen, and the choices of the current window that have not shown as a user yet.
   *
   * @param current the {@link #window} it is
   */
  double work(V volume, long current) {
    double seen = ask(volume);
    if (seen < 0) {
      return 0; // whoever cannot be seen would count as unseen for ever: turns decide
    }
    if (window != current) {
      window = current;
      unseen = 0;
    } else if (seen > lastSeen) {
      unseen = Math.max(0, unseen - (seen - lastSeen));
    }
    if (seen != lastSeen) {
      lastSeen = seen;
    }
    return seen + unseen;
  }

  /**
   * The volume is considered for the first time, beside volumes with at least that much work. Else
   * it would catch up with all that the others were given in this window.
   */
  void join(double leastWork, V volume, long now) {
    unseen = Math.max(0, leastWork - work(volume, window(now)));
  }

  /** A block will come that does not show as a user yet. */
  void chosen() {
    unseen++;
  }

  /** Users seen; 0 when nothing is known. */
  double seen(V volume) {
    return Math.max(0, ask(volume));
  }

  /** Whether nobody is seen to use it; not so when nothing is known. */
  boolean none(V volume) {
    return ask(volume) == 0;
  }

  /** How many beside those seen are idle, without the one that is always there. */
  long idle(V volume) {
    try {
      long users = signals.references(volume);
      return users < 0 ? 0 : Math.max(0, idle.among(users) - Math.min(1, fewest));
    } catch (RuntimeException | LinkageError e) {
      return 0;
    }
  }

  /** Negative when nothing is known. */
  private double ask(V volume) {
    try {
      long references = signals.references(volume);
      if (references >= 0) {
        if (references < fewest) {
          fewest = references;
        }
        return references - Math.max(Math.min(1, fewest), idle.among(references));
      }
      return signals.unacknowledgedBytes(volume) / BYTES_PER_USER;
    } catch (RuntimeException | LinkageError e) {
      return VolumeSignals.UNKNOWN; // one that throws counts as not there
    }
  }

  /** Whether so many are more than the one that is always there, or may be. */
  boolean any(long references) {
    return references < 0 || references > Math.min(1, fewest);
  }

  /**
   * Takes a sample, to tell who is idle.
   *
   * @param references negative when not known
   * @param unacknowledged bytes announced and not yet acknowledged; negative when not known
   * @param device null when there are no counters
   * @param stuckFor how long the device has completed nothing of what it has to do
   */
  void observe(
      long references, long unacknowledged, DeviceCounters device, long stuckFor, long now) {
    idle.observe(references, unacknowledged, device, stuckFor >= STUCK, now);
  }

  /**
   * How many users of one volume keep it open and hardly use it: a write-ahead log with few edits,
   * a job history. Each is a user for as long as its block is open, an hour perhaps. On a DataNode
   * with few writers it would turn nearly all blocks away from its volume.
   *
   * <p>A user is not known by itself. But whoever was there during all of a calm time does little:
   * a time in which clients wrote, though next to nothing, and its device had nothing to do for the
   * greater part. They count again as soon as the device has more to do or is stuck, for they may
   * be what waits for it, when fewer are left, and when the last calm time was long ago. Where the
   * device does not tell, or the samples are far apart, everyone counts.
   *
   * <p>Bytes are those clients write: a copy that comes in and a reader show on the device only.
   */
  private static final class IdleUsers {
    /** Length of the times that are looked at. */
    private static final long CALM_WINDOW = TimeUnit.SECONDS.toNanos(5);

    /** Bytes per second that all users together may write in a calm time. */
    private static final long TRICKLE = 1 << 20;

    /** For so long a calm time tells about users who were joined by others since. */
    private static final long REMEMBERED = TimeUnit.SECONDS.toNanos(60);

    /** Samples further apart miss who came and went; one of every 2 s may be late. */
    private static final long GAP = TimeUnit.SECONDS.toNanos(3);

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
      boolean told =
          users >= 0 && unacknowledged >= 0 && device != null && device.busyMillis() >= 0;
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
      if (now - beganAt >= CALM_WINDOW) {
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
}
