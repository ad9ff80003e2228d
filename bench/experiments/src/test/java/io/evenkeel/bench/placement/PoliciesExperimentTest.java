package io.evenkeel.bench.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.bench.sim.placement.Candidate;
import io.evenkeel.bench.sim.placement.PlacementResult;
import io.evenkeel.bench.sim.placement.PlacementRun;
import io.evenkeel.bench.sim.placement.PlacementScenario;
import io.evenkeel.bench.sim.placement.PlacementScenario.Change;
import io.evenkeel.bench.sim.placement.PlacementScenario.Load;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.util.VersionInfo;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

class PoliciesExperimentTest {
  private static final int BLOCKS = 4_000;

  @Test
  void stock_everyPolicy_breaksWhatItIsKnownToBreak() throws Exception {
    PlacementScenario scenario =
        PlacementScenario.of("x", UniformExperiment.small(), Load.of(BLOCKS))
            .with(Change.reporting(1));
    Map<String, PlacementResult> results = new LinkedHashMap<>();
    for (var arm : Candidate.stockPolicies().entrySet()) {
      results.put(arm.getKey(), PlacementRun.run(scenario, arm.getValue(), 1));
    }
    assertThat(results.keySet().iterator().next()).isEqualTo("default");
    assertThat(results.get("default").violations().sameHost()).isBetween(500L, BLOCKS - 500L);
    assertThat(results.get("default, node groups as racks").violations().sameHost())
        .isEqualTo(BLOCKS);
    assertThat(results.get("WithNodeGroup").violations().sum()).isZero();
    assertThat(results.get("WithUpgradeDomain").violations().sameHost()).isZero();
    Assumptions.assumeFalse(
        VersionInfo.getVersion().startsWith("3.1."), "its tolerance is 5 % there, for good");
    assertThat(results.get("AvailableSpace, tuned").replicas().mostOverMean())
        .isLessThan(results.get("AvailableSpace").replicas().mostOverMean());
  }

  /** What stock can do about blocks in flight, which must be among its arms. */
  @Test
  void stock_moreReportsAndALowerLoadFactor_eachSpreadBlocksInFlight() throws Exception {
    double seldom = inFlight("WithNodeGroup", 1);
    double often = inFlight("WithNodeGroup", 10);
    assertThat(often).isLessThan(seldom);
    assertThat(inFlight("WithNodeGroup, load factor 1.2", 10)).isLessThan(often);
  }

  private static double inFlight(String arm, int reports) throws Exception {
    PlacementScenario scenario =
        PlacementScenario.of("x", UniformExperiment.large(), Load.of(BLOCKS))
            .with(Change.reporting(reports));
    return PlacementRun.run(scenario, Candidate.stockPolicies().get(arm), 1).inFlight().mean();
  }
}
