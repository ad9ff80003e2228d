package io.evenkeel.bench.sim.placement;

/**
 * A policy on a topology.
 *
 * @param className of the policy
 * @param nodeGroups whether a host is a node group of {@code NetworkTopologyWithNodeGroup}; if not,
 *     racks are plain and the DataNodes of a host share its address
 */
record Candidate(String className, boolean nodeGroups) {
  private static final String HADOOP = "org.apache.hadoop.hdfs.server.blockmanagement.";

  /** Name of our policy. */
  static final String OURS = "io.evenkeel.placement.UniformBlockPlacementPolicy";

  /** Both policies with node groups. */
  static final Candidate STOCK_NODE_GROUPS =
      new Candidate(HADOOP + "BlockPlacementPolicyWithNodeGroup", true);

  static final Candidate OURS_NODE_GROUPS = new Candidate(OURS, true);

  /** Both policies on plain racks. */
  static final Candidate STOCK_PLAIN = new Candidate(HADOOP + "BlockPlacementPolicyDefault", false);

  static final Candidate OURS_PLAIN = new Candidate(OURS, false);

  /** Whether the class is there. */
  boolean present() {
    try {
      Class.forName(className, false, Candidate.class.getClassLoader());
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }
}
