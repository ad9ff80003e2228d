package io.evenkeel.bench.locking;

import io.evenkeel.bench.experiment.Comparison;
import io.evenkeel.bench.experiment.Experiment;
import io.evenkeel.bench.experiment.RunSettings;
import java.util.ArrayList;
import java.util.Arrays;
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
      for (int threads : THREADS) {
        settings.progress().accept("evenkeel: locking.throughput: " + threads + " threads");
        List<Load> stockRuns = new ArrayList<>();
        List<Load> ourRuns = new ArrayList<>();
        for (int pair = 0; pair < pairs; pair++) {
          // Who goes second finds the machine warmer, so they change places.
          boolean stockFirst = pair % 2 == 0;
          Load first = Load.run(stockFirst ? stock : ours, threads, millis);
          Load second = Load.run(stockFirst ? ours : stock, threads, millis);
          stockRuns.add(stockFirst ? first : second);
          ourRuns.add(stockFirst ? second : first);
        }
        rows.addAll(rows(threads, stockRuns, ourRuns));
      }
    }
    return rows;
  }

  private static List<Comparison> rows(int threads, List<Load> stock, List<Load> ours) {
    double[] ratios = new double[stock.size()];
    Arrays.setAll(ratios, i -> ours.get(i).perSecond() / stock.get(i).perSecond());
    return List.of(
        row(threads + " threads, blocks", "1/s", Load::perSecond, stock, ours),
        Comparison.counted(threads + " threads, blocks, median of pairs", "x", 1, median(ratios)),
        row(threads + " threads, p50", "us", load -> load.micros(0.5), stock, ours),
        row(threads + " threads, p99", "us", load -> load.micros(0.99), stock, ours));
  }

  /** Medians beside the extremes. */
  private static Comparison row(
      String label, String unit, ToDoubleFunction<Load> value, List<Load> stock, List<Load> ours) {
    double[] a = stock.stream().mapToDouble(value).toArray();
    double[] b = ours.stream().mapToDouble(value).toArray();
    Comparison.Range range = Comparison.repeated(label, unit, a, b).range();
    return new Comparison(label, unit, median(a), median(b), null, range);
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}
