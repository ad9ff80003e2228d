package io.evenkeel.bench.sim.disk;

import io.evenkeel.bench.experiment.Comparison;
import java.util.function.ToDoubleFunction;

/**
 * The same scenario with a stock policy and with ours.
 *
 * @param stock outcome of the stock policy
 * @param ours outcome of the latency-aware policy with its defaults
 */
record Pair(Outcome stock, Outcome ours) {
  static Pair run(Scenario scenario, Chooser.Factory stock, long seed) {
    return new Pair(
        Simulation.run(scenario, stock, seed),
        Simulation.run(scenario, Policy.LATENCY_AWARE, seed));
  }

  static Pair run(Scenario scenario, long seed) {
    return run(scenario, Policy.ROUND_ROBIN, seed);
  }

  /** What both show; infinite means never and is not a number. */
  Comparison compare(String quantity, String unit, ToDoubleFunction<Outcome> value) {
    return Comparison.counted(
        quantity, unit, known(value.applyAsDouble(stock)), known(value.applyAsDouble(ours)));
  }

  private static double known(double value) {
    return Double.isInfinite(value) ? Double.NaN : value;
  }

  /** What both show, each relative to what it shows in another scenario. */
  Comparison compare(String quantity, Pair base, ToDoubleFunction<Outcome> value) {
    return Comparison.counted(
        quantity,
        "%",
        100 * value.applyAsDouble(stock) / value.applyAsDouble(base.stock),
        100 * value.applyAsDouble(ours) / value.applyAsDouble(base.ours));
  }
}
