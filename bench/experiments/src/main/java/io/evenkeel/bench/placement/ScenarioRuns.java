package io.evenkeel.bench.placement;

import io.evenkeel.bench.experiment.Comparison;
import io.evenkeel.bench.experiment.RunSettings;
import io.evenkeel.bench.experiment.Runs;
import io.evenkeel.bench.sim.placement.PlacementResult;
import io.evenkeel.bench.sim.placement.PlacementRun;
import io.evenkeel.bench.sim.placement.PlacementScenario;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** Both policies several times through the same scenario, and the rows of a report about it. */
record ScenarioRuns(String label, String opponent, Runs<PlacementResult> runs) {
  private static final int RUNS = 5;
  private static final int QUICK_RUNS = 2;

  /** A quantity of a result. */
  enum What {
    TOTAL("replicas, max/mean", r -> r.replicas().mostOverMean()),
    PER_DISK("replicas per disk, max/mean", PlacementResult::perWeight),
    IN_FLIGHT("in flight, max/mean, average", r -> r.inFlight().mean()),
    IN_FLIGHT_P99("in flight, max/mean, p99", r -> r.inFlight().p99()),
    SCATTER("scatter width", PlacementResult::scatterWidth),
    BROKEN("blocks that break a rule", r -> r.violations().sum());

    final String words;
    final ToDoubleFunction<PlacementResult> value;

    What(String words, ToDoubleFunction<PlacementResult> value) {
      this.words = words;
      this.value = value;
    }
  }

  /** Runs both policies in turn; what is drawn is the same for both. */
  static ScenarioRuns run(PlacementScenario scenario, PolicyPair pair, RunSettings settings)
      throws Exception {
    settings.say("placement: " + scenario.label());
    return new ScenarioRuns(
        scenario.label(),
        pair.stock().label(),
        Runs.inTurn(
            settings.quick() ? QUICK_RUNS : RUNS,
            pair.stock(),
            pair.ours(),
            (policy, i) -> PlacementRun.run(scenario, policy, settings.seed() + i)));
  }

  /** One row per quantity. */
  List<Comparison> of(What... quantities) {
    return List.of(quantities).stream()
        .map(what -> runs.mean(label + ": " + what.words, "", what.value).against(opponent))
        .toList();
  }

  /** How uneven our policy is where the stock one is 1, in each run. */
  Comparison overStock() {
    return runs.pairs(label + ": max/mean over stock's", What.TOTAL.value).against(opponent);
  }
}
