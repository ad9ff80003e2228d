package io.evenkeel.mover.core.plan;

import java.util.Collection;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;

/**
 * Chooses the DataNode the bytes are read from: a live holder of the very same block in the node
 * group of the target, else in its rack, else the source; slow ones only when all are. One whose
 * replica leaves in the same plan may be deleted too early and is not chosen for another, nor is
 * one that could not be read from a moment ago.
 *
 * <p>Only the DataNode the bytes are read from looks whether its replica is pinned. Where replicas
 * may be pinned it is therefore always the source, or one that may not leave would.
 */
final class ProxyChoice {
  private final ClusterView cluster;
  private final Random random;

  ProxyChoice(ClusterView cluster, Random random) {
    this.cluster = cluster;
    this.random = random;
  }

  /** Null when there is none now. */
  String proxyOf(ReplicaMove move, Draft plan) {
    Replica moved = move.replica();
    Exclusions exclusions = plan.block().exclusions();
    boolean fromSource = move.isLocal() || !exclusions.isUnreadable(moved.node());
    if (move.isLocal() || mayBePinned(plan.block())) {
      return fromSource ? moved.node() : null;
    }
    Set<String> leaving = leaving(plan.moves());
    NodeView best = fromSource ? cluster.node(moved.node()) : null;
    int bestRank = fromSource ? rank(best, move) : Integer.MAX_VALUE;
    int equals = 1;
    for (Replica replica : plan.block().block().replicas()) {
      NodeView node = cluster.node(replica.node());
      if (node == null
          || replica.blockId() != moved.blockId()
          || leaving.contains(node.uuid())
          || exclusions.isUnreadable(node.uuid())) {
        continue;
      }
      int rank = rank(node, move);
      if (rank < bestRank) {
        best = node;
        bestRank = rank;
        equals = 1;
      } else if (rank == bestRank && random.nextInt(++equals) == 0) {
        best = node;
      }
    }
    return best == null ? null : best.uuid();
  }

  private boolean mayBePinned(BlockCase block) {
    return cluster.hasPinning()
        || block.block().replicas().stream().anyMatch(block.exclusions()::isPinned);
  }

  private static Set<String> leaving(Collection<ReplicaMove> moves) {
    Set<String> leaving = new HashSet<>();
    for (ReplicaMove move : moves) {
      if (!move.isLocal()) {
        leaving.add(move.replica().node());
      }
    }
    return leaving;
  }

  private int rank(NodeView node, ReplicaMove move) {
    NodeView target = cluster.node(move.target());
    Distance distance = Distance.between(target, node, cluster.hasNodeGroups());
    int rank = 2 * distance.ordinal();
    if (distance == Distance.OTHER && !node.uuid().equals(move.replica().node())) {
      rank++;
    }
    return node.use() == NodeView.Use.LAST_CHOICE ? rank + 10 : rank;
  }
}
