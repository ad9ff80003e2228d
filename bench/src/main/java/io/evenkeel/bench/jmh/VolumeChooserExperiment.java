package io.evenkeel.bench.jmh;

import io.evenkeel.bench.experiment.Comparison;
import io.evenkeel.bench.experiment.Comparison.Spread;
import io.evenkeel.bench.experiment.Experiment;
import io.evenkeel.bench.experiment.RunSettings;
import io.evenkeel.bench.sim.VolumePolicy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs {@link VolumeChooserBenchmark} with 1 and 8 threads and the gc profiler. */
public final class VolumeChooserExperiment implements Experiment {
  private static final int[] THREADS = {1, 8};
  private static final String ALLOCATED = "gc.alloc.rate.norm";

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
        comparisons.add(compare("time" + where, stock, ours));
        comparisons.add(
            Comparison.counted("allocated" + where, "B/op", allocated(stock), allocated(ours)));
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
        compare("time, latency-aware" + where, stock, ours),
        compare("time, latency-aware against AvailableSpace" + where, space, ours),
        compare("time, rotation per type" + where, stock, rotation),
        Comparison.counted(
            "allocated, latency-aware" + where, "B/op", allocated(stock), allocated(ours)));
  }

  private Map<String, RunResult> run(
      RunSettings settings, int threads, String freeSpace, String[] policies)
      throws RunnerException {
    settings
        .progress()
        .accept("evenkeel: " + name() + ": free space " + freeSpace + ", " + threads + " threads");
    Map<String, RunResult> results = new HashMap<>();
    ChainedOptionsBuilder options =
        options(settings, threads).param("freeSpace", freeSpace).param("policy", policies);
    for (RunResult result : new Runner(options.build()).run()) {
      results.put(result.getParams().getParam("policy"), result);
    }
    return results;
  }

  private static ChainedOptionsBuilder options(RunSettings settings, int threads) {
    boolean quick = settings.quick();
    return new OptionsBuilder()
        .include(VolumeChooserBenchmark.class.getName() + ".choose")
        .threads(threads)
        .forks(quick ? 1 : 3)
        .warmupIterations(quick ? 2 : 5)
        .warmupTime(TimeValue.milliseconds(quick ? 250 : 1000))
        .measurementIterations(quick ? 4 : 5)
        .measurementTime(TimeValue.milliseconds(quick ? 250 : 1000))
        .addProfiler(GCProfiler.class)
        .shouldFailOnError(true)
        .verbosity(VerboseMode.SILENT);
  }

  /** Whole bytes: what is left of a byte is the profiler's own share. */
  private static double allocated(RunResult result) {
    return Math.rint(result.getSecondaryResults().get(ALLOCATED).getScore());
  }

  private static Comparison compare(String quantity, RunResult stockRun, RunResult ourRun) {
    Result<?> stock = stockRun.getPrimaryResult();
    Result<?> ours = ourRun.getPrimaryResult();
    return new Comparison(
        quantity,
        ours.getScoreUnit(),
        stock.getScore(),
        ours.getScore(),
        new Spread(stock.getScoreError(), ours.getScoreError()));
  }
}
