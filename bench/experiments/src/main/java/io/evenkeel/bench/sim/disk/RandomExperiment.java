package io.evenkeel.bench.sim.disk;

import io.evenkeel.bench.experiment.Comparison;
import io.evenkeel.bench.experiment.Experiment;
import io.evenkeel.bench.experiment.RunSettings;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/**
 * Random DataNodes, each with one fault, a third of them with fewer writers than volumes. All
 * values are ratios to the stock round robin on the same DataNode; what else stock has stands
 * beside.
 *
 * <p>The DataNodes are those of the seeds that follow {@code --seed}, so that a set nobody has
 * looked at can be judged once.
 */
public final class RandomExperiment implements Experiment {
  private static final int COUNT = 200;
  private static final int QUICK_COUNT = 20;

  @Override
  public String name() {
    return "volume.random";
  }

  @Override
  public String description() {
    return "200 random simulated DataNodes with one fault each: throughput and p99 over round robin";
  }

  /**
   * One DataNode.
   *
   * @param few whether it has fewer writers than volumes
   * @param ours ratios of our policy to round robin
   * @param stock ratios of what else stock has, by its name
   */
  record Trial(long seed, boolean few, Ratios ours, Map<String, Ratios> stock) {
    static Trial run(long seed) {
      Scenario scenario = Scenarios.random(seed);
      Outcome rotation = Simulation.run(scenario, Policy.ROUND_ROBIN, seed);
      Map<String, Ratios> stock = new LinkedHashMap<>();
      Policy.stock()
          .forEach(
              (name, policy) ->
                  stock.put(name, Ratios.of(Simulation.run(scenario, policy, seed), rotation)));
      stock.remove(Policy.DEFAULT);
      return new Trial(
          seed,
          scenario.load().writers() < scenario.node().disks().size(),
          Ratios.of(Simulation.run(scenario, Policy.LATENCY_AWARE, seed), rotation),
          stock);
    }
  }

  /** Throughput and 99th percentile of the time of a block. */
  record Ratios(double throughput, double p99) {
    static Ratios of(Outcome outcome, Outcome base) {
      return new Ratios(
          outcome.throughput() / base.throughput(), outcome.seconds(0.99) / base.seconds(0.99));
    }
  }

  @Override
  public List<Comparison> run(RunSettings settings) {
    List<Trial> trials = new ArrayList<>();
    for (int i = 1; i <= (settings.quick() ? QUICK_COUNT : COUNT); i++) {
      trials.add(Trial.run(settings.seed() + i));
    }
    Trial worst = trials.stream().min(Comparator.comparing(t -> t.ours.throughput)).orElseThrow();
    settings.say(
        String.format(
            Locale.ROOT,
            "%s: worst throughput %.3f x round robin, seed %d: %s",
            name(),
            worst.ours.throughput,
            worst.seed,
            Scenarios.random(worst.seed).describe()));
    List<Comparison> rows = new ArrayList<>();
    for (String opponent : worst.stock.keySet()) {
      rows.addAll(rows("all", trials, t -> true, opponent));
      rows.addAll(rows("W<N", trials, Trial::few, opponent));
      rows.addAll(rows("W>=N", trials, t -> !t.few, opponent));
    }
    return rows;
  }

  private static List<Comparison> rows(
      String which, List<Trial> all, Predicate<Trial> wanted, String opponent) {
    List<Trial> trials = all.stream().filter(wanted).toList();
    double[] ours = sorted(trials, t -> t.ours.throughput);
    double[] stock = sorted(trials, t -> t.stock.get(opponent).throughput);
    double[] tail = sorted(trials, t -> t.ours.p99);
    double[] stockTail = sorted(trials, t -> t.stock.get(opponent).p99);
    String unit = "x RR";
    List<Comparison> rows = new ArrayList<>();
    rows.add(Comparison.counted(which + ": DataNodes", "", trials.size(), trials.size()));
    rows.add(Comparison.counted(which + ": throughput, least", unit, stock[0], ours[0]));
    rows.add(Comparison.counted(which + ": throughput, median", unit, median(stock), median(ours)));
    rows.add(Comparison.counted(which + ": slower than RR", "%", slower(stock), slower(ours)));
    rows.add(
        Comparison.counted(
            which + ": p99 of a block, median", unit, median(stockTail), median(tail)));
    rows.add(
        Comparison.counted(which + ": p99 of a block, most", unit, last(stockTail), last(tail)));
    return rows.stream().map(row -> row.against(opponent)).toList();
  }

  private static double[] sorted(List<Trial> trials, ToDoubleFunction<Trial> value) {
    return trials.stream().mapToDouble(value).sorted().toArray();
  }

  private static double median(double[] sorted) {
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  private static double last(double[] sorted) {
    return sorted[sorted.length - 1];
  }

  private static double slower(double[] ratios) {
    return 100.0 * Arrays.stream(ratios).filter(r -> r < 1).count() / ratios.length;
  }
}
