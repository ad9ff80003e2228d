package io.evenkeel.terasort.core.locality;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Chooses the hosts a split names.
 *
 * <p>First the replicas' hosts that run a NodeManager, in their order. Then the other NodeManagers
 * on the physical hosts of all replicas, one per physical host in turn, so that a short list still
 * reaches all of them. A DataNode without a NodeManager so gives way to the NodeManagers beside it.
 * The order is the same for the same arguments. Immutable and thread-safe.
 */
public final class LocationPicker {
  private final HostMap hosts;
  private final Set<String> nodeManagers;
  private final int most;

  /**
   * Creates it.
   *
   * @param nodeManagers hosts that run one; null when that is not known, and then no sibling is
   *     named
   * @param most how many hosts a split may name, 1 or more
   */
  public LocationPicker(HostMap hosts, Collection<String> nodeManagers, int most) {
    if (most < 1) {
      throw new IllegalArgumentException("at most " + most + " hosts");
    }
    this.hosts = hosts;
    this.nodeManagers =
        nodeManagers == null ? null : Collections.unmodifiableSet(new HashSet<>(nodeManagers));
    this.most = most;
  }

  /** The hosts a split should name. */
  public Choice pick(List<String> replicas) {
    Set<String> names = new LinkedHashSet<>();
    for (String replica : replicas) {
      if (names.size() < most && (nodeManagers == null || nodeManagers.contains(replica))) {
        names.add(replica);
      }
    }
    int exact = names.size();
    if (nodeManagers != null) {
      addInTurn(names, siblings(replicas));
    }
    if (names.isEmpty()) {
      // nobody can run there as far as is known: what stock would name does no harm
      List<String> stock = new ArrayList<>(new LinkedHashSet<>(replicas));
      List<String> kept = stock.subList(0, Math.min(most, stock.size()));
      return new Choice(new ArrayList<>(kept), kept.size());
    }
    return new Choice(new ArrayList<>(names), exact);
  }

  private Collection<List<String>> siblings(List<String> replicas) {
    Map<String, List<String>> byPhysicalHost = new LinkedHashMap<>();
    for (String replica : replicas) {
      String physical = hosts.physicalHost(replica);
      if (physical != null && !byPhysicalHost.containsKey(physical)) {
        List<String> here = new ArrayList<>(hosts.onSamePhysicalHost(replica));
        here.removeIf(host -> !nodeManagers.contains(host) || replicas.contains(host));
        byPhysicalHost.put(physical, here);
      }
    }
    return byPhysicalHost.values();
  }

  private void addInTurn(Set<String> names, Collection<List<String>> groups) {
    boolean more = true;
    for (int turn = 0; more; turn++) {
      more = false;
      for (List<String> group : groups) {
        if (turn < group.size() && names.size() < most) {
          names.add(group.get(turn));
          more = true;
        }
      }
    }
  }

  /** The hosts chosen for one split. Immutable. */
  public static final class Choice {
    private final List<String> names;
    private final int exact;

    private Choice(List<String> names, int exact) {
      this.names = Collections.unmodifiableList(names);
      this.exact = exact;
    }

    /** The hosts, the best first, none twice. */
    public List<String> names() {
      return names;
    }

    /** How many of them, from the first, have a replica themselves; the others are siblings. */
    public int exact() {
      return exact;
    }
  }
}
