package io.evenkeel.mover.core.plan;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Whether a replica may be moved to a DataNode and type, and which of equally good DataNodes gets
 * it: of two random ones with room the one with more free space, so that emptier DataNodes get more
 * and none gets all. Not thread-safe. Separate from the planner: it knows the cluster, and not what
 * is planned for a block.
 */
final class TargetFinder {
  private final boolean nodeGroups;
  private final Index index;
  private final MovableRule rule;
  private final long roomForRemote;
  private final SpaceLedger space;
  private final Random random;

  TargetFinder(ClusterView cluster, MovableRule rule, SpaceLedger space, Random random) {
    this.nodeGroups = cluster.hasNodeGroups();
    this.index = new Index(cluster);
    this.rule = rule;
    this.roomForRemote = cluster.roomForRemote();
    this.space = space;
    this.random = random;
  }

  /** Every DataNode that has the type, those that may not be given replicas too. */
  List<NodeView> withType(String type) {
    return index.withType(type);
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
          || againstTarget(draft, candidate, node, type) != null) {
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
      if (isMovable(draft, candidate, node)) {
        return node;
      }
    }
    return null;
  }

  /** What speaks against another type on its own DataNode; null when nothing does. */
  Reason againstLocal(BlockCase block, Candidate candidate, String type) {
    if (block.exclusions().isRefused(candidate.node().uuid(), type)) {
      return Reason.REFUSED;
    }
    boolean fits = space.fits(candidate.node(), type, candidate.replica().bytes());
    return fits ? null : Reason.NO_SPACE;
  }

  /** What speaks against another DataNode, the policy not yet asked; null when nothing does. */
  Reason againstTarget(Draft draft, Candidate candidate, NodeView target, String type) {
    if (target.use() == NodeView.Use.SOURCE_ONLY) {
      return Reason.SOURCE_ONLY;
    }
    if (draft.holds(target)) {
      return Reason.HOLDS;
    }
    if (draft.isChosen(target)) {
      return Reason.CHOSEN;
    }
    if (draft.sharesHost(candidate.node(), target)) {
      return Reason.SAME_HOST;
    }
    if (draft.block().exclusions().isRefused(target.uuid(), type)) {
      return Reason.REFUSED;
    }
    long room = Math.max(roomForRemote, candidate.replica().bytes());
    return space.fits(target, type, room) ? null : Reason.NO_SPACE;
  }

  /** Whether the policy agrees, the moves planned before taken as made. */
  boolean isMovable(Draft draft, Candidate candidate, NodeView target) {
    return rule.isMovable(
        draft.block().isStriped(), draft.afterMoves(), candidate.node().uuid(), target.uuid());
  }

  /** DataNodes that are equally good as a target: by their use, then by their distance. */
  static final class Tier {
    /** All of them, best first. */
    static final List<Tier> ALL = all();

    private final NodeView.Use use;
    private final Distance distance;

    private Tier(NodeView.Use use, Distance distance) {
      this.use = use;
      this.distance = distance;
    }

    private static List<Tier> all() {
      List<Tier> tiers = new ArrayList<>();
      for (NodeView.Use use : new NodeView.Use[] {NodeView.Use.TARGET, NodeView.Use.LAST_CHOICE}) {
        for (Distance distance : Distance.values()) {
          tiers.add(new Tier(use, distance));
        }
      }
      return Collections.unmodifiableList(tiers);
    }

    /** Those with DataNodes of that use, best first. */
    static List<Tier> of(NodeView.Use use) {
      List<Tier> tiers = new ArrayList<>(ALL);
      tiers.removeIf(tier -> tier.use != use);
      return tiers;
    }

    NodeView.Use use() {
      return use;
    }

    Distance distance() {
      return distance;
    }
  }

  /** The DataNodes of a cluster by storage type and place. Not thread-safe. */
  private static final class Index {
    private static final List<NodeView> NOBODY = Collections.emptyList();

    private final boolean nodeGroups;
    private final Map<String, List<NodeView>> byType = new HashMap<>();
    private final Map<String, List<NodeView>> byPlace = new HashMap<>();

    /** Of each type those in good order with room. */
    private final Map<String, Integer> withRoom = new HashMap<>();

    Index(ClusterView cluster) {
      nodeGroups = cluster.hasNodeGroups();
      for (NodeView node : cluster.nodes()) {
        for (Map.Entry<String, List<Long>> entry : node.remaining().entrySet()) {
          if (!entry.getValue().isEmpty()) {
            add(entry.getKey(), node);
          }
          boolean room =
              entry.getValue().stream().anyMatch(free -> free >= cluster.roomForRemote());
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
}
