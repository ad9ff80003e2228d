package io.evenkeel.terasort.core.suite;

import java.util.List;

/** Mean and spread of repeated measurements. Immutable. */
public final class Spread {
  private final int count;
  private final double mean;
  private final double deviation;

  /**
   * Summarises.
   *
   * @param values any; when one is NaN all results are
   */
  public Spread(List<Double> values) {
    count = values.size();
    double sum = 0;
    for (double v : values) {
      sum += v;
    }
    mean = count == 0 ? Double.NaN : sum / count;
    double squares = 0;
    for (double v : values) {
      squares += (v - mean) * (v - mean);
    }
    deviation = count < 2 ? Double.NaN : Math.sqrt(squares / (count - 1));
  }

  /** How many values. */
  public int count() {
    return count;
  }

  /** The mean; NaN without values. */
  public double mean() {
    return mean;
  }

  /** The sample's standard deviation; NaN with fewer than two values. */
  public double deviation() {
    return deviation;
  }
}
