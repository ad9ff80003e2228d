package io.evenkeel.bench.placement;

import io.evenkeel.bench.experiment.Arms;
import io.evenkeel.bench.experiment.Comparison;
import io.evenkeel.bench.experiment.Experiment;
import io.evenkeel.bench.experiment.Problem;
import io.evenkeel.bench.experiment.RunSettings;
import io.evenkeel.bench.sim.placement.Candidate;
import io.evenkeel.bench.sim.placement.PlacementResult;
import io.evenkeel.bench.sim.placement.PlacementRun;
import io.evenkeel.bench.sim.placement.PlacementScenario;
import io.evenkeel.bench.sim.placement.PlacementScenario.Change;
import io.evenkeel.bench.sim.placement.PlacementScenario.Load;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * All stock policies beside ours, each on the topology it is made for: the same DataNodes, writers
 * and seeds. DataNodes report their load and their space.
 */
public final class PoliciesExperiment implements Experiment {
  private static final int BLOCKS = 112_000;
  private static final int QUICK_BLOCKS = 10_000;
  private static final int RUNS = 5;
  private static final int QUICK_RUNS = 2;
  private static final String DOUBLED = "blocks with two replicas on a host";
  private static final String ONE_RACK = "blocks on one rack";
  private static final String FULLEST = "replicas, max/mean";
  private static final String BUSIEST = "in flight, max/mean, average";

  @Override
  public String name() {
    return "placement.policies";
  }

  @Override
  public String description() {
    return "every stock policy beside ours, 636 DataNodes on 32 hosts: hosts, racks, load";
  }

  @Override
  public List<Problem> problems() {
    return List.of(
        Problem.less("Blocks with two replicas on one host", DOUBLED),
        Problem.less("Fullest DataNode over the mean (HDFS-7122)", FULLEST),
        Problem.less("Busiest DataNode over the mean, blocks in flight", BUSIEST));
  }

  @Override
  public List<Comparison> run(RunSettings settings) throws Exception {
    if (!PolicyPair.usable(settings)) {
      return List.of();
    }
    int blocks = settings.quick() ? QUICK_BLOCKS : BLOCKS;
    PlacementScenario scenario =
        PlacementScenario.of("636 DNs", UniformExperiment.large(), Load.of(blocks))
            .with(Change.reporting());
    settings.say(name() + ": " + blocks + " blocks by each policy");
    Arms<PlacementResult> arms =
        Arms.inTurn(
            settings.quick() ? QUICK_RUNS : RUNS,
            Candidate.stockPolicies(),
            Candidate.OURS_NODE_GROUPS,
            (policy, i) -> PlacementRun.run(scenario, policy, settings.seed() + i));
    String share = String.format(Locale.ROOT, "of %,d", blocks);
    List<Comparison> rows = new ArrayList<>();
    rows.addAll(arms.mean(DOUBLED, share, r -> r.violations().sameHost()));
    rows.addAll(arms.mean(ONE_RACK, share, r -> r.violations().oneRack()));
    rows.addAll(arms.mean(FULLEST, "", r -> r.replicas().mostOverMean()));
    rows.addAll(arms.mean(BUSIEST, "", r -> r.inFlight().mean()));
    return rows;
  }
}
