package io.evenkeel.bench.jmh;

import io.evenkeel.bench.Comparison;
import io.evenkeel.bench.Comparison.Spread;
import io.evenkeel.bench.Experiment;
import io.evenkeel.bench.RunSettings;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
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
      settings.progress().accept("evenkeel: " + name() + ": " + threads + " thread(s)");
      Map<String, Map<String, RunResult>> byCost = new HashMap<>();
      for (RunResult result : new Runner(options(settings, threads).build()).run()) {
        byCost
            .computeIfAbsent(result.getParams().getParam("freeSpace"), c -> new HashMap<>())
            .put(result.getParams().getParam("policy"), result);
      }
      for (String cost : new TreeSet<>(byCost.keySet())) {
        String where = ", free space " + cost + ", " + threads + " thread(s)";
        RunResult stock = byCost.get(cost).get("stock");
        RunResult ours = byCost.get(cost).get("evenkeel");
        comparisons.add(compare("time" + where, stock.getPrimaryResult(), ours.getPrimaryResult()));
        comparisons.add(
            Comparison.counted("allocated" + where, "B/op", allocated(stock), allocated(ours)));
      }
    }
    return comparisons;
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

  private static Comparison compare(String quantity, Result<?> stock, Result<?> ours) {
    return new Comparison(
        quantity,
        ours.getScoreUnit(),
        stock.getScore(),
        ours.getScore(),
        new Spread(stock.getScoreError(), ours.getScoreError()));
  }
}
