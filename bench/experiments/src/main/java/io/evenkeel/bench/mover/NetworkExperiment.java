package io.evenkeel.bench.mover;

import io.evenkeel.bench.experiment.Arms;
import io.evenkeel.bench.experiment.Comparison;
import io.evenkeel.bench.experiment.Experiment;
import io.evenkeel.bench.experiment.RunSettings;
import java.util.ArrayList;
import java.util.List;

/** How fast files move to DataNodes they are not on. */
public final class NetworkExperiment implements Experiment {
  private static final int FILES = 60;
  private static final int QUICK_FILES = 6;
  private static final double LIMIT_SECONDS = 120;
  private static final double QUICK_LIMIT_SECONDS = 45;

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
    double limit = settings.quick() ? QUICK_LIMIT_SECONDS : LIMIT_SECONDS;
    try (MoverCluster cluster = new MoverCluster(MoverCluster.APART)) {
      settings.say("mover.network: " + files + " files, each in turn");
      Arms<Run> arms =
          Arms.inTurn(
              1,
              StockArms.all(),
              StockArms.of(OurMover::tool),
              (arm, i) -> arm.run(cluster, cluster.misplaced(files, limit)));
      List<Comparison> rows = new ArrayList<>();
      rows.addAll(arms.mean("replicas on SSD in the end", "", Run::moved));
      rows.addAll(arms.mean("all on SSD, as the NameNode says", "s", Run::all));
      rows.addAll(arms.mean("most replicas of a block", "", Run::most));
      rows.addAll(arms.mean("listings", "calls", r -> r.calls().listings()));
      rows.addAll(arms.mean("all calls", "calls", r -> r.calls().all()));
      return rows;
    }
  }
}
