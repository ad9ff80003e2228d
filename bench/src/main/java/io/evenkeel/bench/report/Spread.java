package io.evenkeel.bench.report;

import java.util.Arrays;

/**
 * Repeats of one measurement.
 *
 * @param mean NaN when there is none
 * @param runs how many finite numbers it was made of
 */
record Spread(double mean, double low, double high, int runs) {

  /** Of a list of numbers, or of one number. */
  static Spread of(Doc values) {
    double[] known = values.numbers();
    if (known.length == 0) {
      known = new double[] {values.number()};
    }
    known = Arrays.stream(known).filter(Double::isFinite).toArray();
    if (known.length == 0) {
      return none();
    }
    double mean = Arrays.stream(known).average().orElseThrow();
    return new Spread(
        mean,
        Arrays.stream(known).min().orElseThrow(),
        Arrays.stream(known).max().orElseThrow(),
        known.length);
  }

  static Spread none() {
    return new Spread(Double.NaN, Double.NaN, Double.NaN, 0);
  }

  /** The sum of two, the extremes added; as many runs as the smaller has; none if either is. */
  Spread plus(Spread other) {
    return new Spread(
        mean + other.mean, low + other.low, high + other.high, Math.min(runs, other.runs));
  }

  boolean known() {
    return runs > 0;
  }

  /** Whether the two ranges share a value. */
  boolean overlaps(Spread other) {
    return low <= other.high && other.low <= high;
  }
}
