package io.evenkeel.bench.mover;

import io.evenkeel.bench.experiment.Comparison;
import io.evenkeel.bench.experiment.Experiment;
import io.evenkeel.bench.experiment.RunSettings;
import java.util.List;

/** How fast files move to DataNodes they are not on. */
public final class NetworkExperiment implements Experiment {
  private static final int FILES = 60;
  private static final int QUICK_FILES = 6;
  private static final double LIMIT_SECONDS = 300;

  @Override
  public String name() {
    return "mover.network";
  }

  @Override
  public String description() {
    return "time until 60 files are on the SSDs of three other DataNodes";
  }

  @Override
  public List<Comparison> run(RunSettings settings) throws Exception {
    int files = settings.quick() ? QUICK_FILES : FILES;
    try (MoverCluster cluster = new MoverCluster(MoverCluster.APART)) {
      settings.say("mover.network: " + files + " files, ours");
      Run ours = move(cluster, files, OurMover::tool);
      settings.say("mover.network: hdfs mover");
      Run stock = move(cluster, files, StockMover::tool);
      return List.of(
          Comparison.counted(
              ours.moved() + " replicas on SSD, as the NameNode says",
              "s",
              stock.all(),
              ours.all()),
          Comparison.counted("the tool is back", "s", stock.back(), ours.back()),
          Comparison.counted("most replicas of a block", "", stock.most(), ours.most()),
          Comparison.counted(
              "listings", "calls", stock.calls().listings(), ours.calls().listings()),
          Comparison.counted("all calls", "calls", stock.calls().all(), ours.calls().all()));
    }
  }

  private static Run move(MoverCluster cluster, int files, Run.Mover mover) throws Exception {
    Run.Goal goal = cluster.misplaced(files, LIMIT_SECONDS);
    return Run.of(cluster, goal, mover.tool(cluster, goal.directory())).mustComplete();
  }
}
