package io.evenkeel.mover.engine;

import io.evenkeel.mover.core.task.TaskRules;
import io.evenkeel.mover.request.MoveRequest;

/** How much an engine may do at once. Immutable. */
public final class EngineSettings {
  private final int threads;
  private final int movesPerNode;
  private final long nodeBytesPerSecond;
  private final TaskRules rules;
  private final long pacedReplicasPerSecond;
  private final long pacedListingsPerSecond;

  /**
   * Creates them.
   *
   * @param threads most moves at once
   * @param movesPerNode most moves at once that one DataNode takes part in
   * @param nodeBytesPerSecond most bytes a second into one DataNode; 0 for no limit
   */
  public EngineSettings(int threads, int movesPerNode, long nodeBytesPerSecond, TaskRules rules) {
    this(threads, movesPerNode, nodeBytesPerSecond, rules, 0, 0);
  }

  /**
   * The same with limits for all {@link MoveRequest#isPaced paced} requests together.
   *
   * @param pacedReplicasPerSecond most replicas of theirs that start in a second; 0 for no limit
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

  int threads() {
    return threads;
  }

  int movesPerNode() {
    return movesPerNode;
  }

  long nodeBytesPerSecond() {
    return nodeBytesPerSecond;
  }

  long pacedReplicasPerSecond() {
    return pacedReplicasPerSecond;
  }

  long pacedListingsPerSecond() {
    return pacedListingsPerSecond;
  }

  TaskRules rules() {
    return rules;
  }
}
