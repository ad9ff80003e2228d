package io.evenkeel.mover.core.plan;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/** One block as it is planned: what is wrong and which replicas may be moved. */
final class BlockCase {
  private final BlockView block;
  private final boolean striped;
  private final Exclusions exclusions;
  private final Collection<Replica> planned;
  private final TypeDifference difference;
  private final List<Candidate> candidates = new ArrayList<>();
  private final List<Replica> lost = new ArrayList<>();
  private final List<Replica> doubled = new ArrayList<>();

  BlockCase(BlockView block, Layout layout, Exclusions exclusions) {
    this.block = block;
    this.striped = layout.isStriped();
    this.exclusions = exclusions;
    List<String> wanted = layout.typesFor(block);
    this.planned = striped ? onePerInternalBlock(block, wanted) : block.replicas();
    this.difference = new TypeDifference(planned, wanted);
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
  void findCandidates(ClusterView cluster, Random random) {
    Set<String> seen = new HashSet<>();
    for (Replica replica : planned) {
      if (difference.surplus(replica.type()) == 0) {
        continue;
      }
      NodeView node = cluster.node(replica.node());
      if (node == null) {
        lost.add(replica);
      } else if (seen.add(replica.node())) {
        candidates.add(new Candidate(replica, node, exclusions.isPinned(replica)));
      } else {
        doubled.add(replica);
      }
    }
    Collections.shuffle(candidates, random);
  }

  BlockView block() {
    return block;
  }

  boolean isStriped() {
    return striped;
  }

  Exclusions exclusions() {
    return exclusions;
  }

  TypeDifference difference() {
    return difference;
  }

  /** At most one for each DataNode, in random order. */
  List<Candidate> candidates() {
    return candidates;
  }

  /** Replicas of surplus types on DataNodes that are not live. */
  List<Replica> lost() {
    return lost;
  }

  /** Replicas of surplus types whose DataNode has another candidate. */
  List<Replica> doubled() {
    return doubled;
  }
}
