package io.evenkeel.placement.core.mapping;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Counts the node-group names that more than one rack uses. Thread-safe; grows with the number of
 * node groups of the cluster. Separate from what logs them, since it knows nothing of Hadoop.
 */
public final class RepeatedGroups {
  private final Map<String, NetworkLocation> first = new ConcurrentHashMap<>();
  private final Set<String> repeated = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean told = new AtomicBoolean();

  /**
   * Takes note of a location with a node group.
   *
   * @return the other location with that name when this is the first repeated name at all, else
   *     null
   */
  public NetworkLocation add(NetworkLocation location) {
    NetworkLocation before = first.putIfAbsent(location.last(), location);
    if (before == null || before.equals(location)) {
      return null;
    }
    return repeated.add(location.last()) && told.compareAndSet(false, true) ? before : null;
  }

  /** Number of names that are used more than once. */
  public int count() {
    return repeated.size();
  }
}
