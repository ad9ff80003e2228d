package io.evenkeel.bench.mover;

import io.evenkeel.bench.experiment.Comparison;
import io.evenkeel.bench.experiment.Experiment;
import io.evenkeel.bench.experiment.RunSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

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

  @Override
  public List<Comparison> run(RunSettings settings) throws Exception {
    List<Run> ours = new ArrayList<>();
    List<Run> stock = new ArrayList<>();
    List<Run> oursAgain = new ArrayList<>();
    List<Run> stockAgain = new ArrayList<>();
    int runs = Sizes.of(settings, "runs", RUNS, QUICK_RUNS);
    try (MoverRig rig = MoverRig.start(MoverRig.BOTH)) {
      for (int i = 0; i < runs; i++) {
        settings.progress().accept("evenkeel: mover.file: run " + (i + 1) + " of " + runs);
        Run.Goal our = rig.misplaced("/ours-" + i, 1, LIMIT_SECONDS);
        ours.add(Run.of(rig, our, OurMover.tool(rig, our.files().get(0))).mustComplete());
        oursAgain.add(Run.of(rig, our, OurMover.tool(rig, our.files().get(0))));
        Run.Goal his = rig.misplaced("/stock-" + i, 1, LIMIT_SECONDS);
        stock.add(Run.of(rig, his, StockMover.tool(rig, his.files().get(0))).mustComplete());
        stockAgain.add(Run.of(rig, his, StockMover.tool(rig, his.files().get(0))));
      }
    }
    return List.of(
        row("30 replicas on SSD, as the NameNode says", Run::all, stock, ours),
        row("the tool is back", Run::back, stock, ours),
        row("the tool is back, nothing to move", Run::back, stockAgain, oursAgain));
  }

  private static Comparison row(
      String label, ToDoubleFunction<Run> value, List<Run> stock, List<Run> ours) {
    return Comparison.repeated(
        label,
        "s",
        stock.stream().mapToDouble(value).toArray(),
        ours.stream().mapToDouble(value).toArray());
  }
}
