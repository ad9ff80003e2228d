package io.evenkeel.bench.tera;

import io.evenkeel.bench.embedded.HostPlan;
import io.evenkeel.bench.embedded.SuiteLog;
import io.evenkeel.bench.experiment.Arms;
import io.evenkeel.bench.experiment.Comparison;
import io.evenkeel.bench.experiment.Experiment;
import io.evenkeel.bench.experiment.Problem;
import io.evenkeel.bench.experiment.RunSettings;
import io.evenkeel.bench.runtime.Layout;
import io.evenkeel.bench.runtime.Layout.Vm;
import io.evenkeel.bench.tera.LocalityRun.Tally;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;

/** Bytes that cross the network when each task runs on a host its split names. */
public final class LocalityExperiment implements Experiment {
  private static final int HOSTS = 8;
  private static final int BLOCKS = 25;
  private static final int RUNS = 5;
  private static final int QUICK_RUNS = 2;
  private static final String REMOTE = "read from another host";
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
  public List<Problem> problems() {
    return List.of(
        Problem.less("Validation input read from another host, tasks on a host they name", REMOTE));
  }

  @Override
  public List<Comparison> run(RunSettings settings) throws Exception {
    HostPlan plan = HostPlan.of(new Layout(HOSTS, 1, 1));
    if (!plan.ownAddresses()) {
      settings.say("terasort.locality: no loopback address per host here");
      return List.of();
    }
    long block = settings.quick() ? 1L << 18 : 1L << 20;
    Arms<Tally> arms;
    try (TeraCluster cluster = new TeraCluster(plan, block, 3);
        SuiteLog log = new SuiteLog()) {
      LocalityRun run = new LocalityRun(cluster, log);
      Configuration job = cluster.clientOn(plan.vms().get(0));
      Configuration off = new Configuration(job);
      off.setBoolean(SCHEDULER, false);
      Map<String, Configuration> stock = new LinkedHashMap<>();
      stock.put("TeraScheduler", job);
      stock.put("without TeraScheduler", off);
      int dataSets = settings.quick() ? QUICK_RUNS : RUNS;
      for (int i = 0; i < dataSets; i++) {
        write(cluster, new Path("/sorted" + i), block, new Random(settings.seed() + i));
      }
      arms =
          Arms.inTurn(
              dataSets,
              stock,
              null,
              (conf, i) -> {
                settings.say("terasort.locality: data set " + (i + 1));
                Path input = new Path("/sorted" + i);
                return conf == null
                    ? run.run(new BlockValidator(), job, input, new Path("/scratch" + i))
                    : run.run(new StockValidator(), conf, input, null);
              });
    }
    return Stream.of(
            arms.mean(REMOTE, "%", tally -> 100 * tally.remoteFraction()),
            arms.mean("bytes read from another host", "", Tally::remote),
            arms.mean("largest task, blocks", "", tally -> (double) tally.largestTask() / block),
            arms.mean("largest task over mean task", "", Tally::largestOverMean),
            arms.mean("bytes per host, max/mean", "", Tally::hostMaxOverMean),
            arms.mean("control: predicted by block locations", "", Tally::predictedFraction),
            arms.mean("control: bytes sent over bytes of input", "", Tally::wireOverInput))
        .flatMap(List::stream)
        .toList();
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
