package io.evenkeel.mover.core.plan;

import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Free space by DataNode, storage type and volume, less what was planned, and how much that is of
 * each. Not thread-safe.
 */
final class SpaceLedger {
  /** As many as one DataNode takes part in at once, unless configured otherwise. */
  private static final int AT_ONCE = 8;

  private final Map<String, Map<String, long[]>> planned = new HashMap<>();
  private final Map<String, Map<String, Integer>> moves = new HashMap<>();
  private final Map<String, Integer> movesOfType = new HashMap<>();

  /** Whether one volume of that type has room. */
  boolean fits(NodeView node, String type, long bytes) {
    return largest(node, type) >= bytes;
  }

  /** Free bytes of the emptiest volume of that type; -1 when there is none. */
  long largest(NodeView node, String type) {
    long largest = -1;
    Map<String, long[]> own = planned.get(node.uuid());
    if (own != null && own.containsKey(type)) {
      for (long free : own.get(type)) {
        largest = Math.max(largest, free);
      }
      return largest;
    }
    List<Long> volumes = node.remaining().get(type);
    if (volumes != null) {
      for (long free : volumes) {
        largest = Math.max(largest, free);
      }
    }
    return largest;
  }

  /**
   * Whether more was planned for a DataNode than for the mean of those in good order that have room
   * for the type, and more than it can begin with.
   */
  boolean isAhead(NodeView node, String type, int nodes) {
    int own = moves.getOrDefault(node.uuid(), Collections.emptyMap()).getOrDefault(type, 0);
    return own >= AT_ONCE + movesOfType.getOrDefault(type, 0) / nodes;
  }

  /** Whether any room was taken. */
  boolean isTaken() {
    return !planned.isEmpty();
  }

  /** Takes room off the emptiest volume of that type, which must have it. */
  void take(NodeView node, String type, long bytes) {
    long[] volumes =
        planned
            .computeIfAbsent(node.uuid(), any -> new HashMap<>())
            .computeIfAbsent(type, any -> copy(node.remaining().get(type)));
    int emptiest = 0;
    for (int i = 1; i < volumes.length; i++) {
      if (volumes[i] > volumes[emptiest]) {
        emptiest = i;
      }
    }
    volumes[emptiest] -= bytes;
    moves.computeIfAbsent(node.uuid(), any -> new HashMap<>()).merge(type, 1, Integer::sum);
    movesOfType.merge(type, 1, Integer::sum);
  }

  private static long[] copy(List<Long> volumes) {
    return volumes.stream().mapToLong(Long::longValue).toArray();
  }
}
