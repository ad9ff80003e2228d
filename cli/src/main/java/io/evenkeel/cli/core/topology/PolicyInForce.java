package io.evenkeel.cli.core.topology;

import java.util.function.Function;

/** The placement policy that decides in a NameNode, and whether it knows hosts. Immutable. */
public final class PolicyInForce {
  private static final String POLICY = "dfs.block.replicator.classname";
  private static final String DEFAULT =
      "org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicyDefault";

  private final String name;
  private final boolean knowsHosts;

  private PolicyInForce(String name, boolean knowsHosts) {
    this.name = name;
    this.knowsHosts = knowsHosts;
  }

  /**
   * Reads it from a NameNode's configuration.
   *
   * @param conf looks a key up; the empty string when it is not set
   * @param pluginState of our policy in that NameNode; empty when it is not loaded
   */
  public static PolicyInForce of(Function<String, String> conf, String pluginState) {
    String named = conf.apply(POLICY).isEmpty() ? DEFAULT : conf.apply(POLICY);
    String simple = named.substring(named.lastIndexOf('.') + 1);
    if (!pluginState.isEmpty()) {
      boolean decides = "active".equals(pluginState);
      return new PolicyInForce(decides ? simple : "stock (" + pluginState + ")", decides);
    }
    boolean nodeGroups =
        conf.apply("net.topology.impl").endsWith(".NetworkTopologyWithNodeGroup")
            // Hadoop before 2.9 has no such key and reads the other always
            && !"true".equals(conf.apply("dfs.use.dfs.network.topology"));
    return new PolicyInForce(
        simple, nodeGroups && "BlockPlacementPolicyWithNodeGroup".equals(simple));
  }

  /** What an operator calls it. */
  public String name() {
    return name;
  }

  /** Whether it keeps the replicas of a block apart by host, and not by rack alone. */
  public boolean knowsHosts() {
    return knowsHosts;
  }
}
