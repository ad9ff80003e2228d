package io.evenkeel.bench.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.evenkeel.bench.experiment.Comparison;
import io.evenkeel.bench.experiment.RunSettings;
import io.evenkeel.bench.placement.NameNodeExperiment.Plan;
import io.evenkeel.bench.placement.NameNodeLoad.Clients;
import io.evenkeel.bench.sim.placement.Candidate;
import io.evenkeel.bench.sim.placement.Shape;
import io.evenkeel.common.testing.Await;
import java.util.List;
import org.apache.hadoop.util.VersionInfo;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class NameNodeExperimentIT {
  private static final Clients INSIDE = new Clients(2, true);
  private static final Clients OUTSIDE = new Clients(3, false);

  @BeforeEach
  void needsCreateOfLaterReleases() {
    assumeThat(VersionInfo.getVersion()).doesNotStartWith("3.1.");
  }

  @Test
  void write_clientsInsideAndOutside_nameNodeHasAllBlocksAndReplicas() throws Exception {
    for (Candidate candidate : List.of(Candidate.STOCK_NODE_GROUPS, Candidate.OURS_NODE_GROUPS)) {
      try (NameNodeLoad load = NameNodeLoad.start(candidate, Shape.of(3, 2, 2).places(), 2, 1)) {
        load.write(INSIDE, 95);
        load.write(OUTSIDE, 30);
        Await.until(
            "150 blocks with 450 replicas",
            () -> load.stored().equals(new NameNodeLoad.Stored(150, 450)));
        assertThat(load.choose(10)).isPositive();
      }
    }
  }

  @Test
  void run_tinyPlan_comparesEveryStockPolicyWithEveryKindOfClient() throws Exception {
    Plan plan = new Plan(List.of(2), 1, List.of(INSIDE, OUTSIDE), 20, 10, 2);
    List<Comparison> rows = NameNodeExperiment.run(plan, new RunSettings(true, 1, line -> {}));
    int others = Candidate.otherStock().size();
    assertThat(others).isEqualTo(4);
    assertThat(rows).hasSize(2 * (2 * 4 + others) + 2);
    assertThat(rows)
        .filteredOn(row -> !row.quantity().endsWith("processor time")) // counts ticks of 10 ms
        .allMatch(row -> row.stock() > 0 && row.evenkeel() > 0);
    for (String policy :
        List.of(
            "WithNodeGroup",
            "Default",
            "RackFaultTolerant",
            "WithUpgradeDomain",
            "AvailableSpace",
            "AvailableSpaceRackFaultTolerant")) {
      assertThat(rows)
          .filteredOn(row -> row.quantity().endsWith(", " + policy + ": blocks"))
          .extracting(Comparison::quantity)
          .containsExactly(
              "80 DNs, 2 thread(s), " + policy + ": blocks",
              "80 DNs, 3 thread(s) outside, " + policy + ": blocks");
    }
  }
}
