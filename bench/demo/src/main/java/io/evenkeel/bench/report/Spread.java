package io.evenkeel.bench.report;

import java.util.Arrays;

/**
 * Repeats of one measurement.
 *
 * @param median NaN when there is none
 * @param runs how many finite numbers it was made of
 */
record Spread(double median, double low, double high, int runs) {
  /** Nothing was measured. */
  static final Spread NONE = new Spread(Double.NaN, Double.NaN, Double.NaN, 0);

  /** Of those that are finite. */
  static Spread of(double... values) {
    double[] known = Arrays.stream(values).filter(Double::isFinite).sorted().toArray();
    int n = known.length;
    return n == 0
        ? NONE
        : new Spread((known[(n - 1) / 2] + known[n / 2]) / 2, known[0], known[n - 1], n);
  }

  boolean known() {
    return runs > 0;
  }

  /** Whether the two ranges share a value. */
  boolean overlaps(Spread other) {
    return low <= other.high && other.low <= high;
  }
}
