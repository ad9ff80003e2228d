package io.evenkeel.bench.mover;

import io.evenkeel.bench.embedded.StockSatisfier;
import io.evenkeel.bench.experiment.Comparison;
import io.evenkeel.bench.experiment.Experiment;
import io.evenkeel.bench.experiment.RunSettings;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.Path;

/** What happens to the blocks of a directory that is renamed below another storage policy. */
public final class RenameExperiment implements Experiment {
  private static final int IDLE_SECONDS = 60;
  private static final int QUICK_IDLE_SECONDS = 10;
  private static final int RUNS = 3;
  private static final int QUICK_RUNS = 1;
  private static final double LIMIT_SECONDS = 120;
  private static final String CALLED = "rename to all on SSD, by FileMover.rename";
  private static final String FOLLOWED = "rename to all on SSD, by the daemon";

  @Override
  public String name() {
    return "mover.rename";
  }

  @Override
  public String description() {
    return "a COLD directory of 30 replicas is renamed below an ALL_SSD one: what moves, and when";
  }

  @Override
  public List<Comparison> run(RunSettings settings) throws Exception {
    int idle = Sizes.of(settings, "idle-seconds", IDLE_SECONDS, QUICK_IDLE_SECONDS);
    try (MoverRig rig = MoverRig.start(MoverRig.ALL_TIERS)) {
      rig.directory("/fast", "ALL_SSD");
      rig.directory("/cold", "COLD");
      int runs = Sizes.of(settings, "runs", RUNS, QUICK_RUNS);
      settings.progress().accept("evenkeel: mover.rename: by FileMover.rename");
      List<Run> called = new ArrayList<>();
      for (int i = 0; i < runs; i++) {
        rig.write("/cold/ours-" + i, 1, Sizes.BLOCKS);
        Run.Goal goal = goal("ours-" + i, LIMIT_SECONDS);
        called.add(OurMover.rename(rig, "/cold/ours-" + i, goal).mustComplete());
      }
      settings.progress().accept("evenkeel: mover.rename: by the daemon");
      Ours ours = new Ours(called, followed(rig, runs));
      if (!StockSatisfier.exists()) {
        settings.progress().accept("evenkeel: mover.rename: this Hadoop has no satisfier");
        return List.of(
            row(CALLED, Double.NaN, ours.called), row(FOLLOWED, Double.NaN, ours.followed));
      }
      settings.progress().accept("evenkeel: mover.rename: the satisfier, idle " + idle + " s");
      return besideSatisfier(rig, ours, idle);
    }
  }

  /**
   * Our runs.
   *
   * @param called by FileMover.rename
   * @param followed by a plain rename and the daemon
   */
  private record Ours(List<Run> called, List<Run> followed) {}

  private static List<Run> followed(MoverRig rig, int runs) throws Exception {
    List<Run> followed = new ArrayList<>();
    try (OurDaemon daemon = OurDaemon.start(rig, "/fast")) {
      for (int i = 0; i < runs; i++) {
        rig.write("/cold/followed-" + i, 1, Sizes.BLOCKS);
        daemon.awaitIdle();
        Path source = MoverRig.path("/cold/followed-" + i);
        Path renamed = MoverRig.path("/fast/followed-" + i);
        Run.Goal goal = goal("followed-" + i, LIMIT_SECONDS);
        followed.add(
            Run.of(rig, goal, View.NOTHING, () -> rig.fs().rename(source, renamed)).mustComplete());
      }
    }
    return followed;
  }

  private static List<Comparison> besideSatisfier(MoverRig rig, Ours ours, int idle)
      throws Exception {
    try (StockSatisfier unused = StockSatisfier.start(rig.conf(), 1)) {
      rig.write("/cold/stock", 1, Sizes.BLOCKS);
      Path renamed = MoverRig.path("/fast/stock");
      Run waiting =
          Run.of(
              rig,
              goal("stock", idle),
              View.NOTHING,
              () -> rig.fs().rename(MoverRig.path("/cold/stock"), renamed));
      Run asked =
          Run.of(rig, goal("stock", LIMIT_SECONDS), () -> rig.fs().satisfyStoragePolicy(renamed));
      String after = "replicas on SSD " + idle + " s after the rename, satisfier running";
      return List.of(
          Comparison.counted(
              after, "", waiting.end().onTarget(), ours.called.get(0).end().onTarget()),
          row(CALLED, waiting.all(), ours.called),
          row(FOLLOWED, waiting.all(), ours.followed),
          row("by FileMover.rename, beside satisfier once it is asked", asked.all(), ours.called));
    }
  }

  private static Comparison row(String label, double stock, List<Run> ours) {
    return Comparison.repeated(
        label, "s", new double[] {stock}, ours.stream().mapToDouble(Run::all).toArray());
  }

  private static Run.Goal goal(String name, double limit) {
    return new Run.Goal(List.of("/fast/" + name + "/file-0"), "SSD", limit);
  }
}
