package io.evenkeel.mover.core.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** How many of each storage type; types in the order of their names. Not thread-safe. */
final class TypeCounts {
  private final Map<String, Integer> counts = new TreeMap<>();
  private int total;

  TypeCounts() {}

  TypeCounts(TypeCounts other) {
    counts.putAll(other.counts);
    total = other.total;
  }

  void add(String type) {
    counts.merge(type, 1, Integer::sum);
    total++;
  }

  /** Takes one off; false when there is none. */
  boolean remove(String type) {
    Integer count = counts.get(type);
    if (count == null) {
      return false;
    }
    if (count == 1) {
      counts.remove(type);
    } else {
      counts.put(type, count - 1);
    }
    total--;
    return true;
  }

  int of(String type) {
    return counts.getOrDefault(type, 0);
  }

  int total() {
    return total;
  }

  /** The types there is at least one of. */
  List<String> types() {
    return new ArrayList<>(counts.keySet());
  }
}
