package io.evenkeel.bench.report;

import java.util.Arrays;
import java.util.DoubleSummaryStatistics;

/**
 * Repeats of one measurement.
 *
 * @param mean NaN when there is none
 * @param runs how many finite numbers it was made of
 */
record Spread(double mean, double low, double high, int runs) {
  /** Nothing was measured. */
  static final Spread NONE = new Spread(Double.NaN, Double.NaN, Double.NaN, 0);

  /** Of those that are finite. */
  static Spread of(double... values) {
    DoubleSummaryStatistics known =
        Arrays.stream(values).filter(Double::isFinite).summaryStatistics();
    return known.getCount() == 0
        ? NONE
        : new Spread(known.getAverage(), known.getMin(), known.getMax(), (int) known.getCount());
  }

  /** Of a list of numbers, or of one number. */
  static Spread of(Doc values) {
    double[] numbers = values.numbers();
    return numbers.length == 0 ? of(values.number()) : of(numbers);
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
