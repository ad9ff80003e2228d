package io.evenkeel.mover.core.task;

/** How patient the mover is with one file. Immutable; all times in milliseconds. */
public final class TaskRules {
  final long settleMillis;
  final long refuseMillis;
  final int attempts;

  /**
   * Creates them.
   *
   * @param settleMillis how long a move that its DataNode confirmed may be unknown to the NameNode,
   *     or a replica be in excess or missing, before it is planned anew or given up
   * @param refuseMillis how long a DataNode and type that failed is not tried again for a block
   * @param attempts failed attempts of one block before it is given up
   */
  public TaskRules(long settleMillis, long refuseMillis, int attempts) {
    this.settleMillis = settleMillis;
    this.refuseMillis = refuseMillis;
    this.attempts = attempts;
  }
}
