package io.evenkeel.cli.doctor.core;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Tells which of several peers differ from the rest by more than chance explains.
 *
 * <p>Each interval is judged by itself: a peer counts by its value over the median of all peers in
 * the same interval, so that load that all of them share changes nothing. The intervals of a peer
 * give its factor (the Hodges-Lehmann centre of their logarithms, hardly moved by single bad
 * intervals). A factor stands out when it is at least the least factor asked for, and further from
 * the middle of all factors than the spread between peers and the noise within a peer together
 * explain, with all comparisons of the run counted: of 100 runs without a fault at most about one
 * names a peer. Stateless.
 */
final class Peers {
  /** Fewer than these have no majority that could be called normal. */
  static final int LEAST_PEERS = 3;

  /** Fewer say nothing about their noise. */
  static final int LEAST_INTERVALS = 3;

  /** Peers are never taken for more alike than this, as a natural logarithm. */
  private static final double LEAST_SPREAD = 0.02;

  /** A median absolute deviation over this is the standard deviation of a normal distribution. */
  private static final double MAD_OF_NORMAL = 0.6745;

  /** Chance of a false finding in a whole run. */
  private static final double FALSE_ALARM = 0.005;

  /** Seldom is a cluster compared in fewer ways than this. */
  private static final int LEAST_COMPARISONS = 10;

  private Peers() {}

  /** A peer that stands out. Immutable. */
  static final class Outlier {
    private final int peer;
    private final double factor;
    private final double certainty;

    Outlier(int peer, double factor, double certainty) {
      this.peer = peer;
      this.factor = factor;
      this.certainty = certainty;
    }

    /** Its number, from 0. */
    int peer() {
      return peer;
    }

    /** Its value over that of its peers. */
    double factor() {
      return factor;
    }

    /** How far it is beyond the bound of chance: 1 is just beyond. */
    double certainty() {
      return certainty;
    }
  }

  /** What was learnt of all peers. Immutable. */
  static final class Factors {
    private final double[] logs;
    private final double middle;
    private final double spread;

    private Factors(double[] logs, double middle, double spread) {
      this.logs = logs;
      this.middle = middle;
      this.spread = spread;
    }

    /** The factor of a peer; not a number where too little is known of it. */
    double of(int peer) {
      return Math.exp(logs[peer] - middle);
    }

    /** Those at least {@code least} times the others, the worst first. */
    List<Outlier> above(double least, int comparisons) {
      List<Outlier> found = new ArrayList<>();
      double bound = bound(comparisons);
      for (int i = 0; i < logs.length; i++) {
        double over = logs[i] - middle;
        double beyond = over / (spread * bound);
        if (over >= Math.log(least) && beyond >= 1) {
          found.add(new Outlier(i, Math.exp(over), beyond));
        }
      }
      found.sort((a, b) -> Double.compare(b.factor, a.factor));
      return found;
    }

    /** The standard deviations that chance exceeds in so many comparisons only once in a while. */
    private double bound(int comparisons) {
      int known = 0;
      for (double log : logs) {
        known += Double.isNaN(log) ? 0 : 1;
      }
      double normal = quantile(1 - FALSE_ALARM / Math.max(LEAST_COMPARISONS, comparisons));
      // The spread of a few peers is itself known badly.
      return known < LEAST_PEERS ? Double.POSITIVE_INFINITY : normal * (1 + 3.0 / (known - 1));
    }
  }

  /**
   * Compares.
   *
   * @param values by peer and interval, above 0; anything else is not known
   */
  static Factors compare(double[][] values) {
    int intervals = 0;
    for (double[] peer : values) {
      intervals = Math.max(intervals, peer.length);
    }
    double[] medians = new double[intervals];
    for (int t = 0; t < intervals; t++) {
      medians[t] = medianOfInterval(values, t);
    }
    double[] logs = new double[values.length];
    double[] noises = new double[values.length];
    for (int i = 0; i < values.length; i++) {
      double[] over = over(values[i], medians);
      boolean enough = over.length >= Math.max(LEAST_INTERVALS, intervals / 3);
      logs[i] = enough ? centre(over) : Double.NaN;
      noises[i] = enough ? noise(over, logs[i]) : Double.NaN;
    }
    double middle = median(logs);
    double[] away = new double[logs.length];
    Arrays.setAll(away, i -> Math.abs(logs[i] - middle));
    double between = median(away) / MAD_OF_NORMAL;
    double noise = median(noises);
    return new Factors(
        logs, middle, Math.max(LEAST_SPREAD, Math.hypot(orZero(between), orZero(noise))));
  }

  private static double orZero(double value) {
    return Double.isNaN(value) ? 0 : value;
  }

  private static double medianOfInterval(double[][] values, int t) {
    double[] now = new double[values.length];
    for (int i = 0; i < values.length; i++) {
      now[i] = t < values[i].length && values[i][t] > 0 ? values[i][t] : Double.NaN;
    }
    long known = Arrays.stream(now).filter(v -> !Double.isNaN(v)).count();
    return known < LEAST_PEERS ? Double.NaN : median(now);
  }

  /** Logarithms of a peer's values over the medians of the intervals in which both are known. */
  private static double[] over(double[] peer, double[] medians) {
    double[] over = new double[peer.length];
    Arrays.setAll(over, t -> peer[t] > 0 ? Math.log(peer[t] / medians[t]) : Double.NaN);
    return Arrays.stream(over).filter(Double::isFinite).toArray();
  }

  /** The median of the averages of all pairs. */
  private static double centre(double[] values) {
    double[] averages = new double[values.length * (values.length + 1) / 2];
    int n = 0;
    for (int i = 0; i < values.length; i++) {
      for (int j = i; j < values.length; j++) {
        averages[n++] = (values[i] + values[j]) / 2;
      }
    }
    return median(averages);
  }

  /** The standard error of a centre; an interval is much like the one before it. */
  private static double noise(double[] values, double centre) {
    double[] away = new double[values.length];
    Arrays.setAll(away, i -> Math.abs(values[i] - centre));
    double deviation = median(away) / MAD_OF_NORMAL;
    double same = 0;
    double all = 0;
    for (int i = 0; i < values.length; i++) {
      all += (values[i] - centre) * (values[i] - centre);
      same += i == 0 ? 0 : (values[i] - centre) * (values[i - 1] - centre);
    }
    double memory = all == 0 ? 0 : Math.min(0.8, Math.max(0, same / all));
    return deviation * Math.sqrt((1 + memory) / (1 - memory) / values.length);
  }

  /** The median of what is known; not a number when nothing is. */
  static double median(double[] values) {
    double[] known = Arrays.stream(values).filter(v -> !Double.isNaN(v)).sorted().toArray();
    int middle = known.length / 2;
    if (known.length == 0) {
      return Double.NaN;
    }
    return known.length % 2 == 1 ? known[middle] : (known[middle - 1] + known[middle]) / 2;
  }

  /** Standard deviations below which a normal value is with a probability above one half. */
  private static double quantile(double probability) {
    // Abramowitz and Stegun 26.2.23; the error is below 0.00045
    double t = Math.sqrt(-2 * Math.log(1 - probability));
    return t
        - (2.515517 + t * (0.802853 + t * 0.010328))
            / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
  }
}
