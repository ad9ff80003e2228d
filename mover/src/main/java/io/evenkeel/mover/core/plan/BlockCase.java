package io.evenkeel.mover.core.plan;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/** One block as it is planned: what is wrong and which replicas may be moved. */
final class BlockCase {
  final BlockView view;
  final boolean striped;
  final Exclusions exclusions;
  final StorageTypeDiff difference;

  /** Replicas of surplus types on live DataNodes, at most one for each, in random order. */
  final List<Replica> movable = new ArrayList<>();

  /** The other replicas of surplus types: their DataNodes are not live, or have a movable one. */
  final List<Replica> unmovable = new ArrayList<>();

  private final Collection<Replica> planned;

  private BlockCase(
      BlockView view,
      boolean striped,
      Exclusions exclusions,
      Collection<Replica> planned,
      List<String> wanted) {
    this.view = view;
    this.striped = striped;
    this.exclusions = exclusions;
    this.planned = planned;
    this.difference = new StorageTypeDiff(planned, wanted);
  }

  /** As many replicas as there should be, the others being about to go. */
  static BlockCase of(BlockView block, WantedTypes wantedTypes, Exclusions exclusions) {
    List<String> wanted = wantedTypes.typesFor(block);
    boolean striped = wantedTypes.isStriped();
    Collection<Replica> planned = striped ? onePerInternalBlock(block, wanted) : block.replicas();
    return new BlockCase(block, striped, exclusions, planned, wanted);
  }

  /**
   * The copies on wrong types of internal blocks that have one copy on a type asked for, where
   * stock can delete neither: the right one shares its rack with another replica, the wrong one
   * does not.
   */
  static BlockCase ofDoubled(
      BlockView block, WantedTypes wantedTypes, Exclusions exclusions, ClusterView cluster) {
    List<String> wanted = wantedTypes.typesFor(block);
    Map<String, Integer> onRack = new HashMap<>();
    Map<Long, List<Replica>> right = new HashMap<>();
    for (Replica replica : block.replicas()) {
      onRack.merge(cluster.locationOf(replica), 1, Integer::sum);
      if (wanted.contains(replica.type())) {
        right.computeIfAbsent(replica.blockId(), id -> new ArrayList<>()).add(replica);
      }
    }
    List<Replica> wrong = new ArrayList<>();
    for (Replica replica : block.replicas()) {
      List<Replica> others = right.getOrDefault(replica.blockId(), Collections.emptyList());
      if (!wanted.contains(replica.type())
          && others.size() == 1
          && onRack.get(cluster.locationOf(replica)) == 1
          && onRack.get(cluster.locationOf(others.get(0))) > 1) {
        wrong.add(replica);
      }
    }
    return new BlockCase(block, true, exclusions, wrong, wantedTypes.types(wrong.size()));
  }

  /** Of several copies of an internal block one of a type asked for; the others are in excess. */
  private static Collection<Replica> onePerInternalBlock(BlockView block, List<String> wanted) {
    Map<Long, Replica> kept = new LinkedHashMap<>();
    for (Replica replica : block.replicas()) {
      Replica other = kept.get(replica.blockId());
      if (other == null || !wanted.contains(other.type()) && wanted.contains(replica.type())) {
        kept.put(replica.blockId(), replica);
      }
    }
    return kept.values();
  }

  /** Sorts the replicas of surplus types into those that may be moved and the others. */
  void findMovable(ClusterView cluster, Random random) {
    Set<String> seen = new HashSet<>();
    for (Replica replica : planned) {
      if (difference.surplus(replica.type()) > 0 && !exclusions.isAwaited(replica.node())) {
        boolean first = cluster.node(replica.node()) != null && seen.add(replica.node());
        (first ? movable : unmovable).add(replica);
      }
    }
    Collections.shuffle(movable, random);
  }
}
