package io.evenkeel.bench.tera;

import io.evenkeel.bench.embedded.HostPlan;
import io.evenkeel.bench.experiment.Comparison;
import io.evenkeel.bench.experiment.Experiment;
import io.evenkeel.bench.experiment.RunSettings;
import io.evenkeel.bench.experiment.Runs;
import io.evenkeel.bench.runtime.Layout;
import io.evenkeel.bench.runtime.Layout.Vm;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.InputSplit;

/** Processor time of the map tasks' threads on files in HDFS; both in turn, both warm. */
public final class TasksExperiment implements Experiment {
  /** Of the calling thread, which others on the machine do not add to. */
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private static final int PARTITIONS = 4;
  private static final long BLOCK = 16L << 20;
  private static final int ROUNDS = 5;
  private static final int QUICK_ROUNDS = 2;
  private static final int WARM_UP = 2;

  @Override
  public String name() {
    return "terasort.tasks";
  }

  @Override
  public String description() {
    return "processor time of the map tasks that validate files in HDFS, blocks of 16 MiB";
  }

  @Override
  public List<Comparison> run(RunSettings settings) throws Exception {
    HostPlan plan = HostPlan.of(new Layout(PARTITIONS, 1, 1));
    long partition = settings.quick() ? 2 * BLOCK : 4 * BLOCK;
    partition = (partition + BLOCK / 4) / 100 * 100;
    int rounds = settings.quick() ? QUICK_ROUNDS : ROUNDS;
    Path input = new Path("/sorted");
    try (TeraCluster cluster = new TeraCluster(plan, BLOCK, 1)) {
      settings.say("terasort.tasks: writing the input");
      for (Vm host : plan.vms()) {
        cluster.write(input, host.number(), partition, host);
      }
      Configuration conf = cluster.clientOn(plan.vms().get(0));
      Validator stock = new StockValidator();
      Validator ours = new BlockValidator();
      Runs<Double> seconds =
          Runs.inTurn(
              WARM_UP + rounds, stock, ours, (validator, i) -> seconds(validator, conf, input));
      String label = (PARTITIONS * partition / 1_000_000) + " MB, processor time of the tasks";
      return List.of(seconds.from(WARM_UP).mean(label, "s", value -> value));
    }
  }

  /** The plan is the client's work and is not counted. */
  private static double seconds(Validator validator, Configuration conf, Path input)
      throws Exception {
    Path scratch = new Path("/scratch-" + System.nanoTime());
    List<InputSplit> splits = validator.splits(conf, input, scratch);
    long nanos = 0;
    for (int i = 0; i < splits.size(); i++) {
      long before = THREADS.getCurrentThreadCpuTime();
      validator.map(splits.get(i), conf, i);
      nanos += THREADS.getCurrentThreadCpuTime() - before;
    }
    return nanos / 1e9;
  }
}
