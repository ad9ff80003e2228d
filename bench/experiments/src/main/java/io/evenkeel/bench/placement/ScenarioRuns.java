package io.evenkeel.bench.placement;

import io.evenkeel.bench.experiment.Arms;
import io.evenkeel.bench.experiment.Comparison;
import io.evenkeel.bench.experiment.RunSettings;
import io.evenkeel.bench.experiment.Runs;
import io.evenkeel.bench.sim.placement.Candidate;
import io.evenkeel.bench.sim.placement.PlacementResult;
import io.evenkeel.bench.sim.placement.PlacementRun;
import io.evenkeel.bench.sim.placement.PlacementScenario;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** Policies several times through the same scenario, and the rows of a report about it. */
record ScenarioRuns(String label, Arms<PlacementResult> arms) {
  /** Stock's most even policy, which needs reports of space and load. */
  private static final String MOST_EVEN = "AvailableSpaceRackFaultTolerant, tuned, load factor 1.2";

  private static final int REPORTS = 10;
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

  /** A policy, and what it is run through. */
  private record Turn(Candidate policy, PlacementScenario scenario) {}

  /**
   * Runs the pair and stock's most even policy in turn; what is drawn is the same for all.
   * DataNodes report to that one though they need not in the scenario.
   */
  static ScenarioRuns run(PlacementScenario scenario, PolicyPair pair, RunSettings settings)
      throws Exception {
    settings.say("placement: " + scenario.label());
    Map<String, Turn> stock = new LinkedHashMap<>();
    stock.put(pair.stock().label(), new Turn(pair.stock(), scenario));
    Candidate even = Candidate.stockPolicies().get(MOST_EVEN);
    if (even != null) {
      PlacementScenario reported = scenario.with(scenario.change().andReporting(REPORTS));
      stock.put(MOST_EVEN, new Turn(even, reported));
    }
    return new ScenarioRuns(
        scenario.label(),
        Arms.inTurn(
            settings.quick() ? QUICK_RUNS : RUNS,
            stock,
            new Turn(pair.ours(), scenario),
            (turn, i) -> PlacementRun.run(turn.scenario, turn.policy, settings.seed() + i)));
  }

  /** For each quantity a row of each opponent. */
  List<Comparison> of(What... quantities) {
    return List.of(quantities).stream()
        .flatMap(what -> arms.mean(label + ": " + what.words, "", what.value).stream())
        .toList();
  }

  /** How uneven our policy is where the stock one is 1, in each run. */
  List<Comparison> overStock() {
    List<Comparison> rows = new ArrayList<>();
    arms.stock()
        .forEach(
            (name, runs) ->
                rows.add(
                    new Runs<>(runs, arms.evenkeel())
                        .pairs(label + ": max/mean over stock's", What.TOTAL.value)
                        .against(name)));
    return rows;
  }
}
