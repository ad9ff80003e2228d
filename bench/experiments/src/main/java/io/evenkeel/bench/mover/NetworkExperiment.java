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
    int files = Sizes.of(settings, "network-files", FILES, QUICK_FILES);
    try (MoverRig rig = MoverRig.start(MoverRig.APART)) {
      settings.progress().accept("evenkeel: mover.network: " + files + " files, ours");
      Run ours =
          Run.of(rig, rig.misplaced("/ours", files, LIMIT_SECONDS), OurMover.tool(rig, "/ours"));
      ours.mustComplete();
      settings.progress().accept("evenkeel: mover.network: hdfs mover");
      Run stock =
          Run.of(
              rig, rig.misplaced("/stock", files, LIMIT_SECONDS), StockMover.tool(rig, "/stock"));
      stock.mustComplete();
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
}
