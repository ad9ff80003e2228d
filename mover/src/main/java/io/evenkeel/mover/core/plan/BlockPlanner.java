package io.evenkeel.mover.core.plan;

import io.evenkeel.mover.core.plan.TargetFinder.Reason;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.StringJoiner;

/**
 * Plans all wrong replicas of a block at once: those that can change the type inside their DataNode
 * first, else to a near DataNode the placement policy agrees with.
 *
 * <ul>
 *   <li>As many moves as possible stay inside their DataNode; where several types are too many and
 *       several missing, perhaps fewer. Pinned replicas may do that too.
 *   <li>Other targets: DataNodes in good order before slow ones; of those the same node group, the
 *       same rack, any other. Among equals, of two random ones the one with more free space. A near
 *       one gives way while it is ahead of the mean of all DataNodes of its type.
 *   <li>A plan never puts two replicas on one DataNode or host, counting those that are about to
 *       leave. The rule is asked with the planned moves of the block taken as made, and about
 *       holders that are live only.
 *   <li>Replicas on RAM_DISK and PROVIDED are never moved, nor any there.
 *   <li>A block with too many replicas and none missing has nothing wrong: the NameNode deletes. So
 *       it is with a second copy of an internal block. Where it does not, see {@link #planDoubled}.
 *   <li>The same seed, cluster and sequence of blocks give the same plans.
 * </ul>
 *
 * <p>Not thread-safe; one planner works on one view of the cluster and takes the space of what it
 * planned off that view.
 */
public final class BlockPlanner {
  private static final BlockPlan SATISFIED =
      new BlockPlan(0, Collections.emptyList(), Collections.emptyList(), false);
  private static final int OTHER_ORDERS = 12;

  /** DataNodes that are looked at for one block, after which one other order has to do. */
  private static final int MOST_LOOKED_AT = 5_000;

  private final ClusterView cluster;
  private final Random random;
  private final TargetFinder targets;
  private final long replacedAt;

  /** Creates a planner for one view of the cluster, which is not replaced at any known time. */
  public BlockPlanner(ClusterView cluster, MovableRule rule, Random random) {
    this(cluster, rule, random, Long.MIN_VALUE);
  }

  /**
   * Creates a planner for one view of the cluster.
   *
   * @param replacedAt when one with a newer view takes its place, by the clock of those who ask it
   */
  public BlockPlanner(ClusterView cluster, MovableRule rule, Random random, long replacedAt) {
    this.replacedAt = replacedAt;
    this.cluster = cluster;
    this.random = random;
    this.targets = new TargetFinder(cluster, rule, random);
  }

  /**
   * Plans one block of a file. What cannot be done is said in the plan, never thrown. A block
   * without a good replica gets no moves.
   */
  public BlockPlan plan(BlockView block, WantedTypes wantedTypes, Exclusions exclusions) {
    return plan(BlockCase.of(block, wantedTypes, exclusions));
  }

  /**
   * Plans the wrong copies of doubled internal blocks of which stock's NameNode can delete none:
   * {@code BlockPlacementPolicyRackFaultTolerant} looks only at copies whose rack has another
   * replica, and its caller only at those of types in excess. Once both are on a type asked for it
   * chooses between them, so at most one copy more is made, however often this is asked.
   *
   * @param block a striped group
   */
  public BlockPlan planDoubled(BlockView block, WantedTypes wantedTypes, Exclusions exclusions) {
    return plan(BlockCase.ofDoubled(block, wantedTypes, exclusions, cluster));
  }

  private BlockPlan plan(BlockCase block) {
    int wrong = block.difference.wrong();
    if (wrong == 0) {
      return SATISFIED;
    }
    if (block.view.isCorrupt()) {
      List<String> why = Collections.singletonList("no good replica is left");
      return new BlockPlan(wrong, Collections.emptyList(), why, false);
    }
    block.findMovable(cluster, random);
    Map<Replica, String> inside = insideDataNodes(block);
    PendingMoves pending = toOtherDataNodes(block, inside, false);
    List<String> why = new ArrayList<>();
    boolean pinnedOnly = pending.open() > 0 && explain(pending, inside, why);
    return new BlockPlan(wrong, moves(pending), why, pinnedOnly);
  }

  /**
   * Whether room was taken off the view for moves planned before: some may not have been made, so a
   * block without a target should be asked about once more with a new view.
   */
  public boolean hasTakenSpace() {
    return targets.hasTakenSpace();
  }

  /** When one with a newer view takes its place; long ago where that is not known. */
  public long replacedAt() {
    return replacedAt;
  }

  /** Adds what is in the way; true when that is pinned replicas alone. */
  private boolean explain(PendingMoves pending, Map<Replica, String> inside, List<String> why) {
    PendingMoves unpinned = pending;
    List<Replica> pinned = stuck(pending);
    pinned.removeIf(replica -> !isPinned(pending.block, replica));
    if (!pinned.isEmpty()) {
      unpinned = toOtherDataNodes(pending.block, inside, true);
      if (unpinned.open() < pending.open()) {
        why.add(pinned(pinned.size()));
      }
    }
    if (unpinned.open() > 0) {
      why.addAll(obstacles(unpinned));
    }
    return unpinned.open() == 0;
  }

