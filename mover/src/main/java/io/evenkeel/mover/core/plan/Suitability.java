package io.evenkeel.mover.core.plan;

/** Whether a replica may be moved to a DataNode and type. Not thread-safe. */
final class Suitability {
  private final MovableRule rule;
  private final SpaceLedger space;
  private final long roomForRemote;

  Suitability(MovableRule rule, SpaceLedger space, long roomForRemote) {
    this.rule = rule;
    this.space = space;
    this.roomForRemote = roomForRemote;
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
    Holders holders = draft.holders();
    if (target.use() == NodeView.Use.SOURCE_ONLY) {
      return Reason.SOURCE_ONLY;
    }
    if (holders.holds(target)) {
      return Reason.HOLDS;
    }
    if (holders.isChosen(target)) {
      return Reason.CHOSEN;
    }
    if (holders.sharesHost(candidate.node(), target)) {
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
        draft.block().isStriped(),
        draft.holders().afterMoves(),
        candidate.node().uuid(),
        target.uuid());
  }
}
