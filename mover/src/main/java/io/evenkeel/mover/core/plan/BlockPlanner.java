package io.evenkeel.mover.core.plan;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;

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

  private final ClusterView cluster;
  private final Random random;
  private final SpaceLedger space = new SpaceLedger();
  private final LocalMatching local;
  private final RemotePlacement remote;
  private final ProxyChoice proxies;
  private final Obstacles obstacles;

  /** Creates a planner for one view of the cluster. */
  public BlockPlanner(ClusterView cluster, MovableRule rule, Random random) {
    this.cluster = cluster;
    this.random = random;
    TargetFinder finder = new TargetFinder(cluster, rule, space, random);
    this.local = new LocalMatching(finder.suitability());
    this.remote = new RemotePlacement(cluster, finder, random);
    this.proxies = new ProxyChoice(cluster, random);
    this.obstacles = new Obstacles(finder);
  }

  /**
   * Plans one block of a file. What cannot be done is said in the plan, never thrown. A block
   * without a good replica gets no moves.
   */
  public BlockPlan plan(BlockView block, Layout layout, Exclusions exclusions) {
    return plan(block, BlockCase.of(block, layout, exclusions));
  }

  /**
   * Plans the wrong copies of doubled internal blocks of which stock's NameNode can delete none:
   * {@code BlockPlacementPolicyRackFaultTolerant} looks only at copies whose rack has another
   * replica, and its caller only at those of types in excess. Once both are on a type asked for it
   * chooses between them, so at most one copy more is made, however often this is asked.
   *
   * @param block a striped group
   */
  public BlockPlan planDoubled(BlockView block, Layout layout, Exclusions exclusions) {
    return plan(block, BlockCase.ofDoubled(block, layout, exclusions, cluster));
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
    Map<Candidate, String> inside = local.match(wanted);
    Draft draft = remote.place(wanted, inside, false);
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
      unpinned = remote.place(draft.block(), inside, true);
      if (unpinned.open() < draft.open()) {
        why.add(Obstacles.pinned(pinned));
      }
    }
    if (unpinned.open() > 0) {
      why.addAll(obstacles.of(unpinned));
    }
    return unpinned.open() == 0;
  }

  private List<ReplicaMove> moves(Draft draft) {
    List<ReplicaMove> moves = new ArrayList<>();
    for (ReplicaMove move : draft.moves()) {
      String proxy = proxies.proxyOf(move, draft);
      if (proxy != null) {
        space.take(cluster.node(move.target()), move.targetType(), move.replica().bytes());
        moves.add(move.readFrom(proxy));
      }
    }
    return moves;
  }
}