  private static List<Replica> stuck(PendingMoves pending) {
    List<Replica> stuck = new ArrayList<>(pending.block.movable);
    stuck.removeIf(replica -> !pending.isStuck(replica));
    return stuck;
  }

  private static boolean isPinned(BlockCase block, Replica replica) {
    return block.exclusions.isPinned(replica);
  }

  private List<ReplicaMove> moves(PendingMoves pending) {
    List<ReplicaMove> moves = new ArrayList<>();
    for (ReplicaMove move : pending.moves()) {
      String proxy = proxyOf(move, pending);
      if (proxy != null) {
        targets.takeSpace(move);
        moves.add(move.readFrom(proxy));
      }
    }
    return moves;
  }

  /**
   * Chooses the moves inside DataNodes and the types they lead to. First come replicas that could
   * not leave, then those whose DataNode is in good order; one that comes later has others change
   * their type where that makes room for it. That gives as many as there can be where one type is
   * too many or one is missing, as between the policies HDFS has. What finds no place may still go
   * to another DataNode.
   */
  private Map<Replica, String> insideDataNodes(BlockCase block) {
    List<Replica> order = new ArrayList<>(block.movable);
    order.sort(Comparator.comparingInt(replica -> cost(block, replica)));
    Map<Replica, String> chosen = new LinkedHashMap<>();
    for (Replica replica : order) {
      long moved = chosen.keySet().stream().filter(r -> r.type().equals(replica.type())).count();
      if (moved < block.difference.surplus(replica.type())) {
        findsPlace(block, replica, chosen, new HashSet<>());
      }
    }
    return chosen;
  }

  /** Gives it a type that is missing; {@code asked} are those that no way leads to any more. */
  private boolean findsPlace(
      BlockCase block, Replica replica, Map<Replica, String> chosen, Set<String> asked) {
    for (String type : block.difference.missing()) {
      if (targets.againstLocal(block, replica, type) == null && asked.add(type)) {
        List<Replica> there = new ArrayList<>(chosen.keySet());
        there.removeIf(other -> !chosen.get(other).equals(type));
        if (there.size() < block.difference.missing(type)
            || there.stream().anyMatch(other -> findsPlace(block, other, chosen, asked))) {
          chosen.put(replica, type);
          return true;
        }
      }
    }
    return false;
  }

  private int cost(BlockCase block, Replica replica) {
    if (isPinned(block, replica)) {
      return 0;
    }
    return cluster.node(replica.node()).use() == NodeView.Use.TARGET ? 1 : 2;
  }

  /**
   * The local moves, and for replicas that cannot change their type where they are as many to other
   * DataNodes as were found. When that leaves some over although others found a place, a few other
   * orders are tried: the most common reasons are that one took the only place of another, and that
   * one took a rack which one that is alone on its rack will need.
   *
   * @param ignorePins whether to act as if no replica were pinned
   */
  private PendingMoves toOtherDataNodes(
      BlockCase block, Map<Replica, String> local, boolean ignorePins) {
    List<Replica> order = new ArrayList<>(block.movable);
    order.removeIf(replica -> !ignorePins && isPinned(block, replica));
    PendingMoves best = start(block, local, false);
    List<String> types = best.missing();
    types.sort(Comparator.comparingInt(type -> targets.withType(type).size()));
    long before = targets.lookedAt();
    addRemoteMoves(best, order, types);
    for (int i = 0; i < OTHER_ORDERS && best.open() > 0; i++) {
      if (best.moves().size() == local.size()) {
        break; // no first move was possible, so none is in any order
      }
      if (i > 0 && targets.lookedAt() - before > MOST_LOOKED_AT) {
        break;
      }
      PendingMoves last = best;
      Collections.shuffle(order, random);
      boolean fewRacks = i % 2 == 0;
      if (i % 4 == 0) { // what is alone on its rack can go to none that others have gone to
        order.sort(Comparator.comparing(replica -> sharesRack(block, replica)));
      } else { // nor can others where it took their only place on its own rack
        order.sort(Comparator.comparing(replica -> !last.isStuck(replica)));
      }
      types.sort(Comparator.comparing(type -> !last.missing().contains(type)));
      PendingMoves other = start(block, local, fewRacks);
      addRemoteMoves(other, order, types);
      if (other.open() < best.open()) {
        best = other;
      }
    }
    return best;
  }

  private boolean sharesRack(BlockCase block, Replica replica) {
    NodeView node = cluster.node(replica.node());
    return block.view.replicas().stream()
        .filter(other -> other != replica)
        .map(other -> cluster.node(other.node()))
        .anyMatch(other -> other != null && cluster.rack(other).equals(cluster.rack(node)));
  }

  private PendingMoves start(BlockCase block, Map<Replica, String> local, boolean fewRacks) {
    PendingMoves pending = new PendingMoves(block, cluster, fewRacks);
    local.forEach((replica, type) -> pending.add(replica, cluster.node(replica.node()), type));
    return pending;
  }

