package io.evenkeel.mover.core.plan;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * For each storage type, how many replicas a block has in excess and how many it lacks; types in
 * the order of their names. Not thread-safe.
 */
final class StorageTypeDiff {
  /** Types no replica is moved from or to: memory is the DataNode's own, PROVIDED is elsewhere. */
  private static final Set<String> NOT_MOVABLE =
      Collections.unmodifiableSet(new HashSet<>(Arrays.asList("RAM_DISK", "PROVIDED")));

  private final Map<String, Integer> surplus = new TreeMap<>();
  private final Map<String, Integer> missing = new TreeMap<>();

  StorageTypeDiff(Collection<Replica> existing, List<String> wanted) {
    wanted.forEach(type -> missing.merge(type, 1, Integer::sum));
    for (Replica replica : existing) {
      if (missing.containsKey(replica.type())) {
        takeOne(missing, replica.type());
      } else {
        surplus.merge(replica.type(), 1, Integer::sum);
      }
    }
    surplus.keySet().removeAll(NOT_MOVABLE);
    missing.keySet().removeAll(NOT_MOVABLE);
  }

  /** A copy. */
  StorageTypeDiff(StorageTypeDiff other) {
    surplus.putAll(other.surplus);
    missing.putAll(other.missing);
  }

  /** A replica of a surplus type goes to a missing one. */
  void move(String from, String to) {
    takeOne(surplus, from);
    takeOne(missing, to);
  }

  private static void takeOne(Map<String, Integer> counts, String type) {
    counts.computeIfPresent(type, (same, count) -> count == 1 ? null : count - 1);
  }

  /** Replicas of the type that are not asked for. */
  int surplus(String type) {
    return surplus.getOrDefault(type, 0);
  }

  /** Replicas of the type that are asked for and not there. */
  int missing(String type) {
    return missing.getOrDefault(type, 0);
  }

  /** The types asked for that lack a replica. A copy. */
  List<String> missing() {
    return new ArrayList<>(missing.keySet());
  }

  /** How many replicas moves can mend. */
  int wrong() {
    return Math.min(total(surplus), total(missing));
  }

  private static int total(Map<String, Integer> counts) {
    return counts.values().stream().mapToInt(Integer::intValue).sum();
  }
}
