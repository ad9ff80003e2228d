package io.evenkeel.mover.core.plan;

import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * Finds a DataNode for a replica among equally good ones: of two random ones with room the one with
 * more free space, so that emptier DataNodes get more and none gets all. Not thread-safe.
 */
final class TargetFinder {
  private final boolean nodeGroups;
  private final TargetIndex index;
  private final Suitability suitability;
  private final SpaceLedger space;
  private final Random random;

  TargetFinder(ClusterView cluster, MovableRule rule, SpaceLedger space, Random random) {
    this.nodeGroups = cluster.hasNodeGroups();
    this.index = new TargetIndex(cluster);
    this.suitability = new Suitability(rule, space, cluster.roomForRemote());
    this.space = space;
    this.random = random;
  }

  TargetIndex index() {
    return index;
  }

  Suitability suitability() {
    return suitability;
  }

  /**
   * A DataNode of that tier; null when none will do.
   *
   * @param evenly whether a near one that is ahead of the others of its type is left out: a few
   *     DataNodes of a type that stand in the racks of the sources would else get nearly all
   */
  NodeView find(Draft draft, Candidate candidate, String type, Tier tier, boolean evenly) {
    List<NodeView> pool = index.within(tier, type, candidate.node());
    boolean near = evenly && tier.distance() != Distance.OTHER;
    int all = index.withRoom(type);
    NodeView other = null;
    for (int i = 0; i < pool.size(); i++) {
      Collections.swap(pool, i, i + random.nextInt(pool.size() - i));
      NodeView node = pool.get(i);
      if (Distance.between(candidate.node(), node, nodeGroups) != tier.distance()
          || (near && space.isAhead(node, type, all))
          || suitability.againstTarget(draft, candidate, node, type) != null) {
        continue;
      }
      if (other == null) {
        other = node;
        continue;
      }
      NodeView found = firstMovable(draft, candidate, emptierFirst(node, other, type));
      if (found != null) {
        return found;
      }
      other = null;
    }
    return other == null ? null : firstMovable(draft, candidate, new NodeView[] {other});
  }

  private NodeView[] emptierFirst(NodeView a, NodeView b, String type) {
    boolean first = space.largest(a, type) > space.largest(b, type);
    return first ? new NodeView[] {a, b} : new NodeView[] {b, a};
  }

  private NodeView firstMovable(Draft draft, Candidate candidate, NodeView[] nodes) {
    for (NodeView node : nodes) {
      if (suitability.isMovable(draft, candidate, node)) {
        return node;
      }
    }
    return null;
  }
}
