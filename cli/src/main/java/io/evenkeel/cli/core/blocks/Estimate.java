package io.evenkeel.cli.core.blocks;

import java.util.stream.DoubleStream;

/** A number and the range it is in with 95 % confidence. Immutable. */
public final class Estimate {
  private static final double Z = 1.959964; // of the normal distribution, 2.5 % on either side

  private static final double ONE_END = 0.025;

  private final double value;
  private final double low;
  private final double high;
  private final double standardError;

  private Estimate(double value, double low, double high, double standardError) {
    this.value = value;
    this.low = low;
    this.high = high;
    this.standardError = standardError;
  }

  /** A number that is known. */
  static Estimate exact(double value) {
    return new Estimate(value, value, value, 0);
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
    double error = population * Math.sqrt(p * (1 - p) / n * fewerLeft(sample, population));
    return new Estimate(value, Math.min(low, value), Math.max(high, value), error);
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
    double error = population * Math.sqrt(variance / n * fewerLeft(sample, population));
    double value = population * mean;
    return new Estimate(value, Math.max(sum, value - Z * error), value + Z * error, error);
  }

  /**
   * The sum over a population of blocks, by draws of many blocks each: the error is what draws
   * differ by, however many blocks they had. Normal approximation of a ratio; where no draw has any
   * of it, what would still be missed with 2.5 % probability if one kind of path were all of it.
   *
   * @param blocks in each draw, in the same measure of size for all; at least two draws
   * @param values summed up over those blocks
   * @param each what one block would add at the least if it added anything
   * @param population in blocks
   * @param seen the sum over all blocks looked at, each once
   */
  static Estimate ratio(
      double[] blocks, double[] values, double each, long population, double seen) {
    int n = blocks.length;
    double allBlocks = DoubleStream.of(blocks).sum();
    double all = DoubleStream.of(values).sum();
    if (allBlocks == 0) {
      return exact(0);
    }
    if (all == 0) {
      return new Estimate(0, 0, population * each * (1 - Math.pow(ONE_END, 1.0 / n)), 0);
    }
    double ratio = all / allBlocks;
    double squares = 0;
    for (int i = 0; i < n; i++) {
      double difference = values[i] - ratio * blocks[i];
      squares += difference * difference;
    }
    double error = population * Math.sqrt(squares * n / (n - 1.0)) / allBlocks;
    double value = Math.max(seen, population * ratio);
    return new Estimate(value, Math.max(seen, value - Z * error), value + Z * error, error);
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

  /** Standard error of the value, by what the sample differs by; 0 when it does not. */
  public double standardError() {
    return standardError;
  }

  /** Whether it is more than an estimate. */
  public boolean isExact() {
    return low == high;
  }
}
