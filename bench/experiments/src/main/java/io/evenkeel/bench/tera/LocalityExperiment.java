package io.evenkeel.bench.tera;

import io.evenkeel.bench.embedded.HostPlan;
import io.evenkeel.bench.embedded.SuiteLog;
import io.evenkeel.bench.experiment.Comparison;
import io.evenkeel.bench.experiment.Experiment;
import io.evenkeel.bench.experiment.RunSettings;
import io.evenkeel.bench.experiment.Runs;
import io.evenkeel.bench.runtime.Layout;
import io.evenkeel.bench.runtime.Layout.Vm;
import io.evenkeel.bench.tera.LocalityRun.Tally;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
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
      settings.say("terasort.locality: no loopback address per host here");
      return List.of();
    }
    long block = settings.quick() ? 1L << 18 : 1L << 20;
    Runs<Tally> runs = new Runs<>();
    List<Tally> withoutTeraScheduler = new ArrayList<>();
    try (TeraCluster cluster = new TeraCluster(plan, block, 3);
        SuiteLog log = new SuiteLog()) {
      LocalityRun run = new LocalityRun(cluster, log);
      Configuration job = cluster.clientOn(plan.vms().get(0));
      Configuration off = new Configuration(job);
      off.setBoolean(SCHEDULER, false);
      for (int i = 0; i < (settings.quick() ? QUICK_RUNS : RUNS); i++) {
        settings.say("terasort.locality: data set " + (i + 1));
        Path input = new Path("/sorted" + i);
        write(cluster, input, block, new Random(settings.seed() + i));
        runs.stock().add(run.run(new StockValidator(), job, input, null));
        withoutTeraScheduler.add(run.run(new StockValidator(), off, input, null));
        runs.evenkeel().add(run.run(new BlockValidator(), job, input, new Path("/scratch" + i)));
        try (FileSystem fs = cluster.fileSystem()) {
          fs.delete(input, true);
        }
      }
    }
    return List.of(
        runs.mean("read from another host", "", Tally::remoteFraction),
        new Runs<>(withoutTeraScheduler, runs.evenkeel())
            .mean("the same, stock without TeraScheduler", "", Tally::remoteFraction),
        runs.mean("bytes read from another host", "", Tally::remote),
        runs.mean("largest task, blocks", "", tally -> (double) tally.largestTask() / block),
        runs.mean("largest task over mean task", "", Tally::largestOverMean),
        runs.mean("bytes per host, max/mean", "", Tally::hostMaxOverMean),
        runs.mean("control: predicted by block locations", "", Tally::predictedFraction),
        runs.mean("control: bytes sent over bytes of input", "", Tally::wireOverInput));
  }

  /** A partition from each host, in an order of the seed's. */
  private static void write(TeraCluster cluster, Path input, long block, Random random)
      throws Exception {
    List<Vm> writers = new ArrayList<>(cluster.plan().vms());
    Collections.shuffle(writers, random);
    for (int i = 0; i < writers.size(); i++) {
      cluster.write(input, i, BLOCKS * block / 100 * 100, writers.get(i));
    }
  }
}
