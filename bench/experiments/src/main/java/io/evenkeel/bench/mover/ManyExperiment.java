package io.evenkeel.bench.mover;

import io.evenkeel.bench.embedded.StockSatisfier;
import io.evenkeel.bench.experiment.Comparison;
import io.evenkeel.bench.experiment.Experiment;
import io.evenkeel.bench.experiment.RunSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

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
    int files = Sizes.of(settings, "files", FILES, QUICK_FILES);
    int limit = Sizes.of(settings, "satisfier-seconds", SATISFIER_SECONDS, QUICK_SATISFIER_SECONDS);
    int runs = Sizes.of(settings, "runs", RUNS, QUICK_RUNS);
    List<Run> ours = new ArrayList<>();
    List<Run> mover = new ArrayList<>();
    try (MoverRig rig = MoverRig.start(MoverRig.BOTH)) {
      // Both sides once without counting, and then in turn: the first in a new JVM is the slowest.
      for (int i = -1; i < runs; i++) {
        String run = i < 0 ? "warm-up" : "run " + (i + 1) + " of " + runs;
        settings.progress().accept("evenkeel: mover.many: " + files + " files, " + run + ", ours");
        Run.Goal our = rig.misplaced("/ours-" + i, files, MOVER_SECONDS);
        ours.add(Run.of(rig, our, OurMover.tool(rig, "/ours-" + i)).mustComplete());
        settings.progress().accept("evenkeel: mover.many: hdfs mover, " + run);
        Run.Goal his = rig.misplaced("/stock-" + i, files, MOVER_SECONDS);
        mover.add(Run.of(rig, his, StockMover.tool(rig, "/stock-" + i)).mustComplete());
      }
      ours.remove(0);
      mover.remove(0);
      List<Comparison> rows = new ArrayList<>(besideMover(mover, ours));
      if (StockSatisfier.exists()) {
        settings.progress().accept("evenkeel: mover.many: satisfier, at most " + limit + " s each");
        Run.Goal goal = rig.misplaced("/sps", files, limit);
        rows.add(rate("beside satisfier", List.of(satisfier(rig, goal, 1)), ours));
        Run.Goal tuned = rig.misplaced("/tuned", files, limit);
        rows.add(
            rate(
                "beside satisfier, multiplier " + TUNED,
                List.of(satisfier(rig, tuned, TUNED)),
                ours));
      }
      return rows;
    }
  }

  private static List<Comparison> besideMover(List<Run> mover, List<Run> ours) {
    return List.of(
        rate("beside mover", mover, ours),
        row("all on SSD, beside mover", "s", Run::all, mover, ours),
        row("back, beside mover", "s", Run::back, mover, ours),
        row("listings, beside mover", "calls", r -> r.calls().listings(), mover, ours),
        row("all calls, beside mover", "calls", r -> r.calls().all(), mover, ours));
  }

  private static Run satisfier(MoverRig rig, Run.Goal goal, int multiplier) throws Exception {
    String file = goal.files().get(0);
    String directory = file.substring(0, file.lastIndexOf('/'));
    try (StockSatisfier unused = StockSatisfier.start(rig.conf(), multiplier)) {
      return Run.of(rig, goal, () -> rig.fs().satisfyStoragePolicy(MoverRig.path(directory)));
    }
  }

  private static Comparison rate(String beside, List<Run> stock, List<Run> ours) {
    int moved = stock.get(0).moved();
    return row("replicas, " + beside + ", " + moved + " moved", "1/s", Run::perSecond, stock, ours);
  }

  private static Comparison row(
      String label, String unit, ToDoubleFunction<Run> value, List<Run> stock, List<Run> ours) {
    return Comparison.repeated(
        label,
        unit,
        stock.stream().mapToDouble(value).toArray(),
        ours.stream().mapToDouble(value).toArray());
  }
}
