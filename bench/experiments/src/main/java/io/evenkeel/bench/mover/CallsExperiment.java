package io.evenkeel.bench.mover;

import io.evenkeel.bench.experiment.Comparison;
import io.evenkeel.bench.experiment.Experiment;
import io.evenkeel.bench.experiment.RunSettings;
import java.util.ArrayList;
import java.util.List;

/** What the NameNode is asked while one file is moved, in namespaces of different sizes. */
public final class CallsExperiment implements Experiment {
  private static final double LIMIT_SECONDS = 180;

  @Override
  public String name() {
    return "mover.calls";
  }

  @Override
  public String description() {
    return "calls of the NameNode to move one file of 30 replicas, by files in the namespace";
  }

  @Override
  public List<Comparison> run(RunSettings settings) throws Exception {
    List<Comparison> rows = new ArrayList<>();
    try (MoverRig rig = MoverRig.start(MoverRig.BOTH)) {
      for (int files : Sizes.list(settings, "namespace", "1000,10000,50000", "1000")) {
        settings.progress().accept("evenkeel: mover.calls: " + files + " files");
        rig.fill(files);
        rows.addAll(rows(rig, files));
      }
    }
    return rows;
  }

  private static List<Comparison> rows(MoverRig rig, int files) throws Exception {
    String label = files + " files, beside mover -p ";
    Run ours = one(rig, "/ours-" + files, Side.OURS);
    Run byFile = one(rig, "/by-file-" + files, Side.FILE);
    Run byRoot = one(rig, "/by-root-" + files, Side.ROOT);
    return List.of(
        Comparison.counted(label + "file", "calls", byFile.calls().all(), ours.calls().all()),
        Comparison.counted(label + "/", "calls", byRoot.calls().all(), ours.calls().all()),
        Comparison.counted(
            label + "/, listings", "calls", byRoot.calls().listings(), ours.calls().listings()));
  }

  private enum Side {
    OURS,
    FILE,
    ROOT
  }

  private static Run one(MoverRig rig, String directory, Side side) throws Exception {
    Run.Goal goal = rig.misplaced(directory, 1, LIMIT_SECONDS);
    String file = goal.files().get(0);
    Run.Tool tool =
        switch (side) {
          case OURS -> OurMover.tool(rig, file);
          case FILE -> StockMover.tool(rig, file);
          case ROOT -> StockMover.tool(rig, "/");
        };
    return Run.of(rig, goal, tool).mustComplete();
  }
}
