package io.evenkeel.volume.core;

import java.util.concurrent.TimeUnit;

/**
 * Who uses one volume: its work in flight. Neither the user that is always there counts, nor idle
 * ones. A choice counts at once, though its block shows as a user only when its files are open.
 *
 * <p>Not thread-safe: guarded by the {@link VolumeGroup}.
 */
final class Users<V> {
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

  Users(VolumeSignals<V> signals) {
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
}
