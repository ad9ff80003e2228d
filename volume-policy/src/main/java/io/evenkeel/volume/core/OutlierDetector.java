package io.evenkeel.volume.core;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * Compares the write latencies of the volumes of one group after each sample: sets aside the ones
 * that are much slower than their peers, and takes them back.
 *
 * <p>A volume is compared with the median of the others that are in use and were measured lately;
 * with too few of them nothing is an outlier. Separate from the group, as Hadoop's own {@code
 * OutlierDetector} is, because it keeps nothing of a volume. Not thread-safe: guarded by the {@link
 * VolumeGroup}.
 */
final class OutlierDetector {
  /** From this fraction of the pace of its peers on, a volume is not slow but has more to do. */
  private static final double SAME_PACE = 0.5;

  /** Most of the volumes of a type that may be ejected for latency; one always may. */
  private static final double MOST_OUT = 0.25;

  private final GroupSettings settings;

  OutlierDetector(GroupSettings settings) {
    this.settings = settings;
  }

  /** Judges all volumes of the group after their latencies were observed. */
  void judge(List<VolumeHealth> volumes, long now) {
    if (settings.ejects) {
      volumes.forEach(volume -> judge(volume, volumes, now));
    }
  }

  private void judge(VolumeHealth volume, List<VolumeHealth> volumes, long now) {
    if (!volume.latency.hasSignal()) {
      if (volume.ejection.out()) {
        volume.ejection.pardon(now);
      }
      return;
    }
    if (!volume.latency.updated()) {
      return;
    }
    double[] peers = peers(volume, volumes, now, Latency::millis);
    boolean outlier = false;
    if (peers.length >= settings.minPeers) {
      double median = median(peers);
      double millis = volume.latency.millis();
      outlier =
          millis > settings.minLatencyMillis
              && millis > settings.multiplier * median
              && !keepsPace(volume, volumes, now);
      if (outlier) {
        volume.reason =
            String.format(
                Locale.ROOT,
                "a write takes %.1f ms, %.1f times the median of its %d peers (%.1f ms)",
                millis,
                millis / median,
                peers.length,
                median);
      }
    }
    Ejection.State before = volume.ejection.state();
    volume.ejection.judged(outlier, mayEject(volumes), settings, now);
    if (before != volume.ejection.state()) {
      // What it was must not speak for what it is.
      volume.latency.forget();
    }
  }

  /**
   * Whether it gets as much done in its busy time as its peers, in writes or in bytes. Requests
   * wait where there are many, and large ones take longer; a volume with more work than its peers,
   * or with streams where they have small synced writes, is no outlier for that.
   */
  private boolean keepsPace(VolumeHealth volume, List<VolumeHealth> volumes, long now) {
    return keepsPace(volume, volumes, now, Latency::pace)
        || keepsPace(volume, volumes, now, Latency::flow);
  }

  private boolean keepsPace(
      VolumeHealth volume,
      List<VolumeHealth> volumes,
      long now,
      ToDoubleFunction<Latency> measure) {
    double own = measure.applyAsDouble(volume.latency);
    return own > 0 && own >= SAME_PACE * median(peers(volume, volumes, now, measure));
  }

  private boolean mayEject(List<VolumeHealth> volumes) {
    int out = 0;
    for (VolumeHealth volume : volumes) {
      out += volume.ejection.out() ? 1 : 0;
    }
    int allowed = Math.max(1, (int) (MOST_OUT * volumes.size()));
    return out < allowed && out + 1 < volumes.size();
  }

  /** What the other volumes that are in use measure, ascending. */
  private double[] peers(
      VolumeHealth volume,
      List<VolumeHealth> volumes,
      long now,
      ToDoubleFunction<Latency> measure) {
    double[] found = new double[volumes.size()];
    int count = 0;
    for (VolumeHealth other : volumes) {
      boolean comparable =
          !other.ejection.out() && other.latency.known(now) && other.latency.stuckFor(now) == 0;
      if (other != volume && comparable) {
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
}
