package io.evenkeel.bench.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A value in a report that may be missing at any depth; nothing here throws for that.
 *
 * @param value a map, a list, a string, a number, a boolean, or null where missing
 */
record Doc(Object value) {

  /** The value under these keys, one level each; missing when any level is. */
  Doc at(String... path) {
    Object current = value;
    for (String key : path) {
      current = current instanceof Map<?, ?> map ? map.get(key) : null;
    }
    return new Doc(current);
  }

  boolean present() {
    return value != null;
  }

  /** The value as text; numbers as JSON writes them. */
  String text(String fallback) {
    if (value == null || value instanceof Map || value instanceof List) {
      return fallback;
    }
    String text = String.valueOf(value);
    return text.isEmpty() ? fallback : text;
  }

  /** The value as a number; NaN when it is none. */
  double number() {
    return value instanceof Number n ? n.doubleValue() : Double.NaN;
  }

  /** True only for the boolean true. */
  boolean yes() {
    return Boolean.TRUE.equals(value);
  }

  /** True only for the boolean false. */
  boolean no() {
    return Boolean.FALSE.equals(value);
  }

  /** The members of a list; empty when it is none. */
  List<Doc> items() {
    List<Doc> all = new ArrayList<>();
    if (value instanceof List<?> list) {
      for (Object item : list) {
        all.add(new Doc(item));
      }
    }
    return all;
  }

  /** The members of an object in their order; empty when it is none. */
  Map<String, Doc> fields() {
    Map<String, Doc> all = new LinkedHashMap<>();
    if (value instanceof Map<?, ?> map) {
      map.forEach((key, v) -> all.put(String.valueOf(key), new Doc(v)));
    }
    return all;
  }

  /** The members of a list as numbers, NaN where one is not a number. */
  double[] numbers() {
    return items().stream().mapToDouble(Doc::number).toArray();
  }
}
