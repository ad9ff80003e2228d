package io.evenkeel.placement.core;

/** How many replicas of a block one rack may have, as stock HDFS counts it, but by real racks. */
public final class RackLimit {
  private RackLimit() {}

  /**
   * The limit for replicated blocks.
   *
   * @param replicas of the block in all
   * @param racks with a DataNode in service
   */
  public static int of(int replicas, int racks) {
    if (racks <= 1 || replicas <= 1) {
      return replicas;
    }
    int limit = (replicas - 1) / racks + 2;
    return limit == replicas ? limit - 1 : limit;
  }
}
