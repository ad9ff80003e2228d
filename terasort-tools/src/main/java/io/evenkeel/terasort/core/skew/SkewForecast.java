package io.evenkeel.terasort.core.skew;

import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.DoublePredicate;

/**
 * How unequal TeraSort's partitions become when the keys are as good as random, as TeraGen's are.
 *
 * <p>TeraSort sorts S sampled keys and lets every S/R-th begin a partition. The share of all keys
 * that falls into a partition is then a sum of d spacings between S random points, where d is the
 * number of steps the partition spans in the sorted sample (S/R, up to rounding). It has the
 * distribution Beta(d, S + 1 - d), with mean d / (S + 1) and variance p (1 - p) / (S + 2) for p = d
 * / (S + 1), so a share is off by a relative 1 / sqrt(S/R), typically. All R shares together have
 * the Dirichlet distribution.
 *
 * <p>The largest of them: with T(x) the sum over the partitions of P(share &gt; x / R), the
 * probability that the largest is above x times the mean is at most T(x), and at least 1 - the
 * product of the P(share &lt;= x / R), as shares are negatively dependent. For what matters here (a
 * probability of 5 % or less) the two are within 3 % of each other, so the bound T is as good as
 * exact and needs no simulation.
 *
 * <p>A finite number of rows N makes shares less unequal: as the sampled rows are among those
 * counted, the variance of a partition's part of the rows is (1 - S/N) (1 + 1/N) times that of its
 * share. The Beta distribution with that variance is used; for N far above S nothing changes. Meant
 * for partitions of 100 rows and more.
 *
 * <p>Ratios are largest / mean partition, 1 or more. Immutable.
 */
public final class SkewForecast {
  /** Keys stock's sampler can hold at most: it counts them with an int and keeps them in a list. */
  public static final int MAX_SAMPLES = 1_000_000_000;

  private static final double HIGHEST_RATIO = 1e9;

  private final int reducers;
  private final long rows;

  /**
   * Creates a forecast.
   *
   * @param reducers partitions, 1 or more
   * @param rows rows of the input, 1 or more
   */
  public SkewForecast(int reducers, long rows) {
    if (reducers < 1 || rows < 1) {
      throw new IllegalArgumentException("reducers " + reducers + ", rows " + rows);
    }
    this.reducers = reducers;
    this.rows = rows;
  }

  /**
   * The ratio that is kept with a probability of at least {@code confidence}.
   *
   * @param samples keys in the sample, {@code reducers} to {@link #MAX_SAMPLES}
   * @param confidence above 0 and below 1
   */
  public double ratio(int samples, double confidence) {
    checkConfidence(confidence);
    Map<Integer, Integer> spans = spans(samples);
    return firstRatio(ratio -> expectedAbove(samples, spans, ratio) <= 1 - confidence);
  }

  /**
   * The ratio that is about as often exceeded as not: at most what it really is, as shares are
   * taken for independent. With 4 partitions it is exceeded in about 58 % of the cases.
   */
  public double typicalRatio(int samples) {
    Map<Integer, Integer> spans = spans(samples);
    return firstRatio(ratio -> logNoneAbove(samples, spans, ratio) >= Math.log(0.5));
  }

  /** A lower bound of the probability that largest / mean stays at or below {@code ratio}. */
  public double confidence(int samples, double ratio) {
    return Math.max(0, 1 - expectedAbove(samples, spans(samples), ratio));
  }

  /**
   * The smallest sample that keeps largest / mean at or below {@code ratio} with a probability of
   * at least {@code confidence}.
   *
   * @return keys; empty when no sample of at most the rows and {@link #MAX_SAMPLES} does
   */
  public OptionalLong samples(double ratio, double confidence) {
    checkConfidence(confidence);
    if (!(ratio > 1)) {
      throw new IllegalArgumentException("ratio " + ratio + " is not above 1");
    }
    int most = (int) Math.min(rows, MAX_SAMPLES);
    if (reducers > most || confidence(most, ratio) < confidence) {
      return OptionalLong.empty();
    }
    int low = reducers - 1; // not enough
    int high = most; // enough
    while (high - low > 1) {
      int middle = (int) (((long) low + high) / 2);
      if (confidence(middle, ratio) >= confidence) {
        high = middle;
      } else {
        low = middle;
      }
    }
    return OptionalLong.of(high);
  }

  private static void checkConfidence(double confidence) {
    if (!(confidence > 0 && confidence < 1)) {
      throw new IllegalArgumentException("confidence " + confidence + " is not between 0 and 1");
    }
  }

  /** How many partitions span how many steps; there are few different numbers of steps. */
  private Map<Integer, Integer> spans(int samples) {
    if (samples > MAX_SAMPLES || samples > rows) {
      throw new IllegalArgumentException(
          samples + " samples, more than " + Math.min(rows, MAX_SAMPLES));
    }
    Map<Integer, Integer> counts = new TreeMap<>();
    for (int span : SplitPoints.spans(samples, reducers)) {
      counts.merge(span, 1, Integer::sum);
    }
    return counts;
  }

  /** Expected number of partitions above {@code ratio} times the mean. */
  private double expectedAbove(int samples, Map<Integer, Integer> spans, double ratio) {
    double sum = 0;
    for (Map.Entry<Integer, Integer> span : spans.entrySet()) {
      sum += span.getValue() * above(samples, span.getKey(), ratio);
    }
    return sum;
  }

  private double logNoneAbove(int samples, Map<Integer, Integer> spans, double ratio) {
    double sum = 0;
    for (Map.Entry<Integer, Integer> span : spans.entrySet()) {
      sum += span.getValue() * Math.log1p(-above(samples, span.getKey(), ratio));
    }
    return sum;
  }

  private double above(int samples, int span, double ratio) {
    double share = ratio / reducers;
    double mean = span / (samples + 1.0);
    double unsampled = (double) rows - samples;
    if (reducers == 1 || unsampled <= 0) {
      return mean > share * (1 + 1e-12) && reducers > 1 ? 1 : 0;
    }
    // The two parameters of a beta distribution add up to p (1 - p) / variance - 1.
    double weight = (samples + 2.0) * ((double) rows / unsampled) * (rows / (rows + 1.0)) - 1;
    return Beta.above(mean * weight, (1 - mean) * weight, share);
  }

  private static double firstRatio(DoublePredicate good) {
    double low = 1;
    double high = 2;
    while (!good.test(high) && high < HIGHEST_RATIO) {
      low = high;
      high *= 2;
    }
    for (int i = 0; i < 60 && high - low > 1e-9 * high; i++) {
      double middle = (low + high) / 2;
      if (good.test(middle)) {
        high = middle;
      } else {
        low = middle;
      }
    }
    return high;
  }
}
