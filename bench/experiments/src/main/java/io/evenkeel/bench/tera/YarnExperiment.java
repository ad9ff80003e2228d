package io.evenkeel.bench.tera;

import io.evenkeel.bench.experiment.Comparison;
import io.evenkeel.bench.experiment.Experiment;
import io.evenkeel.bench.experiment.RunSettings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** Whole validation jobs by YARN, in turn, with the same number of map tasks on both sides. */
public final class YarnExperiment implements Experiment {
  private static final int ROUNDS = 4;
  private static final long BYTES = 4L << 30;

  @Override
  public String name() {
    return "terasort.yarn";
  }

  @Override
  public String description() {
    return "run time of the map tasks and of the job, validated by YARN, 4 map tasks each";
  }

  @Override
  public List<Comparison> run(RunSettings settings) throws Exception {
    if (settings.quick()) {
      settings.progress().accept("evenkeel: terasort.yarn: takes minutes, left out of a quick run");
      return List.of();
    }
    List<YarnRig.Run> stock = new ArrayList<>();
    List<YarnRig.Run> ours = new ArrayList<>();
    try (YarnRig rig = YarnRig.start()) {
      settings.progress().accept("evenkeel: terasort.yarn: writing " + (BYTES >> 20) + " MiB");
      rig.write(BYTES);
      checked(rig.stock());
      checked(rig.evenkeel());
      for (int i = 0; i < ROUNDS; i++) {
        settings.progress().accept("evenkeel: terasort.yarn: pair " + (i + 1));
        stock.add(checked(rig.stock()));
        ours.add(checked(rig.evenkeel()));
      }
    }
    String size = (BYTES >> 20) + " MiB: ";
    return List.of(
        row(size + "map tasks", "", YarnRig.Run::maps, stock, ours),
        row(size + "run time of all map tasks", "s", YarnRig.Run::mapSeconds, stock, ours),
        row(size + "with the start of JVMs", "s", YarnRig.Run::launchedSeconds, stock, ours),
        row(size + "processor time of all tasks", "s", YarnRig.Run::cpuSeconds, stock, ours),
        row(size + "elapsed", "s", YarnRig.Run::seconds, stock, ours));
  }

  private static YarnRig.Run checked(YarnRig.Run run) throws IOException {
    if (run.maps() != YarnRig.TASKS) {
      throw new IOException(run.maps() + " map tasks, not " + YarnRig.TASKS);
    }
    return run;
  }

  private static Comparison row(
      String quantity,
      String unit,
      ToDoubleFunction<YarnRig.Run> value,
      List<YarnRig.Run> stock,
      List<YarnRig.Run> ours) {
    return Comparison.repeated(
        quantity,
        unit,
        stock.stream().mapToDouble(value).toArray(),
        ours.stream().mapToDouble(value).toArray());
  }
}