  /** A move may make another one acceptable to the policy, hence again until nothing changes. */
  private void addRemoteMoves(PendingMoves pending, List<Replica> order, List<String> types) {
    int before;
    do {
      before = pending.moves().size();
      for (Replica replica : order) {
        for (String type : types) {
          NodeView target =
              pending.isOpen(replica, type) ? targets.find(pending, replica, type) : null;
          if (target != null) {
            pending.add(replica, target, type);
          }
        }
      }
    } while (pending.open() > 0 && pending.moves().size() > before);
  }

  /**
   * Chooses the DataNode the bytes are read from: of the live holders of the very same block a
   * random one of the nearest to the target, in another rack the source; slow ones only when all
   * are, and last of all one whose bytes were perhaps bad. A random one, as the source's replica
   * may be corrupt. One whose replica leaves in the same plan may be deleted too early and is not
   * chosen for another, nor is one that could not be read from a moment ago.
   *
   * <p>Only the DataNode the bytes are read from looks whether its replica is pinned. Where
   * replicas may be pinned it is therefore always the source, or one that may not leave would.
   *
   * @return null when there is none now
   */
  private String proxyOf(ReplicaMove move, PendingMoves pending) {
    Replica moved = move.replica();
    if (move.isLocal()) {
      return pending.block.exclusions.isUnreadable(moved.node()) ? null : moved.node();
    }
    boolean sourceOnly = mayBePinned(pending.block);
    List<NodeView> holders = new ArrayList<>();
    for (Replica replica : pending.block.view.replicas()) {
      NodeView node = cluster.node(replica.node());
      boolean stays = !sourceOnly && pending.afterMoves().contains(replica.node());
      if (node != null
          && replica.blockId() == moved.blockId()
          && (replica == moved || stays)
          && !pending.block.exclusions.isUnreadable(replica.node())) {
        holders.add(node);
      }
    }
    Collections.shuffle(holders, random);
    NodeView target = cluster.node(move.target());
    return holders.stream()
        .min(
            Comparator.comparing((NodeView node) -> pending.block.exclusions.isDoubted(node.uuid()))
                .thenComparing(node -> node.use() == NodeView.Use.LAST_CHOICE)
                .thenComparing(node -> cluster.distance(target, node))
                .thenComparing(
                    node ->
                        cluster.distance(target, node) == ClusterView.Distance.OTHER
                            && !node.uuid().equals(moved.node())))
        .map(NodeView::uuid)
        .orElse(null);
  }

  private boolean mayBePinned(BlockCase block) {
    return cluster.hasPinning()
        || block.view.replicas().stream().anyMatch(block.exclusions::isPinned);
  }

  /** What pinned replicas keep from being moved. */
  private static String pinned(int count) {
    return count == 1
        ? "1 replica is pinned to its DataNode"
        : count + " replicas are pinned to their DataNodes";
  }

  /** Why the plan has open places, one line each, without repetition. */
  private List<String> obstacles(PendingMoves pending) {
    Set<String> lines = new LinkedHashSet<>();
    List<Replica> stuck = stuck(pending);
    for (String type : pending.missing()) {
      if (targets.withType(type).isEmpty()) {
        lines.add("no live DataNode has " + type);
      } else if (!stuck.isEmpty()) {
        lines.add(type + ": " + tally(pending, stuck, type));
      }
    }
    for (Replica replica : pending.block.unmovable) {
      if (pending.hasSurplus(replica.type())) {
        boolean live = cluster.node(replica.node()) != null;
        String why = live ? " holds more than one replica of the block" : " is not live";
        lines.add("DataNode " + replica.node() + why);
      }
    }
    return new ArrayList<>(lines);
  }

  private String tally(PendingMoves pending, List<Replica> stuck, String type) {
    Map<Reason, Integer> counts = new EnumMap<>(Reason.class);
    for (NodeView node : targets.withType(type)) {
      counts.merge(nearest(pending, stuck, node, type), 1, Integer::sum);
    }
    StringJoiner text = new StringJoiner(", ");
    for (Map.Entry<Reason, Integer> entry : counts.entrySet()) {
      int count = entry.getValue();
      String nodes = text.length() > 0 ? "" : count == 1 ? "DataNode " : "DataNodes ";
      text.add(count + " " + nodes + entry.getKey().text(count));
    }
    return text.toString();
  }

  /** The reason of the replica that came nearest to being moved there. */
  private Reason nearest(PendingMoves pending, List<Replica> stuck, NodeView node, String type) {
    Reason last = Reason.SOURCE_ONLY;
    for (Replica replica : stuck) {
      Reason reason =
          replica.node().equals(node.uuid())
              ? targets.againstLocal(pending.block, replica, type)
              : targets.againstTarget(pending, replica, node, type);
      if (reason == null) {
        return Reason.POLICY;
      }
      if (reason.compareTo(last) > 0) {
        last = reason;
      }
    }
    return last;
  }
}
