package io.evenkeel.bench.mover;

import io.evenkeel.bench.experiment.Comparison;
import io.evenkeel.bench.experiment.Experiment;
import io.evenkeel.bench.experiment.RunSettings;
import io.evenkeel.bench.experiment.Runs;
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
    Run.Mover stock = StockMover::tool;
    Run.Mover ours = OurMover::tool;
    settings.say("mover.file: hdfs mover and ours in turn");
    try (MoverCluster cluster = new MoverCluster(MoverCluster.BOTH)) {
      Runs<Twice> runs =
          Runs.inTurn(
              settings.quick() ? QUICK_RUNS : RUNS,
              stock,
              ours,
              (mover, i) -> twice(cluster, mover));
      return List.of(
          runs.mean("30 replicas on SSD, as the NameNode says", "s", r -> r.first.all()),
          runs.mean("the tool is back", "s", r -> r.first.back()),
          runs.mean("the tool is back, nothing to move", "s", r -> r.again.back()));
    }
  }

  private static Twice twice(MoverCluster cluster, Run.Mover mover) throws Exception {
    Run.Goal goal = cluster.misplaced(1, LIMIT_SECONDS);
    Run.Tool tool = mover.tool(cluster, goal.files().get(0));
    return new Twice(Run.of(cluster, goal, tool).mustComplete(), Run.of(cluster, goal, tool));
  }
}
