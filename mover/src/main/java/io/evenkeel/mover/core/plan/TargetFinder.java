package io.evenkeel.mover.core.plan;

import io.evenkeel.mover.core.plan.ClusterView.Distance;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

/**
 * Whether a replica may be moved to a DataNode and type, and which of equally good DataNodes gets
 * it: of two random ones that will do the one with more free space, so that emptier DataNodes get
 * more and none gets all. It keeps account of the room that planned moves take. Not thread-safe.
 * Separate from the planner: it knows the cluster, and not what is planned for a block.
 */
final class TargetFinder {
  /** As many moves as a DataNode takes part in at once, unless configured otherwise. */
  private static final int AT_ONCE = 8;

  private final ClusterView cluster;
  private final MovableRule rule;
  private final Random random;
  private final Map<String, List<NodeView>> byType = new HashMap<>();

  /** Of each type the DataNodes in good order that had room when they were looked at. */
  private final Map<String, Integer> withRoom = new HashMap<>();

  /** Free bytes of the DataNodes that moves are planned to, less what those take. */
  private final Map<NodeView, Map<String, List<Long>>> remaining = new HashMap<>();

  private final Map<String, Integer> movesOfType = new HashMap<>();

  /** By type and DataNode. */
  private final Map<String, Integer> movesOfNode = new HashMap<>();

  private long lookedAt;

  /** Why a DataNode is no place for a replica, in the order they are looked at. */
  enum Reason {
    SOURCE_ONLY("decommissioning, in maintenance or excluded", ""),
    HOLDS("holds a replica already", "hold a replica already"),
    TARGET("gets another replica", "get another replica"),
    SAME_HOST("shares a host with another replica", "share a host with another replica"),
    REFUSED("failed with this block before", ""),
    NO_SPACE("lacks the space", "lack the space"),
    POLICY("refused by the placement policy", "");

    private final String one;
    private final String many;

    Reason(String one, String many) {
      this.one = one;
      this.many = many.isEmpty() ? one : many;
    }

    /** What to say after a number of DataNodes. */
    String text(int count) {
      return count == 1 ? one : many;
    }
  }

  TargetFinder(ClusterView cluster, MovableRule rule, Random random) {
    this.cluster = cluster;
    this.rule = rule;
    this.random = random;
    for (NodeView node : cluster.nodes()) {
      for (String type : node.remaining().keySet()) {
        long largest = largest(node, type);
        if (largest >= 0) {
          byType.computeIfAbsent(type, any -> new ArrayList<>()).add(node);
        }
        if (largest >= cluster.roomForRemote() && node.use() == NodeView.Use.TARGET) {
          withRoom.merge(type, 1, Integer::sum);
        }
      }
    }
  }

  /** Every DataNode that has the type, those that may not be given replicas too. */
  List<NodeView> withType(String type) {
    return byType.getOrDefault(type, Collections.emptyList());
  }

