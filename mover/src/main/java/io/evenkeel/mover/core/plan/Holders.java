package io.evenkeel.mover.core.plan;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Which DataNodes and hosts hold a block, and will when its plan is carried out. */
final class Holders {
  private final Map<String, Integer> replicas = new HashMap<>();
  private final Map<String, Integer> nodesOnHost = new HashMap<>();
  private final Set<String> chosen = new HashSet<>();
  private final List<String> afterMoves = new ArrayList<>();

  Holders(BlockView block, ClusterView cluster) {
    for (Replica replica : block.replicas()) {
      if (replicas.merge(replica.node(), 1, Integer::sum) > 1) {
        continue;
      }
      NodeView node = cluster.node(replica.node());
      if (node != null) {
        nodesOnHost.merge(node.host(), 1, Integer::sum);
        afterMoves.add(node.uuid());
      }
    }
  }

  /** Whether a replica is there now. */
  boolean holds(NodeView node) {
    return replicas.containsKey(node.uuid());
  }

  /** Whether it is the target of a planned move. */
  boolean isChosen(NodeView node) {
    return chosen.contains(node.uuid());
  }

  /** Whether a replica on the target would share its host with another one than the source's. */
  boolean sharesHost(NodeView source, NodeView target) {
    int others = nodesOnHost.getOrDefault(target.host(), 0);
    if (source.host().equals(target.host()) && replicas.get(source.uuid()) == 1) {
      others--;
    }
    return others > 0;
  }

  /** Notes a move between two DataNodes. The replica at its source counts until it is deleted. */
  void move(NodeView source, NodeView target) {
    chosen.add(target.uuid());
    nodesOnHost.merge(target.host(), 1, Integer::sum);
    if (replicas.get(source.uuid()) == 1) {
      afterMoves.remove(source.uuid());
    }
    afterMoves.add(target.uuid());
  }

  /** UUIDs of the live DataNodes that hold the block after the moves. */
  List<String> afterMoves() {
    return Collections.unmodifiableList(afterMoves);
  }
}
