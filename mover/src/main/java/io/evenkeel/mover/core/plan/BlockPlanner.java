package io.evenkeel.mover.core.plan;

import java.util.ArrayList;
import java.util.Collection;
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
  private static final int OTHER_ORDERS = 3;

  private final ClusterView cluster;
  private final Random random;
  private final SpaceLedger space = new SpaceLedger();
  private final TargetFinder targets;

  /** Creates a planner for one view of the cluster. */
  public BlockPlanner(ClusterView cluster, MovableRule rule, Random random) {
    this.cluster = cluster;
    this.random = random;
    this.targets = new TargetFinder(cluster, rule, space, random);
  }

  /**
   * Plans one block of a file. What cannot be done is said in the plan, never thrown. A block
   * without a good replica gets no moves.
   */
  public BlockPlan plan(BlockView block, WantedTypes wantedTypes, Exclusions exclusions) {
    return plan(block, BlockCase.of(block, wantedTypes, exclusions));
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
    return plan(block, BlockCase.ofDoubled(block, wantedTypes, exclusions, cluster));
  }

  private BlockPlan plan(BlockView block, BlockCase wanted) {
    int wrong = wanted.difference().wrong();
    if (wrong == 0) {
      return SATISFIED;
    }
    if (block.isCorrupt()) {
      List<String> why = Collections.singletonList("no good replica is left");
      return new BlockPlan(wrong, Collections.emptyList(), why, false);
    }
    wanted.findCandidates(cluster, random);
    Map<Candidate, String> inside = insideDataNodes(wanted);
    Draft draft = toOtherDataNodes(wanted, inside, false);
    List<String> why = new ArrayList<>();
    boolean pinnedOnly = draft.open() > 0 && explain(draft, inside, why);
    return new BlockPlan(wrong, moves(draft), why, pinnedOnly);
  }

  /**
   * Whether room was taken off the view for moves planned before: some may not have been made, so a
   * block without a target should be asked about once more with a new view.
   */
  public boolean hasTakenSpace() {
    return space.isTaken();
  }

  /** Adds what is in the way; true when that is pinned replicas alone. */
  private boolean explain(Draft draft, Map<Candidate, String> inside, List<String> why) {
    Draft unpinned = draft;
    int pinned = 0;
    for (Candidate candidate : draft.block().candidates()) {
      if (candidate.isPinned() && draft.isStuck(candidate)) {
        pinned++;
      }
    }
    if (pinned > 0) {
      unpinned = toOtherDataNodes(draft.block(), inside, true);
      if (unpinned.open() < draft.open()) {
        why.add(pinned(pinned));
      }
    }
    if (unpinned.open() > 0) {
      why.addAll(obstacles(unpinned));
    }
    return unpinned.open() == 0;
  }

  private List<ReplicaMove> moves(Draft draft) {
    List<ReplicaMove> moves = new ArrayList<>();
    for (ReplicaMove move : draft.moves()) {
      String proxy = proxyOf(move, draft);
      if (proxy != null) {
        space.take(cluster.node(move.target()), move.targetType(), move.replica().bytes());
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
  private Map<Candidate, String> insideDataNodes(BlockCase block) {
    List<Candidate> order = new ArrayList<>(block.candidates());
    order.sort(Comparator.comparingInt(BlockPlanner::cost));
    Map<Candidate, String> chosen = new LinkedHashMap<>();
    for (Candidate candidate : order) {
      long moved = chosen.keySet().stream().filter(c -> c.type().equals(candidate.type())).count();
      if (moved < block.difference().surplus(candidate.type())) {
        findsPlace(block, candidate, chosen, new HashSet<>());
      }
    }
    return chosen;
  }

  /** Gives it a type that is missing; {@code asked} are those that no way leads to any more. */
  private boolean findsPlace(
      BlockCase block, Candidate candidate, Map<Candidate, String> chosen, Set<String> asked) {
    for (String type : block.difference().missing()) {
      if (targets.againstLocal(block, candidate, type) == null && asked.add(type)) {
        List<Candidate> there = new ArrayList<>(chosen.keySet());
        there.removeIf(other -> !chosen.get(other).equals(type));
        if (there.size() < block.difference().missing(type)
            || there.stream().anyMatch(other -> findsPlace(block, other, chosen, asked))) {
          chosen.put(candidate, type);
          return true;
        }
      }
    }
    return false;
  }

  private static int cost(Candidate candidate) {
    if (candidate.isPinned()) {
      return 0;
    }
    return candidate.node().use() == NodeView.Use.TARGET ? 1 : 2;
  }

  /**
   * The local moves, and for replicas that cannot change their type where they are as many to other
   * DataNodes as were found, nearest first. When that leaves some over although others found a
   * place, a few other orders are tried: the most common reason is that one took the only place of
   * another.
   *
   * @param ignorePins whether to act as if no replica were pinned
   */
  private Draft toOtherDataNodes(
      BlockCase block, Map<Candidate, String> local, boolean ignorePins) {
    List<Candidate> candidates = new ArrayList<>();
    for (Candidate candidate : block.candidates()) {
      if (ignorePins || !candidate.isPinned()) {
        candidates.add(candidate);
      }
    }
    Draft best = start(block, local);
    nearestFirst(best, candidates);
    for (int i = 0; i < OTHER_ORDERS && best.open() > 0; i++) {
      if (best.moves().size() == local.size()) {
        break; // no first move was possible, so none is in any order
      }
      Draft other = start(block, local);
      leftOverFirst(other, best, candidates);
      nearestFirst(other, candidates);
      if (other.open() < best.open()) {
        best = other;
      }
    }
    return best;
  }

  private Draft start(BlockCase block, Map<Candidate, String> local) {
    Draft draft = new Draft(block, cluster);
    local.forEach((candidate, type) -> draft.add(candidate, candidate.node(), type));
    return draft;
  }

  /** Those in good order come before slow ones, whether or not a near one gives way to others. */
  private void nearestFirst(Draft draft, List<Candidate> candidates) {
    nearestFirst(draft, candidates, TargetFinder.Tier.of(NodeView.Use.TARGET), true);
    if (draft.open() > 0) {
      nearestFirst(draft, candidates, TargetFinder.Tier.of(NodeView.Use.TARGET), false);
    }
    if (draft.open() > 0) {
      nearestFirst(draft, candidates, TargetFinder.Tier.ALL, false);
    }
  }

  /** A move may make another one acceptable to the policy, hence again until nothing changes. */
  private void nearestFirst(
      Draft draft, List<Candidate> candidates, List<TargetFinder.Tier> tiers, boolean evenly) {
    List<String> types = draft.missing();
    types.sort(Comparator.comparingInt(type -> targets.withType(type).size()));
    int before;
    do {
      before = draft.moves().size();
      for (TargetFinder.Tier tier : tiers) {
        for (Candidate candidate : candidates) {
          types.forEach(type -> tryTier(draft, candidate, type, tier, evenly));
        }
      }
    } while (draft.open() > 0 && draft.moves().size() > before);
  }

  private void leftOverFirst(Draft draft, Draft before, List<Candidate> candidates) {
    List<Candidate> order = new ArrayList<>(candidates);
    Collections.shuffle(order, random);
    order.sort(Comparator.comparing(candidate -> !before.isStuck(candidate)));
    List<String> types = draft.missing();
    types.sort(Comparator.comparing(type -> !before.missing().contains(type)));
    for (String type : types) {
      for (Candidate candidate : order) {
        TargetFinder.Tier.ALL.forEach(tier -> tryTier(draft, candidate, type, tier, false));
      }
    }
  }

  private void tryTier(
      Draft draft, Candidate candidate, String type, TargetFinder.Tier tier, boolean evenly) {
    if (draft.isOpen(candidate, type)) {
      NodeView target = targets.find(draft, candidate, type, tier, evenly);
      if (target != null) {
        draft.add(candidate, target, type);
      }
    }
  }

  /**
   * Chooses the DataNode the bytes are read from: a live holder of the very same block in the node
   * group of the target, else in its rack, else the source; slow ones only when all are. One whose
   * replica leaves in the same plan may be deleted too early and is not chosen for another, nor is
   * one that could not be read from a moment ago.
   *
   * <p>Only the DataNode the bytes are read from looks whether its replica is pinned. Where
   * replicas may be pinned it is therefore always the source, or one that may not leave would.
   *
   * @return null when there is none now
   */
  private String proxyOf(ReplicaMove move, Draft plan) {
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

  /** What pinned replicas keep from being moved. */
  private static String pinned(int count) {
    return count == 1
        ? "1 replica is pinned to its DataNode"
        : count + " replicas are pinned to their DataNodes";
  }

  /** Why the plan has open places, one line each, without repetition. */
  private List<String> obstacles(Draft draft) {
    Set<String> lines = new LinkedHashSet<>();
    List<Candidate> stuck = new ArrayList<>();
    for (Candidate candidate : draft.block().candidates()) {
      if (draft.isStuck(candidate)) {
        stuck.add(candidate);
      }
    }
    for (String type : draft.missing()) {
      if (targets.withType(type).isEmpty()) {
        lines.add("no live DataNode has " + type);
      } else if (!stuck.isEmpty()) {
        lines.add(type + ": " + tally(draft, stuck, type));
      }
    }
    for (Replica replica : draft.block().lost()) {
      if (draft.hasSurplus(replica.type())) {
        lines.add("DataNode " + replica.node() + " is not live");
      }
    }
    for (Replica replica : draft.block().doubled()) {
      if (draft.hasSurplus(replica.type())) {
        lines.add("DataNode " + replica.node() + " holds more than one replica of the block");
      }
    }
    return new ArrayList<>(lines);
  }

  private String tally(Draft draft, List<Candidate> stuck, String type) {
    Map<Reason, Integer> counts = new EnumMap<>(Reason.class);
    for (NodeView node : targets.withType(type)) {
      counts.merge(nearest(draft, stuck, node, type), 1, Integer::sum);
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
  private Reason nearest(Draft draft, List<Candidate> stuck, NodeView node, String type) {
    Reason last = Reason.SOURCE_ONLY;
    for (Candidate candidate : stuck) {
      Reason reason =
          candidate.node() == node
              ? targets.againstLocal(draft.block(), candidate, type)
              : targets.againstTarget(draft, candidate, node, type);
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
