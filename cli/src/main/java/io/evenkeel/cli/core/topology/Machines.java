package io.evenkeel.cli.core.topology;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Which DataNodes are on one machine: those that share an address or a host name, directly or
 * through others. A loopback address says nothing about the machine. Apart from {@link Topology},
 * which goes by locations, since it looks at no location. Immutable.
 */
final class Machines {
  private final Map<TopologyNode, String> keys = new HashMap<>();

  Machines(List<TopologyNode> nodes) {
    int[] parents = new int[nodes.size()];
    Map<String, Integer> first = new HashMap<>();
    for (int i = 0; i < parents.length; i++) {
      parents[i] = i;
      for (String host : hosts(nodes.get(i))) {
        int before = root(parents, first.getOrDefault(host, i));
        int now = root(parents, i);
        // the earliest DataNode gives the machine its name
        parents[Math.max(before, now)] = Math.min(before, now);
        first.putIfAbsent(host, i);
      }
    }
    for (int i = 0; i < parents.length; i++) {
      List<String> hosts = hosts(nodes.get(root(parents, i)));
      String key = hosts.isEmpty() ? nodes.get(i).name() : hosts.get(0);
      keys.put(nodes.get(i), key);
    }
  }

  private static int root(int[] parents, int start) {
    int i = start;
    while (parents[i] != i) {
      parents[i] = parents[parents[i]];
      i = parents[i];
    }
    return i;
  }

  /** What tells the machine: its address, which the policy goes by, then its name. */
  private static List<String> hosts(TopologyNode node) {
    List<String> found = new ArrayList<>(2);
    for (String host : new String[] {TopologyNode.hostOf(node.address()), node.host()}) {
      if (!TopologyNode.isLoopback(host)) {
        found.add(host);
      }
    }
    return found;
  }

  /** Key of the machine of one of these DataNodes. */
  String of(TopologyNode node) {
    return keys.get(node);
  }
}
