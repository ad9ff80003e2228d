package io.evenkeel.bench.mover;

import io.evenkeel.bench.experiment.Arms;
import io.evenkeel.bench.experiment.Comparison;
import io.evenkeel.bench.experiment.Experiment;
import io.evenkeel.bench.experiment.RunSettings;
import java.util.ArrayList;
import java.util.List;

/** How long one file takes from its disks to the SSDs of the same DataNodes. */
public final class FileExperiment implements Experiment {
  private static final double LIMIT_SECONDS = 180;
  private static final int RUNS = 3;
  private static final int QUICK_RUNS = 1;

  @Override
  public String name() {
    return "mover.file";
  }

  @Override
  public String description() {
    return "time until 30 replicas of one file are on SSD and until the tool is back";
  }

  /**
   * The same file twice.
   *
   * @param again when there is nothing to move
   */
  private record Twice(Run first, Run again) {}

  @Override
  public List<Comparison> run(RunSettings settings) throws Exception {
    settings.say("mover.file: hdfs mover, by default and tuned, and ours in turn");
    try (MoverCluster cluster = new MoverCluster(MoverCluster.BOTH)) {
      Arms<Twice> arms =
          Arms.inTurn(
              settings.quick() ? QUICK_RUNS : RUNS,
              StockArms.movers(),
              StockArms.of(OurMover::tool),
              (arm, i) -> twice(cluster, arm));
      List<Comparison> rows = new ArrayList<>();
      rows.addAll(arms.mean("30 replicas on SSD, as the NameNode says", "s", r -> r.first.all()));
      rows.addAll(arms.mean("the tool is back", "s", r -> r.first.back()));
      rows.addAll(arms.mean("the tool is back, nothing to move", "s", r -> r.again.back()));
      return rows;
    }
  }

  private static Twice twice(MoverCluster cluster, StockArms.Arm arm) throws Exception {
    Run.Goal goal = cluster.misplaced(1, LIMIT_SECONDS);
    return new Twice(arm.run(cluster, goal).mustComplete(), arm.run(cluster, goal));
  }
}
