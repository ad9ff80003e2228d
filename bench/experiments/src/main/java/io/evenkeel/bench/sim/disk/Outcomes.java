package io.evenkeel.bench.sim.disk;

import io.evenkeel.bench.experiment.Comparison;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * The same scenario with stock policies and with ours.
 *
 * @param stock outcomes by name of the policy
 * @param ours outcome of the latency-aware policy
 */
record Outcomes(Map<String, Outcome> stock, Outcome ours) {
  /** Ours with its defaults. */
  static Outcomes run(Scenario scenario, Map<String, Chooser.Factory> stock, long seed) {
    return run(scenario, stock, Policy.LATENCY_AWARE, seed);
  }

  static Outcomes run(
      Scenario scenario, Map<String, Chooser.Factory> stock, Chooser.Factory ours, long seed) {
    Map<String, Outcome> outcomes = new LinkedHashMap<>();
    stock.forEach((name, policy) -> outcomes.put(name, Simulation.run(scenario, policy, seed)));
    return new Outcomes(outcomes, Simulation.run(scenario, ours, seed));
  }

  /** What all show, a row for each stock policy. */
  List<Comparison> compare(String quantity, String unit, ToDoubleFunction<Outcome> value) {
    return rows(
        quantity, unit, name -> value.applyAsDouble(stock.get(name)), value.applyAsDouble(ours));
  }

  /** The percentage of what each shows in another scenario. */
  List<Comparison> kept(String quantity, Outcomes base, ToDoubleFunction<Outcome> value) {
    return rows(
        quantity,
        "%",
        name -> percent(value, stock.get(name), base.stock.get(name)),
        percent(value, ours, base.ours));
  }

  private static double percent(ToDoubleFunction<Outcome> value, Outcome now, Outcome base) {
    return 100 * value.applyAsDouble(now) / value.applyAsDouble(base);
  }

  private List<Comparison> rows(
      String quantity, String unit, ToDoubleFunction<String> of, double evenkeel) {
    return stock.keySet().stream()
        .map(n -> Comparison.counted(quantity, unit, of.applyAsDouble(n), evenkeel).against(n))
        .toList();
  }
}
