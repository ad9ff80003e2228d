package io.evenkeel.mover.core.plan;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** A plan of one block in the making. */
final class Draft {
  private final BlockCase block;
  private final Holders holders;
  private final TypeCounts surplus;
  private final TypeCounts missing;
  private final List<Assignment> moves = new ArrayList<>();
  private final Set<Candidate> moved = new HashSet<>();

  Draft(BlockCase block, ClusterView cluster) {
    this.block = block;
    this.holders = new Holders(block.block(), cluster);
    this.surplus = block.difference().surplus();
    this.missing = block.difference().missing();
  }

  void add(Assignment move) {
    surplus.remove(move.candidate().type());
    missing.remove(move.type());
    moves.add(move);
    moved.add(move.candidate());
    if (!move.isLocal()) {
      holders.move(move.candidate().node(), move.target());
    }
  }

  void addAll(List<Assignment> all) {
    all.forEach(this::add);
  }

  /** How many replicas are still wrong. */
  int open() {
    return Math.min(surplus.total(), missing.total());
  }

  /** Whether the candidate may still be moved to that type. */
  boolean isOpen(Candidate candidate, String type) {
    return isStuck(candidate) && missing.of(type) > 0;
  }

  /** Whether the candidate is not moved although there is still too much of its type. */
  boolean isStuck(Candidate candidate) {
    return !moved.contains(candidate) && surplus.of(candidate.type()) > 0;
  }

  /** Whether there is still too much of that type. */
  boolean hasSurplus(String type) {
    return surplus.of(type) > 0;
  }

  /** Types still asked for. */
  List<String> missing() {
    return missing.types();
  }

  BlockCase block() {
    return block;
  }

  Holders holders() {
    return holders;
  }

  List<Assignment> moves() {
    return Collections.unmodifiableList(moves);
  }
}
