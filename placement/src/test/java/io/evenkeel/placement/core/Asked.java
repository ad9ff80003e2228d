package io.evenkeel.placement.core;

import io.evenkeel.placement.core.BlockTargets.Relaxation;
import java.util.TreeSet;

/** Requests and results in words, for tables. */
final class Asked {
  private Asked() {}

  /**
   * A request by words: {@code on=}, {@code host=}, {@code rack=} the writer, {@code have=} hosts
   * with a replica on their first DataNode, {@code out=} hosts excluded, {@code soft=} hosts in
   * maintenance, {@code limit=} per rack, {@code after=} hosts one is shared, {@code strict} never.
   */
  static BlockRequest request(FakeCluster cluster, int replicas, String words) {
    BlockRequest request = new BlockRequest(replicas);
    for (String word : words.split(" ", -1)) {
      String[] parts = word.split("=", -1);
      String[] names = parts.length > 1 ? parts[1].split(",", -1) : new String[0];
      switch (parts[0]) {
        case "on" -> request.writtenOn(cluster.topology, cluster.node(names[0]));
        case "host" -> request.writtenOnHost(cluster.topology, cluster.host(names[0]), true);
        case "rack" -> request.writtenInRack(cluster.topology.rackOf(names[0]), false);
        case "out" -> request.excluded(cluster.nodes(names));
        case "limit" -> request.rackLimit(Integer.parseInt(names[0]));
        case "strict" -> request.sharedHostsAfter(Integer.MAX_VALUE);
        case "after" -> request.sharedHostsAfter(Integer.parseInt(names[0]));
        case "have" -> request.chosen(first(cluster, names));
        case "soft" -> {
          for (String name : names) {
            request.maintenanceHost(cluster.host(name));
          }
        }
        case "" -> {}
        default -> throw new IllegalArgumentException(word);
      }
    }
    return request;
  }

  private static int[] first(FakeCluster cluster, String... hosts) {
    int[] nodes = new int[hosts.length];
    for (int i = 0; i < hosts.length; i++) {
      nodes[i] = cluster.node(hosts[i]);
    }
    return nodes;
  }

  /** What gave way, by name. */
  static String relaxed(BlockTargets placement) {
    TreeSet<String> words = new TreeSet<>();
    for (Relaxation relaxation : Relaxation.values()) {
      if (placement.relaxations(relaxation) > 0) {
        words.add(relaxation + "=" + placement.relaxations(relaxation));
      }
    }
    return String.join(" ", words);
  }
}
