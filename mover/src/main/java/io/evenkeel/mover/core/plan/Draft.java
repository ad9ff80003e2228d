package io.evenkeel.mover.core.plan;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A plan of one block while it is being made. */
final class Draft {
  private final BlockCase block;
  private final StorageTypeDiff open;
  private final Map<Candidate, ReplicaMove> moves = new LinkedHashMap<>();

  /** Replicas of the block by DataNode. */
  private final Map<String, Integer> replicas = new HashMap<>();

  /** DataNodes by host that hold the block, or will when the plan is carried out. */
  private final Map<String, Integer> nodesOnHost = new HashMap<>();

  private final Set<String> chosen = new HashSet<>();
  private final List<String> afterMoves = new ArrayList<>();

  Draft(BlockCase block, ClusterView cluster) {
    this.block = block;
    this.open = new StorageTypeDiff(block.difference());
    for (Replica replica : block.block().replicas()) {
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

  /** Adds a move, for now read from where the candidate is. */
  void add(Candidate candidate, NodeView target, String type) {
    NodeView source = candidate.node();
    long stamp = block.block().generationStamp();
    open.move(candidate.type(), type);
    moves.put(
        candidate, new ReplicaMove(candidate.replica(), stamp, target.uuid(), type, source.uuid()));
    if (target != source) {
      move(source, target);
    }
  }

  /** How many replicas are still wrong. */
  int open() {
    return open.wrong();
  }

  /** Whether the candidate may still be moved to that type. */
  boolean isOpen(Candidate candidate, String type) {
    return isStuck(candidate) && open.missing(type) > 0;
  }

  /** Whether the candidate is not moved although there is still too much of its type. */
  boolean isStuck(Candidate candidate) {
    return !moves.containsKey(candidate) && open.surplus(candidate.type()) > 0;
  }

  /** Whether there is still too much of that type. */
  boolean hasSurplus(String type) {
    return open.surplus(type) > 0;
  }

  /** Types still asked for. */
  List<String> missing() {
    return open.missing();
  }

  BlockCase block() {
    return block;
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
  private void move(NodeView source, NodeView target) {
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

  Collection<ReplicaMove> moves() {
    return Collections.unmodifiableCollection(moves.values());
  }
}
