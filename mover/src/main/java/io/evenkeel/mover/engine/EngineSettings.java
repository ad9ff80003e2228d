package io.evenkeel.mover.engine;

import io.evenkeel.mover.core.task.TaskRules;
import io.evenkeel.mover.request.MoveRequest;

/** How much an engine may do at once. Immutable. */
public final class EngineSettings {
  final int threads;
  final int movesPerNode;
  final long nodeBytesPerSecond;
  final TaskRules rules;
  final long pacedReplicasPerSecond;
  final long pacedListingsPerSecond;

  /**
   * Creates them.
   *
   * @param threads most moves at once
   * @param movesPerNode most moves at once that one DataNode takes part in
   * @param nodeBytesPerSecond most bytes a second into one DataNode; 0 for no limit
   * @param pacedReplicasPerSecond most replicas of all {@link MoveRequest#isPaced paced} requests
   *     that start in a second; 0 for no limit
   * @param pacedListingsPerSecond most listings of directories for them in a second; 0 for no limit
   */
  public EngineSettings(
      int threads,
      int movesPerNode,
      long nodeBytesPerSecond,
      TaskRules rules,
      long pacedReplicasPerSecond,
      long pacedListingsPerSecond) {
    this.threads = threads;
    this.movesPerNode = movesPerNode;
    this.nodeBytesPerSecond = nodeBytesPerSecond;
    this.rules = rules;
    this.pacedReplicasPerSecond = pacedReplicasPerSecond;
    this.pacedListingsPerSecond = pacedListingsPerSecond;
  }
}
