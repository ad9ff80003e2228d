package io.evenkeel.bench.report;

import java.util.Arrays;

/**
 * Repeats of one measurement.
 *
 * @param median NaN when there is none
 * @param runs how many finite numbers it was made of
 * @param repeats how many there were with those that did not finish
 */
record Spread(double median, double low, double high, int runs, int repeats) {
  /** Nothing was measured. */
  static final Spread NONE = new Spread(Double.NaN, Double.NaN, Double.NaN, 0, 0);

  /** Of those that are finite. */
  static Spread of(double... values) {
    double[] known = Arrays.stream(values).filter(Double::isFinite).sorted().toArray();
    int n = known.length;
    return n == 0
        ? new Spread(Double.NaN, Double.NaN, Double.NaN, 0, values.length)
        : new Spread(
            (known[(n - 1) / 2] + known[n / 2]) / 2, known[0], known[n - 1], n, values.length);
  }

  boolean known() {
    return runs > 0;
  }

  /** Share of the repeats that finished; 0 without any. */
  double finished() {
    return repeats == 0 ? 0 : runs / (double) repeats;
  }

  /** Whether the two ranges share a value. */
  boolean overlaps(Spread other) {
    return low <= other.high && other.low <= high;
  }
}
