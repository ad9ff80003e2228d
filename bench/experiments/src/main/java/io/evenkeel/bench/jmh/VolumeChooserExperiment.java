package io.evenkeel.bench.jmh;

import io.evenkeel.bench.experiment.Comparison;
import io.evenkeel.bench.experiment.Experiment;
import io.evenkeel.bench.experiment.RunSettings;
import io.evenkeel.bench.sim.VolumePolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.RunnerException;

/** Runs {@link VolumeChooserBenchmark} with 1 and 8 threads and the gc profiler. */
public final class VolumeChooserExperiment implements Experiment {
  private static final int[] THREADS = {1, 8};

  @Override
  public String name() {
    return "volume.chooser";
  }

  @Override
  public String description() {
    return "time and allocation of one choice among 12 volumes, 1 and 8 threads (JMH)";
  }

  @Override
  public List<Comparison> run(RunSettings settings) throws RunnerException {
    List<Comparison> comparisons = new ArrayList<>();
    for (int threads : THREADS) {
      String[] two = {VolumePolicy.STOCK, VolumePolicy.EVENKEEL};
      for (String cost : new String[] {"known", "statfs"}) {
        Map<String, RunResult> results = run(settings, threads, cost, two);
        RunResult stock = results.get(VolumePolicy.STOCK);
        RunResult ours = results.get(VolumePolicy.EVENKEEL);
        String where = ", free space " + cost + ", " + threads + " thread(s)";
        comparisons.add(JmhRun.time("time" + where, stock, ours));
        comparisons.add(JmhRun.allocated("allocated" + where, stock, ours));
      }
      comparisons.addAll(onDataNode(settings, threads));
    }
    return comparisons;
  }

  /** Every policy on the volumes of one DataNode. */
  private List<Comparison> onDataNode(RunSettings settings, int threads) throws RunnerException {
    String[] all = {
      VolumePolicy.STOCK,
      VolumePolicy.AVAILABLE_SPACE,
      VolumePolicy.EVENKEEL,
      VolumePolicy.LATENCY_AWARE
    };
    Map<String, RunResult> results = run(settings, threads, "real", all);
    String where = " on a DataNode, " + threads + " thread(s)";
    RunResult stock = results.get(VolumePolicy.STOCK);
    RunResult space = results.get(VolumePolicy.AVAILABLE_SPACE);
    RunResult rotation = results.get(VolumePolicy.EVENKEEL);
    RunResult ours = results.get(VolumePolicy.LATENCY_AWARE);
    return List.of(
        JmhRun.time("time, latency-aware" + where, stock, ours),
        JmhRun.time("time, latency-aware against AvailableSpace" + where, space, ours),
        JmhRun.time("time, rotation per type" + where, stock, rotation),
        JmhRun.allocated("allocated, latency-aware" + where, stock, ours));
  }

  private Map<String, RunResult> run(
      RunSettings settings, int threads, String freeSpace, String[] policies)
      throws RunnerException {
    settings.say(name() + ": free space " + freeSpace + ", " + threads + " threads");
    Map<String, String> params = Map.of("freeSpace", freeSpace);
    return new JmhRun(VolumeChooserBenchmark.class, "choose", threads, params)
        .run(settings, "policy", policies);
  }
}
