package io.evenkeel.mover.core.plan;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A plan of one block in the making. */
final class Draft {
  private final BlockCase block;
  private final Holders holders;
  private final TypeDifference open;
  private final Map<Candidate, ReplicaMove> moves = new LinkedHashMap<>();

  Draft(BlockCase block, ClusterView cluster) {
    this.block = block;
    this.holders = new Holders(block.block(), cluster);
    this.open = new TypeDifference(block.difference());
  }

  /** Adds a move, for now read from where the candidate is. */
  void add(Candidate candidate, NodeView target, String type) {
    NodeView source = candidate.node();
    long stamp = block.block().generationStamp();
    open.move(candidate.type(), type);
    moves.put(
        candidate, new ReplicaMove(candidate.replica(), stamp, target.uuid(), type, source.uuid()));
    if (target != source) {
      holders.move(source, target);
    }
  }

  /** How many replicas are still wrong. */
  int open() {
    return open.wrong();
  }

  /** Whether the candidate may still be moved to that type. */
  boolean isOpen(Candidate candidate, String type) {
    return isStuck(candidate) && open.missing(type) > 0;
  }

  /** Whether the candidate is not moved although there is still too much of its type. */
  boolean isStuck(Candidate candidate) {
    return !moves.containsKey(candidate) && open.surplus(candidate.type()) > 0;
  }

  /** Whether there is still too much of that type. */
  boolean hasSurplus(String type) {
    return open.surplus(type) > 0;
  }

  /** Types still asked for. */
  List<String> missing() {
    return open.missing();
  }

  BlockCase block() {
    return block;
  }

  Holders holders() {
    return holders;
  }

  Collection<ReplicaMove> moves() {
    return Collections.unmodifiableCollection(moves.values());
  }
}
