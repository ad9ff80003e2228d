package io.evenkeel.mover.core.plan;

/** A candidate and where it shall be. Immutable. */
final class Assignment {
  private final Candidate candidate;
  private final NodeView target;
  private final String type;

  Assignment(Candidate candidate, NodeView target, String type) {
    this.candidate = candidate;
    this.target = target;
    this.type = type;
  }

  Candidate candidate() {
    return candidate;
  }

  NodeView target() {
    return target;
  }

  String type() {
    return type;
  }

  boolean isLocal() {
    return target.uuid().equals(candidate.node().uuid());
  }
}
