package io.evenkeel.bench.mover;

import io.evenkeel.bench.experiment.Arms;
import io.evenkeel.bench.experiment.Comparison;
import io.evenkeel.bench.experiment.Experiment;
import io.evenkeel.bench.experiment.Problem;
import io.evenkeel.bench.experiment.RunSettings;
import io.evenkeel.bench.mover.MoverCluster.Written;
import java.util.ArrayList;
import java.util.List;

/** How fast a directory moves inside its DataNodes: many small blocks, and few of each size. */
public final class ManyExperiment implements Experiment {
  private static final int FILES = 200;
  private static final int QUICK_FILES = 20;
  private static final int FEW_FILES = 2;
  private static final long MIB = 1 << 20;
  private static final List<Long> SIZES = List.of((long) MoverCluster.BLOCK, 8 * MIB, 128 * MIB);
  private static final List<Long> QUICK_SIZES = List.of((long) MoverCluster.BLOCK, 8 * MIB);
  private static final double LIMIT_SECONDS = 60;
  private static final double QUICK_LIMIT_SECONDS = 15;
  private static final double FEW_LIMIT_SECONDS = 300;
  private static final int RUNS = 3;
  private static final int QUICK_RUNS = 1;
  private static final String RATE = "replicas a second";

  @Override
  public String name() {
    return "mover.many";
  }

  @Override
  public String description() {
    return "replicas a second, DISK to SSD: 200 files of 64 KiB blocks; 60 replicas of three sizes";
  }

  @Override
  public List<Problem> problems() {
    return List.of(
        Problem.more(
            "Replicas of 64 KiB moved in a second, many files", "\\d{3,} of 64 KiB: " + RATE),
        Problem.more("Replicas of 128 MiB moved in a second", "\\d+ of 128 MiB: " + RATE));
  }

  @Override
  public List<Comparison> run(RunSettings settings) throws Exception {
    boolean quick = settings.quick();
    List<Written> cases = new ArrayList<>();
    cases.add(Written.small(quick ? QUICK_FILES : FILES));
    for (long size : quick ? QUICK_SIZES : SIZES) {
      cases.add(new Written(FEW_FILES, MoverCluster.BLOCKS, size));
    }
    List<Comparison> rows = new ArrayList<>();
    try (MoverCluster cluster = new MoverCluster(MoverCluster.BOTH)) {
      for (Written files : cases) {
        rows.addAll(rows(cluster, files, settings));
      }
    }
    return rows;
  }

  private List<Comparison> rows(MoverCluster cluster, Written files, RunSettings settings)
      throws Exception {
    String label = files.replicas() + " of " + size(files.blockBytes()) + ": ";
    settings.say(name() + ": " + label + "each in turn");
    boolean quick = settings.quick();
    boolean few = files.count() == FEW_FILES;
    double limit = few ? FEW_LIMIT_SECONDS : quick ? QUICK_LIMIT_SECONDS : LIMIT_SECONDS;
    // The first round of all does not count: it is the slowest in a new JVM.
    int warmUp = few || quick ? 0 : 1;
    Arms<Run> arms =
        Arms.inTurn(
                warmUp + (quick ? QUICK_RUNS : RUNS),
                StockArms.all(),
                StockArms.of(OurMover::tool),
                (arm, i) -> {
                  Run.Goal goal = cluster.misplaced(files, limit);
                  Run run = arm.run(cluster, goal);
                  cluster.delete(goal.directory());
                  return run;
                })
            .from(warmUp);
    List<Comparison> rows = new ArrayList<>();
    rows.addAll(arms.mean(label + RATE, "", Run::perSecond));
    rows.addAll(arms.mean(label + "all on SSD", "s", Run::all));
    rows.addAll(arms.mean(label + "listings", "calls", r -> r.calls().listings()));
    rows.addAll(arms.mean(label + "all calls", "calls", r -> r.calls().all()));
    return rows;
  }

  private static String size(long bytes) {
    return bytes < MIB ? bytes / 1024 + " KiB" : bytes / MIB + " MiB";
  }
}
