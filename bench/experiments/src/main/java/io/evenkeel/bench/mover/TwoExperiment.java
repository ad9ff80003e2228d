package io.evenkeel.bench.mover;

import io.evenkeel.bench.experiment.Comparison;
import io.evenkeel.bench.experiment.Experiment;
import io.evenkeel.bench.experiment.RunSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Two movers on the same files at once; ours are processes of their own. */
public final class TwoExperiment implements Experiment {
  private static final int FILES = 50;
  private static final int QUICK_FILES = 10;
  private static final int SETTLE_SECONDS = 30;

  @Override
  public String name() {
    return "mover.two";
  }

  @Override
  public String description() {
    return "two movers at once on the same 50 files: what is on SSD, replicas of each block";
  }

  /** Ends with 0 when it was satisfied. */
  private interface Mover {
    int move(MoverRig rig, String directory) throws Exception;
  }

  /** What two movers left behind. */
  private record Pair(int content, View view) {}

  @Override
  public List<Comparison> run(RunSettings settings) throws Exception {
    int files = Sizes.of(settings, "two-files", FILES, QUICK_FILES);
    Mover ours = (rig, directory) -> OurProcess.run(rig.conf(), directory);
    Mover stock = (rig, directory) -> StockMover.run(rig.conf(), directory);
    List<Comparison> rows = new ArrayList<>();
    for (List<String> nodes : List.of(MoverRig.BOTH, MoverRig.APART)) {
      String where = nodes == MoverRig.BOTH ? "same DataNodes, " : "other DataNodes, ";
      try (MoverRig rig = MoverRig.start(nodes)) {
        settings.progress().accept("evenkeel: mover.two: " + where + "two of ours");
        Pair twoOfOurs = both(rig, "/ours", files, List.of(ours, ours));
        settings.progress().accept("evenkeel: mover.two: " + where + "two of stock's");
        Pair twoOfStock = both(rig, "/stock", files, List.of(stock, stock));
        settings.progress().accept("evenkeel: mover.two: " + where + "one of each");
        Pair mixed = both(rig, "/mixed", files, List.of(stock, ours));
        rows.addAll(rows(where + "two of a kind: ", twoOfStock, twoOfOurs));
        rows.addAll(rows(where + "one of each, beside two of stock's: ", twoOfStock, mixed));
      }
    }
    return rows;
  }

  private static List<Comparison> rows(String label, Pair stock, Pair ours) {
    return List.of(
        Comparison.counted(label + "on SSD", "%", stock.view.percent(), ours.view.percent()),
        Comparison.counted(
            label + "fewest replicas of a block", "", stock.view.least(), ours.view.least()),
        Comparison.counted(
            label + "most replicas of a block", "", stock.view.most(), ours.view.most()),
        Comparison.counted(label + "movers that were content", "", stock.content, ours.content));
  }

  /** Looks once both are back and the NameNode had time to delete what is too much. */
  private static Pair both(MoverRig rig, String directory, int files, List<Mover> movers)
      throws Exception {
    Run.Goal goal = rig.misplaced(directory, files, SETTLE_SECONDS);
    ExecutorService threads = Executors.newFixedThreadPool(movers.size());
    int content = 0;
    try {
      List<Callable<Integer>> calls = new ArrayList<>();
      for (Mover mover : movers) {
        calls.add(() -> mover.move(rig, directory));
      }
      for (Future<Integer> code : threads.invokeAll(calls)) {
        content += code.get() == 0 ? 1 : 0;
      }
    } finally {
      threads.shutdownNow();
    }
    TimeUnit.SECONDS.sleep(SETTLE_SECONDS);
    return new Pair(content, rig.view(goal.files(), goal.type()));
  }
}
