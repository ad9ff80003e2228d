package io.evenkeel.mover.core.plan;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The DataNodes of a cluster by storage type and place. Not thread-safe. */
final class TargetIndex {
  private static final List<NodeView> NOBODY = Collections.emptyList();

  private final boolean nodeGroups;
  private final Map<String, List<NodeView>> byType = new HashMap<>();
  private final Map<String, List<NodeView>> byPlace = new HashMap<>();

  /** Of each type those in good order with room. */
  private final Map<String, Integer> withRoom = new HashMap<>();

  TargetIndex(ClusterView cluster) {
    nodeGroups = cluster.hasNodeGroups();
    for (NodeView node : cluster.nodes()) {
      for (Map.Entry<String, List<Long>> entry : node.remaining().entrySet()) {
        if (!entry.getValue().isEmpty()) {
          add(entry.getKey(), node);
        }
        boolean room = entry.getValue().stream().anyMatch(free -> free >= cluster.roomForRemote());
        if (room && node.use() == NodeView.Use.TARGET) {
          withRoom.merge(entry.getKey(), 1, Integer::sum);
        }
      }
    }
  }

  private void add(String type, NodeView node) {
    byType.computeIfAbsent(type, any -> new ArrayList<>()).add(node);
    for (Distance distance : Distance.values()) {
      String key = key(type, node.use(), distance, node);
      byPlace.computeIfAbsent(key, any -> new ArrayList<>()).add(node);
    }
  }

  /** How many in good order had room for the type when they were looked at; at least 1. */
  int withRoom(String type) {
    return withRoom.getOrDefault(type, 1);
  }

  /** Every node that has the type, those that may not be given replicas too. */
  List<NodeView> withType(String type) {
    return byType.getOrDefault(type, NOBODY);
  }

  /**
   * The nodes with the type that are within the tier as seen from {@code source}; nearer ones may
   * be among them. The caller may reorder the list.
   */
  List<NodeView> within(Tier tier, String type, NodeView source) {
    if (tier.distance() == Distance.SAME_NODE_GROUP && !nodeGroups) {
      return NOBODY;
    }
    return byPlace.getOrDefault(key(type, tier.use(), tier.distance(), source), NOBODY);
  }

  private String key(String type, NodeView.Use use, Distance distance, NodeView node) {
    String place = "";
    if (distance == Distance.SAME_NODE_GROUP) {
      place = node.location();
    } else if (distance == Distance.SAME_RACK) {
      place = Distance.rack(node, nodeGroups);
    }
    return type + ' ' + use + ' ' + distance + ' ' + place;
  }
}
