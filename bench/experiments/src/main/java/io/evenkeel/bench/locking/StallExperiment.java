package io.evenkeel.bench.locking;

import io.evenkeel.bench.experiment.Comparison;
import io.evenkeel.bench.experiment.Experiment;
import io.evenkeel.bench.experiment.RunSettings;
import io.evenkeel.bench.locking.StallRun.Where;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** How long clients wait for a dataset while the disk I/O of one block of another volume hangs. */
public final class StallExperiment implements Experiment {
  private static final long STUCK_MILLIS = 5000;
  private static final long QUICK_STUCK_MILLIS = 1500;
  private static final int RUNS = 5;
  private static final int QUICK_RUNS = 1;

  @Override
  public String name() {
    return "locking.stall";
  }

  @Override
  public String description() {
    return "waits of writers and readers of a DataNode while the I/O of one block hangs";
  }

  /** One measurement on one DataNode. */
  private interface Scene {
    StallRun run(DatasetRig rig, Where where, long millis) throws Exception;
  }

  @Override
  public List<Comparison> run(RunSettings settings) throws Exception {
    if (!Release.has(settings, name())) {
      return List.of();
    }
    List<Comparison> rows = new ArrayList<>();
    List<StallRun> stock = new ArrayList<>();
    List<StallRun> ours = new ArrayList<>();
    for (BackgroundEvents.Event event : BackgroundEvents.all()) {
      List<List<StallRun>> both =
          runs(
              settings,
              event.label(),
              (rig, where, millis) -> StallRun.beside(rig, event.preparation(), where, millis));
      stock.addAll(both.get(0));
      ours.addAll(both.get(1));
      rows.addAll(rows(event.label(), both.get(0), both.get(1)));
    }
    rows.add(row("worst of all calls and events", StallRun::worst, stock, ours));
    rows.add(row("the same, of an idle thread", StallRun::idle, stock, ours));
    rows.add(row("the same, beyond the idle thread", StallRun::beyondIdle, stock, ours));
    sameType(settings, rows, "next id, all volumes of the type in turn", null);
    sameType(settings, rows, "next id, other volume of the type", BackgroundEvents.OTHER_OF_TYPE);
    sameType(settings, rows, "next id, same volume", BackgroundEvents.SLOW);
    return rows;
  }

  private static void sameType(
      RunSettings settings, List<Comparison> rows, String label, Integer volume) throws Exception {
    List<List<StallRun>> both =
        runs(
            settings, label, (rig, where, millis) -> StallRun.sameType(rig, volume, where, millis));
    rows.add(row(label, StallRun::worst, both.get(0), both.get(1)));
  }

  /** Runs of stock and of ours, in turn, each on a DataNode of its own. */
  private static List<List<StallRun>> runs(RunSettings settings, String label, Scene scene)
      throws Exception {
    settings.progress().accept("evenkeel: locking.stall: " + label);
    List<StallRun> stock = new ArrayList<>();
    List<StallRun> ours = new ArrayList<>();
    long millis = settings.quick() ? QUICK_STUCK_MILLIS : STUCK_MILLIS;
    try (DatasetRig stockRig = DatasetRig.start(BackgroundEvents.VOLUMES, null);
        DatasetRig ourRig = DatasetRig.start(BackgroundEvents.VOLUMES, DatasetRig.OURS)) {
      for (int i = 0; i < (settings.quick() ? QUICK_RUNS : RUNS); i++) {
        Where where = Where.values()[i % Where.values().length];
        stock.add(scene.run(stockRig, where, millis));
        ours.add(scene.run(ourRig, where, millis));
      }
    }
    return List.of(stock, ours);
  }

  private static List<Comparison> rows(String label, List<StallRun> stock, List<StallRun> ours) {
    return List.of(
        row(label + ", createRbw", StallRun::create, stock, ours),
        row(label + ", finalizeBlock", StallRun::finish, stock, ours),
        row(label + ", open", StallRun::open, stock, ours));
  }

  private static Comparison row(
      String label, ToDoubleFunction<StallRun> value, List<StallRun> stock, List<StallRun> ours) {
    return Comparison.repeated(
        label,
        "ms",
        stock.stream().mapToDouble(value).toArray(),
        ours.stream().mapToDouble(value).toArray());
  }
}
