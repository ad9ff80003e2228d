package io.evenkeel.bench;

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
 */
public record Comparison(
    String quantity, String unit, double stock, double evenkeel, Spread spread) {

  /** Half widths of the confidence intervals of both values. */
  public record Spread(double stock, double evenkeel) {}

  /** A comparison of counts. */
  public static Comparison counted(String quantity, String unit, double stock, double evenkeel) {
    return new Comparison(quantity, unit, stock, evenkeel, null);
  }

  /** Our value over the stock one; 1 when both are 0, not a number when only stock is 0. */
  public double ratio() {
    if (stock == 0) {
      return evenkeel == 0 ? 1 : Double.NaN;
    }
    return evenkeel / stock;
  }

  /** Whether the two values differ by more than their spreads; always so for counts. */
  public boolean certain() {
    return spread == null || Math.abs(stock - evenkeel) > spread.stock + spread.evenkeel;
  }

  Map<String, Object> json() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("quantity", quantity);
    json.put("unit", unit);
    json.put("stock", finite(stock));
    json.put("evenkeel", finite(evenkeel));
    json.put("ratio", finite(ratio()));
    if (spread != null) {
      json.put("certain", certain());
      json.put("stockError", finite(spread.stock));
      json.put("evenkeelError", finite(spread.evenkeel));
    }
    return json;
  }

  /** JSON has no not-a-number: what is unknown is null. */
  private static Double finite(double value) {
    return Double.isFinite(value) ? (Double) value : null;
  }
}
