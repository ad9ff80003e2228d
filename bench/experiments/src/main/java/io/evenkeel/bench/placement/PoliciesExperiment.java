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
 * and seeds. DataNodes report their load and their space so often in the time of a block.
 */
public final class PoliciesExperiment implements Experiment {
  private static final int BLOCKS = 112_000;
  private static final int QUICK_BLOCKS = 10_000;
  private static final int RUNS = 3;
  private static final int QUICK_RUNS = 2;

  /** How often DataNodes report in the time of a block: each 3 s, and 3 s, 30 s or 90 s a block. */
  private static final List<Integer> REPORTS = List.of(1, 10, 30);

  private static final String AS_REPORTED = " reports a block: ";
  private static final String ANY = "\\d+" + AS_REPORTED;
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
    return "every stock policy beside ours, 636 DataNodes on 32 hosts: hosts, racks, load by reports";
  }

  @Override
  public List<Problem> problems() {
    return List.of(
        Problem.less("Blocks with two replicas on one host", ANY + DOUBLED),
        Problem.less("Fullest DataNode over the mean (HDFS-7122)", ANY + FULLEST),
        Problem.less("Busiest DataNode over the mean, blocks in flight", ANY + BUSIEST));
  }

  @Override
  public List<Comparison> run(RunSettings settings) throws Exception {
    if (!PolicyPair.usable(settings)) {
      return List.of();
    }
    int blocks = settings.quick() ? QUICK_BLOCKS : BLOCKS;
    String share = String.format(Locale.ROOT, "of %,d", blocks);
    List<Comparison> rows = new ArrayList<>();
    for (int reports : REPORTS) {
      PlacementScenario scenario =
          PlacementScenario.of("636 DNs", UniformExperiment.large(), Load.of(blocks))
              .with(Change.reporting(reports));
      String label = reports + AS_REPORTED;
      settings.say(name() + ": " + label + blocks + " blocks by each policy");
      Arms<PlacementResult> arms =
          Arms.inTurn(
              settings.quick() ? QUICK_RUNS : RUNS,
              Candidate.stockPolicies(),
              Candidate.OURS_NODE_GROUPS,
              (policy, i) -> PlacementRun.run(scenario, policy, settings.seed() + i));
      rows.addAll(arms.mean(label + DOUBLED, share, r -> r.violations().sameHost()));
      rows.addAll(arms.mean(label + ONE_RACK, share, r -> r.violations().oneRack()));
      rows.addAll(arms.mean(label + FULLEST, "", r -> r.replicas().mostOverMean()));
      rows.addAll(arms.mean(label + BUSIEST, "", r -> r.inFlight().mean()));
    }
    return rows;
  }
}
