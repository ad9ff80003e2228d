package io.evenkeel.bench.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.bench.experiment.Arms;
import io.evenkeel.bench.experiment.Comparison;
import io.evenkeel.bench.experiment.RunSettings;
import io.evenkeel.bench.placement.CostProbe.Cost;
import io.evenkeel.bench.placement.RulesRun.Threads;
import io.evenkeel.bench.placement.ScenarioRuns.What;
import io.evenkeel.bench.sim.placement.Candidate;
import io.evenkeel.bench.sim.placement.PlacementResult;
import io.evenkeel.bench.sim.placement.PlacementScenario;
import io.evenkeel.bench.sim.placement.PlacementScenario.Load;
import io.evenkeel.bench.sim.placement.RealCluster;
import io.evenkeel.bench.sim.placement.Shape;
import io.evenkeel.bench.sim.placement.Violations;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CostAndRulesTest {
  private static final Shape SHAPE = Shape.of(4, 2, 4);

  @Test
  void measure_twoThreads_countsBothAndLeavesTheirBlocksInFlight() throws Exception {
    RealCluster cluster = new RealCluster(Candidate.STOCK_NODE_GROUPS, SHAPE.places(), "HOT");
    Cost cost = new CostProbe(cluster, 2).measure(20_000_000);
    // An array of three and the set of excluded nodes alone are more than 200 bytes.
    assertThat(cost.bytes()).isBetween(200.0, 10_000_000.0);
    assertThat(cost.micros()).isPositive();
    int scheduled = 0;
    for (int i = 0; i < cluster.size(); i++) {
      scheduled += cluster.blocksScheduled(i);
    }
    assertThat(scheduled).isEqualTo(3 * 32);
  }

  @Test
  void placing_stockWithoutVerifying_breaksNothing() throws Exception {
    RulesRun run = RulesRun.placing(SHAPE, Candidate.STOCK_NODE_GROUPS, 2_000, new Threads(2, 0));
    assertThat(run).isEqualTo(new RulesRun(Violations.NONE, 0, 0, 0, 0));
  }

  @Test
  void placing_defaultBesideVerifying_showsTheDoubledHosts() throws Exception {
    RulesRun run = RulesRun.placing(SHAPE, Candidate.STOCK_PLAIN, 2_000, new Threads(2, 1));
    assertThat(run.violations().sameHost()).isBetween(600L, 1_200L);
    assertThat(run.violations().oneRack() + run.violations().tooFew()).isZero();
    assertThat(run.moved()).isZero();
  }

  @Test
  void verifying_oneThreadAlone_countsEveryCallAndHarmsNothing() throws Exception {
    RulesRun run = RulesRun.verifying(SHAPE, Candidate.STOCK_NODE_GROUPS, 5_000, 1);
    assertThat(run.verified()).isEqualTo(5_000);
    assertThat(run.rejected() + run.threw() + run.moved()).isZero();
  }

  @Test
  void of_severalRuns_showsTheirRange() {
    ScenarioRuns runs = runs(List.of(result(2, 3), result(1, 5)), List.of());
    List<Comparison> found = runs.of(What.TOTAL, What.BROKEN);
    assertThat(found.get(0).quantity()).isEqualTo("x: replicas, max/mean");
    assertThat(found).extracting(Comparison::opponent).containsOnly("theirs");
    assertThat(found.get(0).range().stockLeast()).isEqualTo(1);
    assertThat(found.get(0).range().stockMost()).isEqualTo(2);
    assertThat(found.get(0).stock()).isEqualTo(1.5);
    assertThat(found.get(0).evenkeel()).isNaN();
    assertThat(found.get(1).stock()).isEqualTo(4);
    assertThat(runs.overStock().get(0).evenkeel()).isNaN();
  }

  @Test
  void overStock_twoRuns_comparesEachWithItsOwn() {
    ScenarioRuns runs =
        runs(List.of(result(2, 0), result(4, 0)), List.of(result(1, 0), result(5, 0)));
    assertThat(runs.overStock().get(0).range()).isEqualTo(new Comparison.Range(1, 1, 0.5, 1.25, 2));
  }

  /** Where stock has a more even policy than the one ours replaces, both are opponents. */
  @Test
  void run_everyScenario_hasStocksMostEvenPolicyToo() throws Exception {
    PlacementScenario scenario =
        PlacementScenario.of("x", UniformExperiment.small(), Load.of(3_000));
    List<Comparison> rows =
        ScenarioRuns.run(scenario, PolicyPair.NODE_GROUPS, new RunSettings(true, 1, line -> {}))
            .of(What.TOTAL);
    assertThat(rows)
        .extracting(Comparison::opponent)
        .containsExactly(
            "WithNodeGroup", "AvailableSpaceRackFaultTolerant, tuned, load factor 1.2");
    assertThat(rows.get(1).stock()).isLessThan(rows.get(0).stock());
  }

  private static ScenarioRuns runs(List<PlacementResult> stock, List<PlacementResult> ours) {
    return new ScenarioRuns("x", new Arms<>(Map.of("theirs", stock), ours));
  }

  private static PlacementResult result(long most, long tooFew) {
    return new PlacementResult(
        List.of(),
        List.of(),
        new PlacementResult.Replicas(0, 1, most),
        1,
        new PlacementResult.Ratio(1, 1),
        1,
        new Violations(0, 0, 0, tooFew));
  }
}
