package io.evenkeel.bench.placement;

import io.evenkeel.bench.experiment.Comparison;
import io.evenkeel.bench.experiment.RunSettings;
import io.evenkeel.bench.sim.placement.Candidate;
import io.evenkeel.bench.sim.placement.PlacementResult;
import io.evenkeel.bench.sim.placement.PlacementRun;
import io.evenkeel.bench.sim.placement.PlacementScenario;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Both policies several times through the same scenario, and the rows of a report about it.
 *
 * @param ours empty as long as our policy is not on the class path
 */
record Rows(String label, List<PlacementResult> stock, List<PlacementResult> ours) {
  private static final int RUNS = 5;
  private static final int QUICK_RUNS = 2;

  /** A quantity of a result. */
  enum What {
    TOTAL("replicas, max/mean", r -> r.replicas().mostOverMean()),
    PER_DISK("replicas per disk, max/mean", PlacementResult::perWeight),
    IN_FLIGHT("in flight, max/mean, average", r -> r.inFlight().mean()),
    IN_FLIGHT_P99("in flight, max/mean, p99", r -> r.inFlight().p99()),
    SCATTER("scatter width", PlacementResult::scatterWidth),
    SAME_HOST("blocks twice on one host", r -> r.violations().sameHost()),
    ONE_RACK("blocks on one rack", r -> r.violations().oneRack()),
    RACK_CAP("blocks above the rack cap", r -> r.violations().rackCap()),
    TOO_FEW("blocks with too few targets", r -> r.violations().tooFew());

    final String words;
    final ToDoubleFunction<PlacementResult> value;

    What(String words, ToDoubleFunction<PlacementResult> value) {
      this.words = words;
      this.value = value;
    }
  }

  /** The quantities every scenario is looked at for. */
  static final List<What> RULES =
      List.of(What.SAME_HOST, What.ONE_RACK, What.RACK_CAP, What.TOO_FEW);

  /**
   * Runs the stock policy and ours in turn.
   *
   * @param pair stock first
   */
  static Rows run(PlacementScenario scenario, List<Candidate> pair, RunSettings settings)
      throws ClassNotFoundException {
    settings.progress().accept("evenkeel: placement: " + scenario.label());
    List<PlacementResult> stock = new ArrayList<>();
    List<PlacementResult> ours = new ArrayList<>();
    for (int i = 0; i < (settings.quick() ? QUICK_RUNS : RUNS); i++) {
      stock.add(PlacementRun.run(scenario, pair.get(0), settings.seed() + i));
      if (pair.get(1).present()) {
        ours.add(PlacementRun.run(scenario, pair.get(1), settings.seed() + i));
      }
    }
    return new Rows(scenario.label(), stock, ours);
  }

  /** One row per quantity. */
  List<Comparison> of(List<What> quantities) {
    return quantities.stream()
        .map(
            what ->
                Comparison.repeated(
                    label + ": " + what.words, "", values(stock, what), values(ours, what)))
        .toList();
  }

  /** How uneven our policy is where the stock one is 1, in each run, the same drawn for both. */
  Comparison overStock() {
    double[] ratios = new double[ours.size()];
    for (int i = 0; i < ratios.length; i++) {
      ratios[i] =
          What.TOTAL.value.applyAsDouble(ours.get(i))
              / What.TOTAL.value.applyAsDouble(stock.get(i));
    }
    return Comparison.repeated(label + ": max/mean over stock's", "", new double[] {1}, ratios);
  }

  /** The broken rules of all runs together, one row. */
  Comparison broken() {
    return Comparison.repeated(
        label + ": blocks that break a rule", "", broken(stock), broken(ours));
  }

  private static double[] broken(List<PlacementResult> results) {
    return results.stream().mapToDouble(r -> r.violations().sum()).toArray();
  }

  private static double[] values(List<PlacementResult> results, What what) {
    return results.stream().mapToDouble(what.value).toArray();
  }
}
