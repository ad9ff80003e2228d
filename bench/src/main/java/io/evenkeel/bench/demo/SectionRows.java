package io.evenkeel.bench.demo;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * Rows of a section in the schema of the report, of the results of both halves. Confined to one
 * thread.
 *
 * @param <R> what a half gives
 */
final class SectionRows<R> {
  private final R stock;
  private final R evenkeel;
  private final List<Map<String, Object>> list = new ArrayList<>();

  SectionRows(R stock, R evenkeel) {
    this.stock = stock;
    this.evenkeel = evenkeel;
  }

  /** Adds a row; a measure that is not a number, or infinite, was not measured. */
  void add(String name, String unit, String better, ToDoubleFunction<R> measure) {
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("name", name);
    row.put("unit", unit);
    row.put("stock", orNull(measure.applyAsDouble(stock)));
    row.put("evenkeel", orNull(measure.applyAsDouble(evenkeel)));
    row.put("better", better);
    list.add(row);
  }

  List<Map<String, Object>> list() {
    return list;
  }

  /** What JSON can hold of a number. */
  static Double orNull(double value) {
    return Double.isFinite(value) ? value : null;
  }
}
