package io.evenkeel.placement.core.sim;

/** A placement policy in a simulation. */
public interface Placer {
  /**
   * Places one block.
   *
   * @param writer DataNode of the writer, or -1 for one outside the cluster
   * @param replicas how many are wanted
   * @return the DataNodes, the writer's first
   */
  int[] place(int writer, int replicas);
}
