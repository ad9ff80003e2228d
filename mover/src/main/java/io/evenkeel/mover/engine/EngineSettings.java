package io.evenkeel.mover.engine;

import io.evenkeel.mover.core.task.TaskRules;

/** How much an engine may do at once. Immutable. */
public final class EngineSettings {
  private final int threads;
  private final int movesPerNode;
  private final long nodeBytesPerSecond;
  private final TaskRules rules;

  /**
   * Creates them.
   *
   * @param threads most moves at once
   * @param movesPerNode most moves at once that one DataNode takes part in
   * @param nodeBytesPerSecond most bytes a second into one DataNode; 0 for no limit
   */
  public EngineSettings(int threads, int movesPerNode, long nodeBytesPerSecond, TaskRules rules) {
    this.threads = threads;
    this.movesPerNode = movesPerNode;
    this.nodeBytesPerSecond = nodeBytesPerSecond;
    this.rules = rules;
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

  TaskRules rules() {
    return rules;
  }
}
