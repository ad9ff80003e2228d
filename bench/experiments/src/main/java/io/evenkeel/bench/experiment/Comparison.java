package io.evenkeel.bench.experiment;

import java.util.Arrays;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One quantity, for the stock class and for ours, from the same run.
 *
 * @param quantity what was measured, with its settings, for example {@code time, 8 threads}
 * @param unit of both values, for example {@code ns/choice}
 * @param stock value of the stock class
 * @param evenkeel value of our class
 * @param spread half width of the 99.9 % confidence interval of each value, stock first; null for
 *     what is counted rather than measured
 * @param range extremes of repeated runs, whose averages or medians are the two values; null for
 *     one run
 * @param opponent which stock class or settings the stock value is of
 */
public record Comparison(
    String quantity,
    String unit,
    double stock,
    double evenkeel,
    Spread spread,
    Range range,
    String opponent) {

  /** The opponent where the benchmark has only one. */
  public static final String STOCK = "stock";

  /** Half widths of the confidence intervals of both values. */
  public record Spread(double stock, double evenkeel) {}

  /**
   * Least and most of the repeated runs of each; the most is not a number where one of them was not
   * done in time, the least only where none was.
   *
   * @param runs of the one that was run less often
   */
  public record Range(
      double stockLeast, double stockMost, double evenkeelLeast, double evenkeelMost, long runs) {}

  /** A comparison of two values of one run. */
  public Comparison(String quantity, String unit, double stock, double evenkeel, Spread spread) {
    this(quantity, unit, stock, evenkeel, spread, null, STOCK);
  }

  /** The same, saying whom the stock value is of. */
  public Comparison against(String other) {
    return new Comparison(quantity, unit, stock, evenkeel, spread, range, other);
  }

  /** A comparison of counts. */
  public static Comparison counted(String quantity, String unit, double stock, double evenkeel) {
    return new Comparison(quantity, unit, stock, evenkeel, null);
  }

  /** A comparison of counts of one run of each that another run need not give again. */
  public static Comparison once(String quantity, String unit, double stock, double evenkeel) {
    return repeated(quantity, unit, new double[] {stock}, new double[] {evenkeel});
  }

  /** A comparison of repeated runs; not a number for the one that was not run. */
  public static Comparison repeated(
      String quantity, String unit, double[] stock, double[] evenkeel) {
    DoubleSummaryStatistics a = Arrays.stream(stock).summaryStatistics();
    DoubleSummaryStatistics b = Arrays.stream(evenkeel).summaryStatistics();
    Range range =
        new Range(
            least(stock), most(a), least(evenkeel), most(b), Math.min(a.getCount(), b.getCount()));
    return new Comparison(quantity, unit, average(a), average(b), null, range, STOCK);
  }

  /**
   * As {@link #repeated}, but the two values are medians, which one disturbed run does not move.
   */
  public static Comparison medians(
      String quantity, String unit, double[] stock, double[] evenkeel) {
    Range range = repeated(quantity, unit, stock, evenkeel).range();
    return new Comparison(quantity, unit, median(stock), median(evenkeel), null, range, STOCK);
  }

  /** Our value over the stock one in each pair of runs that took turns; the stock column is 1. */
  public static Comparison pairs(String quantity, double[] stock, double[] evenkeel) {
    double[] ratios = new double[evenkeel.length];
    Arrays.setAll(ratios, i -> evenkeel[i] / stock[i]);
    double[] ones = new double[ratios.length];
    Arrays.fill(ones, 1);
    return medians(quantity, "x", ones, ratios);
  }

  private static double median(double[] values) {
    if (values.length == 0) {
      return Double.NaN;
    }
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  /** Of those that were done in time. */
  private static double least(double[] values) {
    return Arrays.stream(values).filter(v -> !Double.isNaN(v)).min().orElse(Double.NaN);
  }

  private static double most(DoubleSummaryStatistics s) {
    return s.getCount() == 0 ? Double.NaN : s.getMax();
  }

  private static double average(DoubleSummaryStatistics s) {
    return s.getCount() == 0 ? Double.NaN : s.getAverage();
  }

  /** Our value over the stock one; 1 when both are 0, not a number when only stock is 0. */
  public double ratio() {
    if (stock == 0) {
      return evenkeel == 0 ? 1 : Double.NaN;
    }
    return evenkeel / stock;
  }

  /**
   * Whether the two values differ by more than their spreads, or all runs of one from all of the
   * other; always so for counts, never so for a single run.
   */
  public boolean certain() {
    if (range != null) {
      return range.runs > 1
          && !Double.isNaN(range.stockMost + range.evenkeelMost)
          && (range.stockMost < range.evenkeelLeast || range.evenkeelMost < range.stockLeast);
    }
    return spread == null || Math.abs(stock - evenkeel) > spread.stock + spread.evenkeel;
  }

  /** As a report prints it. */
  public Map<String, Object> json() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("quantity", quantity);
    json.put("unit", unit);
    json.put("opponent", opponent);
    json.put("stock", finite(stock));
    json.put("evenkeel", finite(evenkeel));
    json.put("ratio", finite(ratio()));
    if (spread != null) {
      json.put("certain", certain());
      json.put("stockError", finite(spread.stock));
      json.put("evenkeelError", finite(spread.evenkeel));
    }
    if (range != null) {
      json.put("certain", certain());
      json.put("stockLeast", finite(range.stockLeast));
      json.put("stockMost", finite(range.stockMost));
      json.put("evenkeelLeast", finite(range.evenkeelLeast));
      json.put("evenkeelMost", finite(range.evenkeelMost));
      json.put("runs", range.runs);
    }
    return json;
  }

  /** JSON has no not-a-number: what is unknown is null. */
  private static Double finite(double value) {
    return Double.isFinite(value) ? (Double) value : null;
  }
}
