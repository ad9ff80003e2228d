package io.evenkeel.mover.core.plan;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The moves planned so far for one block. */
final class PendingMoves {
  final BlockCase block;

  /**
   * Whether targets on racks that have a replica come first: where no move may leave fewer racks,
   * each new one is one less for a replica that is alone on its rack.
   */
  final boolean fewRacks;

  private final StorageTypeDiff open;
  private final Map<Replica, ReplicaMove> moves = new LinkedHashMap<>();

  /** Live DataNodes that hold the block now. */
  private final Set<NodeView> holders = new LinkedHashSet<>();

  /** DataNodes that get a replica over the network. */
  private final Set<NodeView> targets = new LinkedHashSet<>();

  private final List<String> afterMoves = new ArrayList<>();

  PendingMoves(BlockCase block, ClusterView cluster, boolean fewRacks) {
    this.block = block;
    this.fewRacks = fewRacks;
    this.open = new StorageTypeDiff(block.difference);
    for (Replica replica : block.view.replicas()) {
      NodeView node = cluster.node(replica.node());
      if (node != null && holders.add(node)) {
        afterMoves.add(node.uuid());
      }
    }
  }

  /**
   * Adds a move, for now read from where the replica is, which counts there until it is deleted.
   */
  void add(Replica replica, NodeView target, String type) {
    String source = replica.node();
    long stamp = block.view.generationStamp();
    open.move(replica.type(), type);
    moves.put(replica, new ReplicaMove(replica, stamp, target.uuid(), type, source));
    if (!target.uuid().equals(source)) {
      targets.add(target);
      if (holdsOne(source)) {
        afterMoves.remove(source);
      }
      afterMoves.add(target.uuid());
    }
  }

  private boolean holdsOne(String node) {
    return block.view.replicas().stream().filter(r -> r.node().equals(node)).count() == 1;
  }

  /** How many replicas are still wrong. */
  int open() {
    return open.wrong();
  }

  /** Whether the replica may still be moved to that type. */
  boolean isOpen(Replica replica, String type) {
    return isStuck(replica) && open.missing(type) > 0;
  }

  /** Whether the replica is not moved although there is still too much of its type. */
  boolean isStuck(Replica replica) {
    return !moves.containsKey(replica) && hasSurplus(replica.type());
  }

  /** Whether there is still too much of that type. */
  boolean hasSurplus(String type) {
    return open.surplus(type) > 0;
  }

  /** Types still asked for. A copy. */
  List<String> missing() {
    return open.missing();
  }

  /** Whether a replica is there now. */
  boolean holds(NodeView node) {
    return holders.contains(node);
  }

  /** Whether it is the target of a planned move over the network. */
  boolean isTarget(NodeView node) {
    return targets.contains(node);
  }

  /** Whether a replica on the target would share its host with another one than the source's. */
  boolean sharesHost(NodeView source, NodeView target) {
    return isOnHost(holders, source, target) || isOnHost(targets, source, target);
  }

  private boolean isOnHost(Set<NodeView> nodes, NodeView source, NodeView target) {
    for (NodeView node : nodes) { // no stream: asked of thousands of targets
      if (node.host().equals(target.host()) && (node != source || !holdsOne(source.uuid()))) {
        return true;
      }
    }
    return false;
  }

  /** UUIDs of the live DataNodes that hold the block after the moves. */
  List<String> afterMoves() {
    return Collections.unmodifiableList(afterMoves);
  }

  Collection<ReplicaMove> moves() {
    return Collections.unmodifiableCollection(moves.values());
  }
}