  /** The best DataNode for a replica and type, the policy being asked; null when none will do. */
  NodeView find(PendingMoves pending, Replica replica, String type) {
    NodeView source = cluster.node(replica.node());
    Set<String> racks = new HashSet<>();
    if (pending.fewRacks) {
      pending.afterMoves().forEach(uuid -> racks.add(cluster.rack(cluster.node(uuid))));
    }
    Map<Integer, List<NodeView>> byRank = new TreeMap<>();
    for (NodeView node : withType(type)) {
      int rank = 2 * rank(source, node, type) + (racks.contains(cluster.rack(node)) ? 0 : 1);
      byRank.computeIfAbsent(rank, any -> new ArrayList<>()).add(node);
    }
    for (List<NodeView> nodes : byRank.values()) {
      NodeView found = null;
      for (int i = 0; i < nodes.size(); i++) {
        Collections.swap(nodes, i, i + random.nextInt(nodes.size() - i));
        NodeView node = nodes.get(i);
        lookedAt++;
        if (againstTarget(pending, replica, node, type) == null
            && isMovable(pending, replica, node)) {
          if (found != null) {
            return largest(found, type) > largest(node, type) ? found : node;
          }
          found = node;
        }
      }
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  /**
   * How good a target is, 0 for the best: those in good order; near ones of these that are ahead of
   * the others, as a few DataNodes of a type in the racks of the sources would else get nearly all;
   * slow and stale ones; each by distance.
   */
  private int rank(NodeView source, NodeView node, String type) {
    Distance distance = cluster.distance(source, node);
    boolean ahead = distance != Distance.OTHER && isAhead(node, type);
    int group = node.use() != NodeView.Use.TARGET ? 2 : ahead ? 1 : 0;
    return group * Distance.values().length + distance.ordinal();
  }

  /**
   * Whether more was planned for a DataNode than for the mean of those in good order that have room
   * for the type, and more than it can begin with.
   */
  private boolean isAhead(NodeView node, String type) {
    int mean = movesOfType.getOrDefault(type, 0) / withRoom.getOrDefault(type, 1);
    return movesOfNode.getOrDefault(key(node, type), 0) >= AT_ONCE + mean;
  }

  private static String key(NodeView node, String type) {
    return type + ' ' + node.uuid();
  }

  /** What speaks against another type on its own DataNode; null when nothing does. */
  Reason againstLocal(BlockCase block, Replica replica, String type) {
    NodeView node = cluster.node(replica.node());
    if (block.exclusions.isRefused(node.uuid(), type)) {
      return Reason.REFUSED;
    }
    return largest(node, type) >= replica.bytes() ? null : Reason.NO_SPACE;
  }

  /** What speaks against another DataNode, the policy not yet asked; null when nothing does. */
  Reason againstTarget(PendingMoves pending, Replica replica, NodeView target, String type) {
    if (target.use() == NodeView.Use.SOURCE_ONLY) {
      return Reason.SOURCE_ONLY;
    }
    if (pending.holds(target)) {
      return Reason.HOLDS;
    }
    if (pending.isTarget(target)) {
      return Reason.TARGET;
    }
    if (pending.sharesHost(cluster.node(replica.node()), target)) {
      return Reason.SAME_HOST;
    }
    if (pending.block.exclusions.isRefused(target.uuid(), type)) {
      return Reason.REFUSED;
    }
    long room = Math.max(cluster.roomForRemote(), replica.bytes());
    return largest(target, type) >= room ? null : Reason.NO_SPACE;
  }

  /** Whether the policy agrees, the moves planned before taken as made. */
  private boolean isMovable(PendingMoves pending, Replica replica, NodeView target) {
    return rule.isMovable(
        pending.block.striped, pending.afterMoves(), replica.node(), target.uuid());
  }

  /** DataNodes that were looked at as a place for a replica, each time counted. */
  long lookedAt() {
    return lookedAt;
  }

  /** Free bytes of the emptiest volume of that type; -1 when there is none. */
  private long largest(NodeView node, String type) {
    List<Long> volumes = remaining.getOrDefault(node, node.remaining()).get(type);
    return volumes == null || volumes.isEmpty() ? -1 : Collections.max(volumes);
  }

  /** Whether any room was taken. */
  boolean hasTakenSpace() {
    return !remaining.isEmpty();
  }

  /** Takes the room a move needs off the emptiest volume of its type, which must have it. */
  void takeSpace(ReplicaMove move) {
    NodeView node = cluster.node(move.target());
    String type = move.targetType();
    List<Long> volumes = remaining.computeIfAbsent(node, TargetFinder::copy).get(type);
    Long emptiest = Collections.max(volumes);
    volumes.set(volumes.indexOf(emptiest), emptiest - move.replica().bytes());
    movesOfType.merge(type, 1, Integer::sum);
    movesOfNode.merge(key(node, type), 1, Integer::sum);
  }

  private static Map<String, List<Long>> copy(NodeView node) {
    Map<String, List<Long>> copy = new HashMap<>();
    node.remaining().forEach((type, volumes) -> copy.put(type, new ArrayList<>(volumes)));
    return copy;
  }
}
