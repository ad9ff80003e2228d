package io.evenkeel.bench.cluster;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * What calls waited in pairs of samples seconds apart, one with and one without something beside
 * them. What the machine does slowly strikes both halves of a pair, so the ratios of pairs say more
 * than the two sums.
 */
final class PairedWaits {
  /** What is timed: three calls as a client sees them, all calls by the NameNode's account. */
  enum Wait {
    GET_FILE_INFO,
    LIST_STATUS,
    CREATE,
    NAMENODE_QUEUE,
    NAMENODE_WORK
  }

  /** The 99th percentile of each wait in one sample, in milliseconds. */
  static final class Sample {
    private static final int LEAST_CALLS = 200;
    private final Map<Wait, Histogram> calls = new EnumMap<>(Wait.class);
    private final Map<Wait, List<Double>> windows = new EnumMap<>(Wait.class);

    void call(Wait wait, long nanos) {
      calls.computeIfAbsent(wait, w -> new Histogram(3)).recordValue(nanos);
    }

    /** A percentile that somebody else took. */
    void window(Wait wait, double millis) {
      windows.computeIfAbsent(wait, w -> new ArrayList<>()).add(millis);
    }

    /** Whether each call was made often enough for its percentile to mean something. */
    boolean isEnough() {
      return !calls.isEmpty()
          && calls.values().stream().allMatch(of -> of.getTotalCount() >= LEAST_CALLS);
    }

    /** Milliseconds; NaN if too little was seen. */
    double p99(Wait wait) {
      Histogram of = calls.get(wait);
      if (of != null) {
        return of.getValueAtPercentile(99) / 1e6;
      }
      return windows.containsKey(wait) ? median(values(windows.get(wait))) : Double.NaN;
    }
  }

  private record Pair(Sample with, Sample without) {}

  private final List<Pair> pairs = new ArrayList<>();

  void add(Sample with, Sample without) {
    pairs.add(new Pair(with, without));
  }

  int size() {
    return pairs.size();
  }

  /** Pairs of which both halves saw it. */
  int pairsWith(Wait wait) {
    return (int)
        pairs.stream()
            .filter(p -> !Double.isNaN(p.with().p99(wait)) && !Double.isNaN(p.without().p99(wait)))
            .count();
  }

  /** A line of a table: p99 with and without, and their ratio with its bounds. */
  String line(Wait wait) {
    List<Double> with = new ArrayList<>();
    List<Double> without = new ArrayList<>();
    List<Double> ratios = new ArrayList<>();
    for (Pair pair : pairs) {
      double a = pair.with().p99(wait);
      double b = pair.without().p99(wait);
      if (!Double.isNaN(a) && !Double.isNaN(b) && b > 0) {
        with.add(a);
        without.add(b);
        ratios.add(a / b);
      }
    }
    if (ratios.isEmpty()) {
      return "- | - | - | - | 0";
    }
    double[] sorted = values(ratios);
    int bound = bound(sorted.length);
    return String.format(
        Locale.ROOT,
        "%.2f | %.2f | %.2f | %.2f..%.2f | %d",
        median(values(with)),
        median(values(without)),
        median(sorted),
        sorted[bound],
        sorted[sorted.length - 1 - bound],
        sorted.length);
  }

  /**
   * The index of the sorted values that is, with its mirror, a 95 % confidence interval of the
   * median: the sign test's; the extremes when there are too few.
   */
  static int bound(int n) {
    double probability = Math.pow(0.5, n);
    double tail = 0;
    int index = 0;
    while (index < n / 2) {
      tail += probability;
      if (tail > 0.025) {
        break;
      }
      probability *= (double) (n - index) / (index + 1);
      index++;
    }
    return Math.max(0, index - 1);
  }

  private static double median(double[] sorted) {
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  private static double[] values(List<Double> of) {
    double[] sorted = of.stream().mapToDouble(Double::doubleValue).toArray();
    Arrays.sort(sorted);
    return sorted;
  }
}
