package io.evenkeel.bench.mover;

import io.evenkeel.bench.embedded.StockSatisfier;
import io.evenkeel.bench.experiment.Comparison;
import io.evenkeel.bench.experiment.Experiment;
import io.evenkeel.bench.experiment.RunSettings;
import io.evenkeel.bench.experiment.Runs;
import java.util.ArrayList;
import java.util.List;

/** How fast a directory of many files moves inside its DataNodes. */
public final class ManyExperiment implements Experiment {
  private static final int FILES = 200;
  private static final int QUICK_FILES = 20;
  private static final double MOVER_SECONDS = 300;
  private static final int SATISFIER_SECONDS = 60;
  private static final int QUICK_SATISFIER_SECONDS = 15;
  private static final int TUNED = 1000;
  private static final int RUNS = 3;
  private static final int QUICK_RUNS = 1;

  @Override
  public String name() {
    return "mover.many";
  }

  @Override
  public String description() {
    return "replicas a second and listings for a directory of 200 files, DISK to SSD";
  }

  @Override
  public List<Comparison> run(RunSettings settings) throws Exception {
    int files = settings.quick() ? QUICK_FILES : FILES;
    int limit = settings.quick() ? QUICK_SATISFIER_SECONDS : SATISFIER_SECONDS;
    Run.Mover stock = StockMover::tool;
    Run.Mover ours = OurMover::tool;
    List<Comparison> rows = new ArrayList<>();
    try (MoverCluster cluster = new MoverCluster(MoverCluster.BOTH)) {
      settings.say("mover.many: " + files + " files, hdfs mover and ours in turn");
      // One round does not count: the first in a new JVM is the slowest.
      Runs<Run> runs =
          Runs.inTurn(
                  1 + (settings.quick() ? QUICK_RUNS : RUNS),
                  stock,
                  ours,
                  (mover, i) -> move(cluster, cluster.misplaced(files, MOVER_SECONDS), mover))
              .from(1);
      rows.add(rate("beside mover", runs));
      rows.add(runs.mean("all on SSD, beside mover", "s", Run::all));
      rows.add(runs.mean("back, beside mover", "s", Run::back));
      rows.add(runs.mean("listings, beside mover", "calls", r -> r.calls().listings()));
      rows.add(runs.mean("all calls, beside mover", "calls", r -> r.calls().all()));
      if (StockSatisfier.exists()) {
        settings.say("mover.many: satisfier, at most " + limit + " s each");
        Run one = satisfier(cluster, cluster.misplaced(files, limit), 1);
        rows.add(rate("beside satisfier", new Runs<>(List.of(one), runs.evenkeel())));
        Run tuned = satisfier(cluster, cluster.misplaced(files, limit), TUNED);
        rows.add(
            rate(
                "beside satisfier, multiplier " + TUNED,
                new Runs<>(List.of(tuned), runs.evenkeel())));
      }
    }
    return rows;
  }

  private static Run move(MoverCluster cluster, Run.Goal goal, Run.Mover mover) throws Exception {
    return Run.of(cluster, goal, mover.tool(cluster, goal.directory())).mustComplete();
  }

  private static Run satisfier(MoverCluster cluster, Run.Goal goal, int multiplier)
      throws Exception {
    try (StockSatisfier unused = StockSatisfier.start(cluster.conf(), multiplier)) {
      return Run.of(
          cluster,
          goal,
          () -> cluster.fs().satisfyStoragePolicy(MoverCluster.path(goal.directory())));
    }
  }

  private static Comparison rate(String beside, Runs<Run> runs) {
    int moved = runs.stock().get(0).moved();
    return runs.mean("replicas, " + beside + ", " + moved + " moved", "1/s", Run::perSecond);
  }
}
