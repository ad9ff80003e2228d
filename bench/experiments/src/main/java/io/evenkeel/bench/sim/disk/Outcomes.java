package io.evenkeel.bench.sim.disk;

import io.evenkeel.bench.experiment.Comparison;
import java.util.ArrayList;
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
    List<Comparison> rows = new ArrayList<>();
    stock.forEach(
        (name, outcome) ->
            rows.add(
                Comparison.counted(
                        quantity, unit, value.applyAsDouble(outcome), value.applyAsDouble(ours))
                    .against(name)));
    return rows;
  }

  /** The percentage of what each shows in another scenario. */
  List<Comparison> kept(String quantity, Outcomes base, ToDoubleFunction<Outcome> value) {
    List<Comparison> rows = new ArrayList<>();
    stock.forEach(
        (name, outcome) ->
            rows.add(
                Comparison.counted(
                        quantity,
                        "%",
                        100
                            * value.applyAsDouble(outcome)
                            / value.applyAsDouble(base.stock.get(name)),
                        100 * value.applyAsDouble(ours) / value.applyAsDouble(base.ours))
                    .against(name)));
    return rows;
  }
}
