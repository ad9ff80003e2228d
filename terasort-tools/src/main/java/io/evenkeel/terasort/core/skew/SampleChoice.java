package io.evenkeel.terasort.core.skew;

import java.util.OptionalLong;

/** How many keys to sample, and what that gives. Immutable. */
public final class SampleChoice {
  /** With which probability a ratio is kept. */
  public static final double CONFIDENCE = 0.95;

  /** What stock samples unless told otherwise; less saves nothing worth having. */
  public static final int STOCK_SAMPLES = 100_000;

  private final int ask;
  private final double ratio;
  private final double typicalRatio;
  private final boolean enough;

  private SampleChoice(int ask, int read, SkewForecast forecast, double wanted) {
    this.ask = ask;
    this.ratio = forecast.ratio(read, CONFIDENCE);
    this.typicalRatio = forecast.typicalRatio(read);
    this.enough = ratio <= wanted * (1 + 1e-6);
  }

  /**
   * The sample that keeps largest / mean at or below {@code wanted}, within what can be read and
   * held.
   *
   * @param most keys that the caller can hold in memory
   * @throws IllegalArgumentException when fewer keys than partitions can be read
   */
  public static SampleChoice auto(
      SkewForecast forecast, SampledKeys input, double wanted, long most) {
    OptionalLong needed = forecast.samples(wanted, CONFIDENCE);
    long keys = Math.max(STOCK_SAMPLES, needed.orElse(SkewForecast.MAX_SAMPLES));
    keys = Math.min(keys, Math.min(most, input.most()));
    return given(forecast, input, wanted, (int) Math.min(input.ask(keys), Integer.MAX_VALUE));
  }

  /** What asking for {@code ask} keys gives. */
  public static SampleChoice given(
      SkewForecast forecast, SampledKeys input, double wanted, int ask) {
    long read = Math.min(input.read(ask), SkewForecast.MAX_SAMPLES);
    return new SampleChoice(ask, (int) read, forecast, wanted);
  }

  /** Value for {@code mapreduce.terasort.partitions.sample}. */
  public int ask() {
    return ask;
  }

  /** Largest / mean partition that is kept with a probability of {@link #CONFIDENCE}. */
  public double ratio() {
    return ratio;
  }

  /** Largest / mean partition that is about as often exceeded as not. */
  public double typicalRatio() {
    return typicalRatio;
  }

  /** Whether the ratio wanted is kept. */
  public boolean enough() {
    return enough;
  }
}
