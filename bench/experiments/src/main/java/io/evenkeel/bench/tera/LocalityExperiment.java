package io.evenkeel.bench.tera;

import io.evenkeel.bench.embedded.HostPlan;
import io.evenkeel.bench.embedded.SuiteLog;
import io.evenkeel.bench.experiment.Comparison;
import io.evenkeel.bench.experiment.Experiment;
import io.evenkeel.bench.experiment.RunSettings;
import io.evenkeel.bench.runtime.Layout;
import io.evenkeel.bench.runtime.Layout.Vm;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.ToDoubleFunction;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** Bytes that cross the network when each task runs on a host its split names. */
public final class LocalityExperiment implements Experiment {
  private static final int HOSTS = 8;
  private static final int BLOCKS = 25;
  private static final int RUNS = 5;
  private static final int QUICK_RUNS = 2;
  private static final String SCHEDULER = "mapreduce.terasort.use.terascheduler";

  @Override
  public String name() {
    return "terasort.locality";
  }

  @Override
  public String description() {
    return "bytes from other hosts when validating, 8 DataNodes, 3 replicas, 25 blocks a partition";
  }

  @Override
  public List<Comparison> run(RunSettings settings) throws Exception {
    HostPlan plan = HostPlan.of(new Layout(HOSTS, 1, 1));
    if (!plan.ownAddresses()) {
      settings.progress().accept("evenkeel: terasort.locality: no loopback address per host here");
      return List.of();
    }
    long block = settings.quick() ? 1L << 18 : 1L << 20;
    List<LocalityTally> scheduled = new ArrayList<>();
    List<LocalityTally> plain = new ArrayList<>();
    List<LocalityTally> ours = new ArrayList<>();
    try (TeraRig rig = new TeraRig(plan, block, 3);
        SuiteLog log = new SuiteLog()) {
      LocalityRun run = new LocalityRun(rig, log);
      Configuration job = rig.clientOn(plan.vms().get(0));
      Configuration off = new Configuration(job);
      off.setBoolean(SCHEDULER, false);
      for (int i = 0; i < (settings.quick() ? QUICK_RUNS : RUNS); i++) {
        settings.progress().accept("evenkeel: terasort.locality: data set " + (i + 1));
        Path input = new Path("/sorted" + i);
        write(rig, input, block, new Random(settings.seed() + i));
        scheduled.add(run.run(new StockSide(), job, input, null));
        plain.add(run.run(new StockSide(), off, input, null));
        ours.add(run.run(new OurSide(), job, input, new Path("/scratch" + i)));
        try (FileSystem fs = rig.fileSystem()) {
          fs.delete(input, true);
        }
      }
    }
    return rows(scheduled, plain, ours, block);
  }

  /** A partition from each host, in an order of the seed's. */
  private static void write(TeraRig rig, Path input, long block, Random random) throws Exception {
    List<Vm> writers = new ArrayList<>(rig.plan().vms());
    Collections.shuffle(writers, random);
    for (int i = 0; i < writers.size(); i++) {
      rig.write(input, i, BLOCKS * block / 100 * 100, writers.get(i));
    }
  }

  private static List<Comparison> rows(
      List<LocalityTally> stock, List<LocalityTally> plain, List<LocalityTally> ours, long block) {
    ToDoubleFunction<LocalityTally> remote = LocalityTally::remoteFraction;
    return List.of(
        row("read from another host", remote, stock, ours),
        row("the same, stock without TeraScheduler", remote, plain, ours),
        row("bytes read from another host", LocalityTally::remote, stock, ours),
        row("largest task, blocks", t -> (double) t.largestTask() / block, stock, ours),
        row("largest task over mean task", LocalityTally::largestOverMean, stock, ours),
        row("bytes per host, max/mean", LocalityTally::hostMaxOverMean, stock, ours),
        row("control: predicted by block locations", LocalityTally::predictedFraction, stock, ours),
        row("control: bytes sent over bytes of input", LocalityTally::wireOverInput, stock, ours));
  }

  private static Comparison row(
      String quantity,
      ToDoubleFunction<LocalityTally> value,
      List<LocalityTally> stock,
      List<LocalityTally> ours) {
    return Comparison.repeated(
        quantity,
        "",
        stock.stream().mapToDouble(value).toArray(),
        ours.stream().mapToDouble(value).toArray());
  }
}
