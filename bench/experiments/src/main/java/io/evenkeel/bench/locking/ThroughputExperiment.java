package io.evenkeel.bench.locking;

import io.evenkeel.bench.experiment.Comparison;
import io.evenkeel.bench.experiment.Experiment;
import io.evenkeel.bench.experiment.RunSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** How many small blocks a dataset takes in a second when no disk is slow. */
public final class ThroughputExperiment implements Experiment {
  private static final int[] THREADS = {1, 2, 4, 8, 16};
  private static final int PAIRS = 5;
  private static final int QUICK_PAIRS = 1;
  private static final long MILLIS = 2000;
  private static final long QUICK_MILLIS = 500;

  @Override
  public String name() {
    return "locking.throughput";
  }

  @Override
  public String description() {
    return "create, write 1 KB and finalize on 4 volumes in memory, 1 to 16 threads";
  }

  @Override
  public List<Comparison> run(RunSettings settings) throws Exception {
    if (!Release.has(settings, name())) {
      return List.of();
    }
    List<Comparison> rows = new ArrayList<>();
    int pairs = settings.quick() ? QUICK_PAIRS : PAIRS;
    long millis = settings.quick() ? QUICK_MILLIS : MILLIS;
    try (DatasetRig stock = DatasetRig.start(DatasetRig.FOUR_SSD, null);
        DatasetRig ours = DatasetRig.start(DatasetRig.FOUR_SSD, DatasetRig.OURS)) {
      for (DatasetRig rig : List.of(stock, ours, stock, ours)) {
        Load.run(rig, 2, millis); // warms up
      }
      int cores = Runtime.getRuntime().availableProcessors();
      for (int threads : THREADS) {
        settings.progress().accept("evenkeel: locking.throughput: " + threads + " threads");
        rows.addAll(pairs(stock, ours, threads, threads, pairs, millis));
      }
      for (int threads : THREADS) {
        if (threads > cores) {
          settings.progress().accept("evenkeel: locking.throughput: " + threads + " in line");
          rows.addAll(pairs(stock, ours, threads, cores, pairs, millis));
        }
      }
    }
    return rows;
  }

  /**
   * Runs of stock and of ours in turn.
   *
   * @param most of the threads at work at once: with no more than there are processors, a
   *     difference of p99 that more threads bring is not one of locks
   */
  private static List<Comparison> pairs(
      DatasetRig stock, DatasetRig ours, int threads, int most, int pairs, long millis)
      throws Exception {
    List<Load> stockRuns = new ArrayList<>();
    List<Load> ourRuns = new ArrayList<>();
    for (int pair = 0; pair < pairs; pair++) {
      // Who goes second finds the machine warmer, so they change places.
      boolean stockFirst = pair % 2 == 0;
      Load first = Load.run(stockFirst ? stock : ours, threads, most, millis);
      Load second = Load.run(stockFirst ? ours : stock, threads, most, millis);
      stockRuns.add(stockFirst ? first : second);
      ourRuns.add(stockFirst ? second : first);
    }
    String line = most < threads ? ", " + most + " at a time" : "";
    return rows(threads + " threads" + line, stockRuns, ourRuns);
  }

  private static List<Comparison> rows(String label, List<Load> stock, List<Load> ours) {
    return List.of(
        row(label + ", blocks", "1/s", Load::perSecond, stock, ours),
        Comparison.pairs(
            label + ", blocks, median of pairs",
            values(stock, Load::perSecond),
            values(ours, Load::perSecond)),
        row(label + ", p50", "us", load -> load.micros(0.5), stock, ours),
        row(label + ", p99", "us", load -> load.micros(0.99), stock, ours));
  }

  private static Comparison row(
      String label, String unit, ToDoubleFunction<Load> value, List<Load> stock, List<Load> ours) {
    return Comparison.medians(label, unit, values(stock, value), values(ours, value));
  }

  private static double[] values(List<Load> loads, ToDoubleFunction<Load> value) {
    return loads.stream().mapToDouble(value).toArray();
  }
}
