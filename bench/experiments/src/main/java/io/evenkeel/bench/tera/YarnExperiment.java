package io.evenkeel.bench.tera;

import io.evenkeel.bench.experiment.Comparison;
import io.evenkeel.bench.experiment.Experiment;
import io.evenkeel.bench.experiment.RunSettings;
import io.evenkeel.bench.experiment.Runs;
import java.util.List;
import java.util.function.Supplier;
import org.apache.hadoop.examples.terasort.TeraValidate;
import org.apache.hadoop.util.Tool;

/** Whole validation jobs by YARN, in turn, with the same number of map tasks in both arms. */
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
      settings.say("terasort.yarn: takes minutes, left out of a quick run");
      return List.of();
    }
    Supplier<Tool> stock = TeraValidate::new;
    Supplier<Tool> ours = YarnCluster::blockTeraValidate; // this class is loaded without Hadoop
    Runs<YarnCluster.Run> runs;
    try (YarnCluster cluster = new YarnCluster()) {
      settings.say("terasort.yarn: writing " + (BYTES >> 20) + " MiB");
      cluster.write(BYTES);
      cluster.run(stock.get()); // warms up
      cluster.run(ours.get());
      settings.say("terasort.yarn: " + ROUNDS + " jobs each");
      runs = Runs.inTurn(ROUNDS, stock, ours, (tool, i) -> cluster.run(tool.get()));
    }
    String size = (BYTES >> 20) + " MiB: ";
    return List.of(
        runs.mean(size + "run time of all map tasks", "s", YarnCluster.Run::mapSeconds),
        runs.mean(size + "with the start of JVMs", "s", YarnCluster.Run::launchedSeconds),
        runs.mean(size + "processor time of all tasks", "s", YarnCluster.Run::cpuSeconds),
        runs.mean(size + "elapsed", "s", YarnCluster.Run::seconds));
  }
}
