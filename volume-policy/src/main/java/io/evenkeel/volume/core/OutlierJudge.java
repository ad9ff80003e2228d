package io.evenkeel.volume.core;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/**
 * Compares the write latencies of the volumes of one group after each sample: sets aside the ones
 * that are much slower than their peers, and takes them back.
 *
 * <p>A volume is compared with the median of the others that are in use and were measured lately;
 * with too few of them nothing is an outlier. Not thread-safe: guarded by the {@link VolumeGroup}.
 */
final class OutlierJudge<V> {
  /** From this fraction of the pace of its peers on, a volume is not slow but has more to do. */
  private static final double SAME_PACE = 0.5;

  private final GroupSettings settings;

  OutlierJudge(GroupSettings settings) {
    this.settings = settings;
  }

  /** Judges all volumes of the group after their latencies were observed. */
  List<HealthChange<V>> judge(List<Tracked<V>> volumes, long now) {
    if (settings.ejects) {
      for (Tracked<V> tracked : volumes) {
        judge(tracked, volumes, now);
      }
    }
    return changes(volumes, now);
  }

  private void judge(Tracked<V> tracked, List<Tracked<V>> volumes, long now) {
    if (!tracked.latency.hasSignal()) {
      if (tracked.ejection.out()) {
        tracked.ejection.pardon(now);
      }
      return;
    }
    if (!tracked.latency.updated()) {
      return;
    }
    double[] peers = peers(tracked, volumes, now, Latency::millis);
    boolean outlier = false;
    if (peers.length >= settings.minPeers) {
      double median = median(peers);
      double millis = tracked.latency.millis();
      outlier =
          millis > settings.minLatencyMillis
              && millis > settings.multiplier * median
              && !keepsPace(tracked, volumes, now);
      if (outlier) {
        tracked.reason =
            String.format(
                Locale.ROOT,
                "a write takes %.1f ms, %.1f times the median of its %d peers (%.1f ms)",
                millis,
                millis / median,
                peers.length,
                median);
      }
    }
    Ejection.State before = tracked.ejection.state();
    tracked.ejection.judged(outlier, mayEject(volumes), settings, now);
    if (before != tracked.ejection.state()) {
      // What it was must not speak for what it is.
      tracked.latency.forget();
    }
  }

  /**
   * Whether it gets as much done in its busy time as its peers, in writes or in bytes. Requests
   * wait where there are many, and large ones take longer; a volume with more work than its peers,
   * or with streams where they have small synced writes, is no outlier for that.
   */
  private boolean keepsPace(Tracked<V> tracked, List<Tracked<V>> volumes, long now) {
    return keepsPace(tracked, volumes, now, Latency::pace)
        || keepsPace(tracked, volumes, now, Latency::flow);
  }

  private boolean keepsPace(
      Tracked<V> tracked, List<Tracked<V>> volumes, long now, ToDoubleFunction<Latency> measure) {
    double own = measure.applyAsDouble(tracked.latency);
    return own > 0 && own >= SAME_PACE * median(peers(tracked, volumes, now, measure));
  }

  private boolean mayEject(List<Tracked<V>> volumes) {
    int out = 0;
    for (Tracked<V> tracked : volumes) {
      out += tracked.ejection.out() ? 1 : 0;
    }
    int allowed = Math.max(1, (int) (settings.maxFraction * volumes.size()));
    return out < allowed && out + 1 < volumes.size();
  }

  /** What the other volumes that are in use measure, ascending. */
  private double[] peers(
      Tracked<V> tracked, List<Tracked<V>> volumes, long now, ToDoubleFunction<Latency> measure) {
    double[] found = new double[volumes.size()];
    int count = 0;
    for (Tracked<V> other : volumes) {
      boolean comparable =
          !other.ejection.out() && other.latency.known(now) && other.latency.stuckFor(now) == 0;
      if (other != tracked && comparable) {
        found[count++] = measure.applyAsDouble(other.latency);
      }
    }
    double[] latencies = Arrays.copyOf(found, count);
    Arrays.sort(latencies);
    return latencies;
  }

  private static double median(double[] sorted) {
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  private List<HealthChange<V>> changes(List<Tracked<V>> volumes, long now) {
    List<HealthChange<V>> changes = new ArrayList<>();
    for (Tracked<V> tracked : volumes) {
      Health health = tracked.health(settings, now);
      V volume = tracked.get();
      if (health == tracked.reported || volume == null) {
        continue;
      }
      explain(tracked, health, now);
      changes.add(
          new HealthChange<>(
              volume, tracked.reported, health, health == Health.IN_USE ? "" : tracked.reason));
      tracked.reported = health;
    }
    return changes;
  }

  private void explain(Tracked<V> tracked, Health health, long now) {
    if (health == Health.FAILING) {
      tracked.reason = "its free space cannot be read: " + tracked.room.failure();
    } else if (health == Health.HUNG) {
      long stuck = tracked.latency.stuckFor(now);
      tracked.reason =
          stuck >= settings.stallAfter
              ? "its device has completed nothing for " + seconds(stuck) + " s"
              : "a question for its free space is not answered since "
                  + seconds(tracked.room.probingFor(now))
                  + " s";
    }
  }

  private static long seconds(long nanos) {
    return TimeUnit.NANOSECONDS.toSeconds(nanos);
  }
}
