package io.evenkeel.bench.jmh;

import io.evenkeel.bench.experiment.Comparison;
import io.evenkeel.bench.experiment.Comparison.Spread;
import io.evenkeel.bench.experiment.RunSettings;
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

/**
 * One method of a benchmark under fixed parameters, measured with the gc profiler for the stock
 * class and for ours.
 *
 * @param benchmark the class that has the method
 * @param method its name
 * @param threads so many call it at once
 * @param params values of the benchmark's other parameters
 */
public record JmhRun(Class<?> benchmark, String method, int threads, Map<String, String> params) {
  /** The parameter that most benchmarks have for whose class runs. */
  public static final String ARM = "arm";

  /** Value of {@link #ARM}: the class of the running Hadoop. */
  public static final String STOCK = "stock";

  /** Value of {@link #ARM}: ours. */
  public static final String EVENKEEL = "evenkeel";

  private static final String ALLOCATED = "gc.alloc.rate.norm";

  /** Time and allocation of one call on each {@link #ARM}. */
  public List<Comparison> compare(RunSettings settings, String label) throws RunnerException {
    settings.say("JMH: " + label);
    Map<String, RunResult> results = run(settings, ARM, STOCK, EVENKEEL);
    RunResult stock = results.get(STOCK);
    RunResult ours = results.get(EVENKEEL);
    return List.of(
        time(label + ": time", stock, ours), allocated(label + ": allocated", stock, ours));
  }

  /** Results by value of a parameter, which takes these values. */
  public Map<String, RunResult> run(RunSettings settings, String parameter, String... values)
      throws RunnerException {
    ChainedOptionsBuilder options = options(settings.quick()).param(parameter, values);
    params.forEach(options::param);
    Map<String, RunResult> results = new HashMap<>();
    for (RunResult result : new Runner(options.build()).run()) {
      results.put(result.getParams().getParam(parameter), result);
    }
    return results;
  }

  private ChainedOptionsBuilder options(boolean quick) {
    return new OptionsBuilder()
        .include(benchmark.getName().replace(".", "\\.") + "\\." + method + "$")
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

  /** The measured times of one call. */
  public static Comparison time(String quantity, RunResult stockRun, RunResult ourRun) {
    Result<?> stock = stockRun.getPrimaryResult();
    Result<?> ours = ourRun.getPrimaryResult();
    return new Comparison(
        quantity,
        ours.getScoreUnit(),
        stock.getScore(),
        ours.getScore(),
        new Spread(stock.getScoreError(), ours.getScoreError()));
  }

  /** Bytes one call allocates; whole ones, as what is left is the profiler's own share. */
  public static Comparison allocated(String quantity, RunResult stock, RunResult ours) {
    return Comparison.counted(quantity, "B/op", bytes(stock), bytes(ours));
  }

  private static double bytes(RunResult result) {
    return Math.rint(result.getSecondaryResults().get(ALLOCATED).getScore());
  }
}
