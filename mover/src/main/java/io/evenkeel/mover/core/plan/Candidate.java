package io.evenkeel.mover.core.plan;

/** A replica on a live DataNode whose type the block has too many of. Immutable. */
final class Candidate {
  private final Replica replica;
  private final NodeView node;
  private final boolean pinned;

  Candidate(Replica replica, NodeView node, boolean pinned) {
    this.replica = replica;
    this.node = node;
    this.pinned = pinned;
  }

  Replica replica() {
    return replica;
  }

  String type() {
    return replica.type();
  }

  /** The DataNode it is on. */
  NodeView node() {
    return node;
  }

  /** Whether it may not leave its DataNode. */
  boolean isPinned() {
    return pinned;
  }
}
