package io.evenkeel.mover.core.plan;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** What is wrong with a block and what can be done about it. Immutable. */
public final class BlockPlan {
  private final int wrong;
  private final List<ReplicaMove> moves;
  private final List<String> obstacles;
  private final boolean pinned;

  /**
   * Creates it.
   *
   * @param wrong number of replicas that are on a type they should not be on while a type that is
   *     asked for lacks one; 0 means satisfied
   * @param moves at most {@code wrong} moves
   * @param obstacles why {@code wrong} is more than the moves: one line each, without repetition
   * @param pinned whether pinned replicas are the only obstacle
   */
  public BlockPlan(int wrong, List<ReplicaMove> moves, List<String> obstacles, boolean pinned) {
    this.wrong = wrong;
    this.moves = Collections.unmodifiableList(new ArrayList<>(moves));
    this.obstacles = Collections.unmodifiableList(new ArrayList<>(obstacles));
    this.pinned = pinned;
  }

  /** Number of replicas on a wrong type; 0 means satisfied. */
  public int wrong() {
    return wrong;
  }

  /** What to do. */
  public List<ReplicaMove> moves() {
    return moves;
  }

  /** Why not more can be done. */
  public List<String> obstacles() {
    return obstacles;
  }

  /** Whether pinned replicas are the only obstacle. */
  public boolean isPinned() {
    return pinned;
  }
}
