package io.evenkeel.placement.core.blocks;

/** A number and the range it is in with 95 % confidence. Immutable. */
public final class Estimate {
  private static final double Z = 1.959964; // of the normal distribution, 2.5 % on either side

  private final double value;
  private final double low;
  private final double high;

  private Estimate(double value, double low, double high) {
    this.value = value;
    this.low = low;
    this.high = high;
  }

  /** A number that is known. */
  static Estimate exact(double value) {
    return new Estimate(value, value, value);
  }

  /**
   * How many of a population have a property, by a random sample; Wilson's interval, which holds
   * for few hits and for none.
   *
   * @param hits in the sample
   * @param sample size, at least 1
   * @param population size, at least that of the sample
   */
  static Estimate count(long hits, long sample, long population) {
    if (sample >= population) {
      return exact(hits);
    }
    double n = sample;
    double p = hits / n;
    double z2 = Z * Z * fewerLeft(sample, population);
    double centre = (p + z2 / (2 * n)) / (1 + z2 / n);
    double half = Math.sqrt(z2 * (p * (1 - p) / n + z2 / (4 * n * n))) / (1 + z2 / n);
    // those seen are known; rounding must not put the value outside
    double low = Math.max(hits, population * (centre - half));
    double high = Math.min(population - (sample - hits), population * (centre + half));
    double value = population * p;
    return new Estimate(value, Math.min(low, value), Math.max(high, value));
  }

  /**
   * The sum over a population, by the sums over a random sample; normal approximation.
   *
   * @param sum of the values in the sample
   * @param squares sum of their squares
   */
  static Estimate total(double sum, double squares, long sample, long population) {
    if (sample >= population) {
      return exact(sum);
    }
    double n = sample;
    double mean = sum / n;
    double variance = sample < 2 ? 0 : Math.max(0, (squares - n * mean * mean) / (n - 1));
    double half = population * Z * Math.sqrt(variance / n * fewerLeft(sample, population));
    double value = population * mean;
    return new Estimate(value, Math.max(sum, value - half), value + half);
  }

  /** What a sample without replacement knows better the more of the population it holds. */
  private static double fewerLeft(long sample, long population) {
    return population <= 1 ? 0 : (population - sample) / (population - 1.0);
  }

  /** The most likely number. */
  public double value() {
    return value;
  }

  /** Lower end of the range. */
  public double low() {
    return low;
  }

  /** Upper end of the range. */
  public double high() {
    return high;
  }

  /** Whether it is more than an estimate. */
  public boolean isExact() {
    return low == high;
  }
}
