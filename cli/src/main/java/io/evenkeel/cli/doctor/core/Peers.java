package io.evenkeel.cli.doctor.core;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Tells which of several peers differ from the rest by more than chance explains.
 *
 * <p>All is done with logarithms. A value is taken as the level of its interval, which all peers
 * share, times the factor of its peer, times noise; so load that all of them share changes nothing.
 * The noise gives how well a factor is known: an interval is much like the one before it, so the
 * memory between intervals is measured and counted. The peers that lie together give the middle and
 * how much healthy peers differ; with few peers that is hardly known, and {@code likeness} counts
 * like {@value #PRIOR_PEERS} peers. A factor stands out when it is at least the least factor asked
 * for, and further from the middle than the difference of healthy peers and its own noise together
 * explain, with all comparisons of the run counted: of 100 runs without a fault less than one names
 * a peer. Without a majority that lies together nobody stands out. Stateless.
 */
final class Peers {
  /** Fewer than these have no majority that could be called normal. */
  static final int LEAST_PEERS = 3;

  /** Fewer say nothing about their noise. */
  static final int LEAST_INTERVALS = 3;

  /** A median absolute deviation over this is the standard deviation of a normal distribution. */
  private static final double MAD_OF_NORMAL = 0.6745;

  /** Chance of a false finding in a whole run. */
  private static final double FALSE_ALARM = 0.005;

  /** Seldom is a cluster compared in fewer ways than this. */
  private static final int LEAST_COMPARISONS = 10;

  /** Peers that lie together are within so many standard deviations. */
  private static final double TOGETHER = 3;

  /** A value of an interval further out than this counts as if it were this far. */
  private static final double CLIP = 2.5;

  /** As many peers is the likeness worth that a caller expects. */
  private static final int PRIOR_PEERS = 10;

  /** As many intervals of its own does it take to trust a peer's own noise half. */
  private static final double PRIOR_INTERVALS = 12;

  /** Memory of an interval, when too little is known to measure it, and what that is worth. */
  private static final double PRIOR_MEMORY = 0.5;

  private static final double PRIOR_MEMORY_INTERVALS = 40;
  private static final double MOST_MEMORY = 0.9;

  /** At most one peer in so many stands out; with more, it is not the peers that are odd. */
  private static final int ODD = 4;

  /** More than this part is most, whatever rounding does. */
  private static final double HALF = 0.5 + 1e-9;

  private static final int PASSES = 3;
  private static final int MOST_STEPS = 20;

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
    private final double[][] over;
    private final double[] logs;
    private final double[] noises;
    private final double middle;
    private final double between;
    private final int together;
    private final double freedom;

    private Factors(double[][] over, double[] logs, double[] noises, Together of, double freedom) {
      this.over = over;
      this.logs = logs;
      this.noises = noises;
      this.middle = of.middle;
      this.between = of.between;
      this.together = of.count;
      this.freedom = freedom;
    }

    /** How many peers are known well enough to be compared. */
    int known() {
      return (int) Arrays.stream(logs).filter(log -> !Double.isNaN(log)).count();
    }

    /** The factor of a peer; not a number where too little is known of it. */
    double of(int peer) {
      return Math.exp(logs[peer] - middle);
    }

    /** Standard deviation of the logarithm of a healthy peer's factor, if it were as noisy. */
    double deviation(int peer) {
      return Math.sqrt(between + noises[peer] + between / Math.max(1, together));
    }

    /** The values of a peer over what a usual peer has in the same interval. */
    double[] relative(int peer) {
      boolean known = !Double.isNaN(logs[peer]);
      return Arrays.stream(over[peer])
          .map(v -> known ? Math.exp(v - middle) : Double.NaN)
          .toArray();
    }

    /** The least factor at which a peer as noisy as the usual one stands out. */
    double visible(int comparisons) {
      double noise = median(noises);
      return known() < LEAST_PEERS
          ? Double.POSITIVE_INFINITY
          : Math.exp(bound(comparisons) * Math.sqrt(between + noise));
    }

    /** Those at least {@code least} times the others, the worst first. */
    List<Outlier> above(double least, int comparisons) {
      List<Outlier> found = new ArrayList<>();
      double bound = bound(comparisons);
      int known = known();
      for (int i = 0; i < logs.length; i++) {
        double beyond = (logs[i] - middle) / (deviation(i) * bound);
        if (known >= LEAST_PEERS && beyond >= 1) {
          found.add(new Outlier(i, of(i), beyond));
        }
      }
      if (found.size() > Math.max(1, known / ODD)) {
        return new ArrayList<>();
      }
      found.removeIf(outlier -> outlier.factor < least);
      found.sort((a, b) -> Double.compare(b.factor, a.factor));
      return found;
    }

    /** The standard deviations that chance exceeds in so many comparisons only once in a while. */
    private double bound(int comparisons) {
      double normal = quantile(1 - FALSE_ALARM / Math.max(LEAST_COMPARISONS, comparisons));
      // Student's distribution after Wallace (1959): the deviation itself is known only so well.
      double wider = normal * (8 * freedom + 3) / (8 * freedom + 1);
      return Math.sqrt(freedom * Math.expm1(wider * wider / freedom));
    }
  }

  /** Peers that lie together: their middle, and the variance between healthy ones. */
  private static final class Together {
    private final double middle;
    private final double between;
    private final int count;

    Together(double middle, double between, int count) {
      this.middle = middle;
      this.between = between;
      this.count = count;
    }
  }

  /**
   * Compares.
   *
   * @param values by peer and interval, above 0 and finite; anything else is not known
   * @param likeness how much healthy peers are expected to differ, as a part of one
   */
  static Factors compare(double[][] values, double likeness) {
    Object[] each = new Object[values.length];
    Arrays.setAll(each, i -> i);
    return compare(values, likeness, each);
  }

  /**
   * Compares peers of which some belong together: what is usual is told by most groups, however
   * many peers one of them has.
   *
   * @param groups by peer; equal ones belong together
   */
  static Factors compare(double[][] values, double likeness, Object[] groups) {
    int intervals = 0;
    for (double[] peer : values) {
      intervals = Math.max(intervals, peer.length);
    }
    double[][] over = new double[values.length][intervals];
    for (int i = 0; i < values.length; i++) {
      int known = 0;
      for (int t = 0; t < intervals; t++) {
        double value = t < values[i].length ? values[i][t] : Double.NaN;
        over[i][t] = value > 0 && !Double.isInfinite(value) ? Math.log(value) : Double.NaN;
        known += Double.isNaN(over[i][t]) ? 0 : 1;
      }
      if (known < Math.max(LEAST_INTERVALS, intervals / 3)) {
        Arrays.fill(over[i], Double.NaN);
      }
    }
    double[] logs = level(over, intervals);
    double memory = memory(over, logs);
    double[] usual = new double[values.length];
    double[] noises = noises(over, logs, memory, usual);
    Together together = together(logs, usual, likeness * likeness, groups);
    double noise = orZero(median(noises));
    double total = together.between + noise;
    double freeBetween = PRIOR_PEERS + Math.max(0, together.count - 1);
    double freeNoise = 0;
    for (double[] peer : over) {
      freeNoise += known(peer).length;
    }
    freeNoise = Math.max(LEAST_INTERVALS, freeNoise * (1 - memory) / (1 + memory));
    double freedom =
        total
            * total
            / (together.between * together.between / freeBetween + noise * noise / freeNoise);
    return new Factors(over, logs, noises, together, freedom);
  }

  /** Takes the level of each interval from all values; gives the factors. */
  private static double[] level(double[][] over, int intervals) {
    double[] logs = new double[over.length];
    for (int pass = 0; pass < PASSES; pass++) {
      for (int t = 0; t < intervals; t++) {
        double[] now = new double[over.length];
        for (int i = 0; i < over.length; i++) {
          now[i] = over[i][t] - logs[i];
        }
        now = known(now);
        double level = now.length < LEAST_PEERS ? Double.NaN : centre(now);
        for (double[] peer : over) {
          peer[t] -= level;
        }
      }
      for (int i = 0; i < over.length; i++) {
        double[] known = known(over[i]);
        logs[i] = known.length < LEAST_INTERVALS ? 0 : centre(known);
      }
    }
    for (int i = 0; i < over.length; i++) {
      logs[i] = known(over[i]).length < LEAST_INTERVALS ? Double.NaN : logs[i];
    }
    return logs;
  }

  /** How much of an interval's noise is there in the next one. */
  private static double memory(double[][] over, double[] logs) {
    double[] memories = new double[over.length];
    double all = 0;
    for (int i = 0; i < over.length; i++) {
      double squares = 0;
      double products = 0;
      int n = 0;
      for (int t = 0; t < over[i].length; t++) {
        double now = over[i][t] - logs[i];
        if (!Double.isNaN(now)) {
          n++;
          squares += now * now;
          double before = t == 0 ? Double.NaN : over[i][t - 1] - logs[i];
          products += Double.isNaN(before) ? 0 : now * before;
        }
      }
      all += n;
      // Around its own mean a short series seems to have less memory than it has (Kendall 1954).
      memories[i] =
          squares == 0 || n < 2 * LEAST_INTERVALS
              ? Double.NaN
              : (products / squares + 1.0 / n) / (1 - 3.0 / n);
    }
    double measured = median(memories);
    double worth = Double.isNaN(measured) ? 0 : all;
    double memory =
        (worth * orZero(measured) + PRIOR_MEMORY_INTERVALS * PRIOR_MEMORY)
            / (worth + PRIOR_MEMORY_INTERVALS);
    return Math.min(MOST_MEMORY, Math.max(0, memory));
  }

  /**
   * The variance of each factor by the noise of its intervals.
   *
   * @param ofUsual is filled with what it would be if all peers were equally noisy
   */
  private static double[] noises(double[][] over, double[] logs, double memory, double[] ofUsual) {
    double[] own = new double[over.length];
    int peers = 0;
    for (int i = 0; i < over.length; i++) {
      double[] values = known(over[i]);
      own[i] = Double.isNaN(logs[i]) ? Double.NaN : variance(values, logs[i]);
      double seen = 1 - longer(values.length, memory) / Math.max(1, values.length);
      own[i] /= Math.max(0.25, seen);
      peers += Double.isNaN(own[i]) ? 0 : 1;
    }
    // Each peer is part of the level it is compared with.
    double share = peers < 2 ? 1 : peers / (peers - 1.0);
    double usual = median(own);
    double[] noises = new double[over.length];
    for (int i = 0; i < over.length; i++) {
      int n = known(over[i]).length;
      double mixed = (n * own[i] + PRIOR_INTERVALS * usual) / (n + PRIOR_INTERVALS);
      double once = share * longer(n, memory) / n;
      ofUsual[i] = usual * once;
      noises[i] = Math.max(usual, mixed) * once;
    }
    return noises;
  }

  /** How many times the variance of a mean of so many intervals is that without memory. */
  private static double longer(int n, double memory) {
    double longer = 1;
    double power = 1;
    for (int k = 1; k < n; k++) {
      power *= memory;
      longer += 2 * (1 - (double) k / n) * power;
    }
    return longer;
  }

  /** Begins with the half that lies closest together, and takes in what is as near. */
  private static Together together(double[] logs, double[] noises, double prior, Object[] groups) {
    Integer[] order = new Integer[logs.length];
    Arrays.setAll(order, i -> i);
    Integer[] known =
        Arrays.stream(order).filter(i -> !Double.isNaN(logs[i])).toArray(Integer[]::new);
    Arrays.sort(known, (a, b) -> Double.compare(logs[a], logs[b]));
    if (known.length < LEAST_PEERS) {
      return new Together(median(logs), prior, known.length);
    }
    double[] votes = votes(known, groups);
    int from = 0;
    int to = known.length;
    for (int i = 0; i < known.length; i++) {
      int end = i;
      while (end < known.length && votes[end] - (i == 0 ? 0 : votes[i - 1]) <= HALF) {
        end++;
      }
      boolean narrower =
          end < known.length
              && logs[known[end]] - logs[known[i]] < logs[known[to - 1]] - logs[known[from]];
      from = narrower ? i : from;
      to = narrower ? end + 1 : to;
    }
    // Half of a normal distribution around its middle has a seventh of its variance; of few it is
    // not the middle half.
    double wider = known.length < 2 * PRIOR_PEERS ? 2 : 7;
    Together now = of(known, from, to, logs, noises, prior, wider);
    for (int step = 0; step < MOST_STEPS; step++) {
      int first = 0;
      int last = known.length;
      while (first < last && far(now, logs[known[first]], noises[known[first]])) {
        first++;
      }
      while (last > first && far(now, logs[known[last - 1]], noises[known[last - 1]])) {
        last--;
      }
      boolean most = last > first && votes[last - 1] - (first == 0 ? 0 : votes[first - 1]) > HALF;
      if (first == from && last == to || !most) {
        break;
      }
      from = first;
      to = last;
      now = of(known, from, to, logs, noises, prior, 1);
    }
    return now;
  }

  /** Which part of all votes the peers up to each have; a group has one vote. */
  private static double[] votes(Integer[] known, Object[] groups) {
    Map<Object, Integer> sizes = new HashMap<>();
    for (int i : known) {
      sizes.merge(groups[i], 1, Integer::sum);
    }
    double[] votes = new double[known.length];
    double sum = 0;
    for (int i = 0; i < known.length; i++) {
      sum += 1.0 / sizes.get(groups[known[i]]) / sizes.size();
      votes[i] = sum;
    }
    return votes;
  }

  private static boolean far(Together now, double log, double noise) {
    return Math.abs(log - now.middle) > TOGETHER * Math.sqrt(now.between + noise);
  }

  private static Together of(
      Integer[] known,
      int from,
      int to,
      double[] logs,
      double[] noises,
      double prior,
      double wider) {
    int n = to - from;
    double middle = 0;
    double noise = 0;
    for (int i = from; i < to; i++) {
      middle += logs[known[i]] / n;
      noise += noises[known[i]] / n;
    }
    double variance = 0;
    for (int i = from; i < to; i++) {
      variance += wider * Math.pow(logs[known[i]] - middle, 2) / (n - 1);
    }
    double seen = Math.max(0, variance - noise);
    return new Together(middle, (PRIOR_PEERS * prior + (n - 1) * seen) / (PRIOR_PEERS + n - 1), n);
  }

  private static double orZero(double value) {
    return Double.isNaN(value) ? 0 : value;
  }

  private static double[] known(double[] values) {
    return Arrays.stream(values).filter(v -> !Double.isNaN(v)).toArray();
  }

  /** The mean, hardly moved by single values far out. */
  private static double centre(double[] values) {
    double median = median(values);
    double far = CLIP * deviation(values, median);
    double sum = 0;
    for (double value : values) {
      sum += Math.max(-far, Math.min(far, value - median));
    }
    return median + sum / values.length;
  }

  private static double deviation(double[] values, double middle) {
    double[] away = new double[values.length];
    Arrays.setAll(away, i -> Math.abs(values[i] - middle));
    return median(away) / MAD_OF_NORMAL;
  }

  private static double variance(double[] values, double centre) {
    double far = CLIP * deviation(values, centre);
    double sum = 0;
    for (double value : values) {
      double away = Math.min(far, Math.abs(value - centre));
      sum += away * away;
    }
    return sum / values.length;
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
