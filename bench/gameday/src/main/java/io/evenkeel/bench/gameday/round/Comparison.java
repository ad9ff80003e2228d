package io.evenkeel.bench.gameday.round;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * Sets rounds with our plugins beside rounds with stock. Real processes are not deterministic, so
 * something counts only when it is far beyond the worst that stock had. Stateless.
 */
final class Comparison {
  /** Rounds of each that are needed before anything is said. */
  static final int ROUNDS = 5;

  private static final double FACTOR = 1.5;
  private static final double SECONDS = 30;
  private static final double COUNT = 10;
  private static final double COUNT_ON_AVERAGE = 3;

  private Comparison() {}

  /**
   * What one round came to.
   *
   * @param name seed or name of the schedule
   * @param calmSeconds until full replication
   * @param pauseSeconds longest pause of a writer
   * @param refusals of writers while no fault lasted
   * @param leftovers findings that stock has as well, by what is known of them
   */
  record Measured(
      String name,
      double calmSeconds,
      double pauseSeconds,
      long refusals,
      Map<StockDefects, Long> leftovers) {}

  /** In which rounds ours are worse, one sentence each; empty where there are too few rounds. */
  static List<String> worse(List<Measured> ours, List<Measured> stock) {
    List<String> worse = new ArrayList<>();
    if (ours.size() >= ROUNDS && stock.size() >= ROUNDS) {
      compare(ours, stock, Measured::calmSeconds, "s until full replication", SECONDS, worse);
      compare(ours, stock, Measured::pauseSeconds, "s longest pause", SECONDS, worse);
      compare(ours, stock, Measured::refusals, "refusals in calm", COUNT, worse);
      compare(ours, stock, Comparison::allLeftovers, "known leftovers", COUNT, worse);
      for (StockDefects defect : StockDefects.values()) {
        ToDoubleFunction<Measured> count = one -> one.leftovers().getOrDefault(defect, 0L);
        compare(ours, stock, count, "known leftovers, " + defect, COUNT, worse);
        onAverage(ours, stock, count, defect, worse);
      }
    }
    return worse;
  }

  private static void compare(
      List<Measured> ours,
      List<Measured> stock,
      ToDoubleFunction<Measured> measure,
      String what,
      double margin,
      List<String> worse) {
    double worst = stock.stream().mapToDouble(measure).max().orElse(0);
    for (Measured one : ours) {
      double value = measure.applyAsDouble(one);
      if (value > worst * FACTOR + margin) {
        worse.add(
            String.format(
                Locale.ROOT,
                "round %s: %.1f %s, stock at worst %.1f",
                one.name(),
                value,
                what,
                worst));
      }
    }
  }

  private static double allLeftovers(Measured one) {
    return one.leftovers().values().stream().mapToLong(count -> count).sum();
  }

  /** What each round leaves a few of is below the limit of one round, and adds up. */
  private static void onAverage(
      List<Measured> ours,
      List<Measured> stock,
      ToDoubleFunction<Measured> measure,
      StockDefects defect,
      List<String> worse) {
    double average = ours.stream().mapToDouble(measure).average().orElse(0);
    double stocks = stock.stream().mapToDouble(measure).average().orElse(0);
    if (average > stocks * FACTOR + COUNT_ON_AVERAGE) {
      worse.add(
          String.format(
              Locale.ROOT,
              "all rounds: %.1f known leftovers on average, %s, stock %.1f",
              average,
              defect,
              stocks));
    }
  }
}
