package io.evenkeel.bench.sim.placement;

import io.evenkeel.bench.sim.placement.Shape.Place;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.protocol.DatanodeID;

/**
 * A policy on a topology.
 *
 * @param className of the policy
 * @param nodeGroups whether a host is a node group of {@code NetworkTopologyWithNodeGroup}; if not,
 *     racks are plain and the DataNodes of a host share its address
 * @param keys more of the NameNode, or in place of what the policy needs
 */
public record Candidate(String className, boolean nodeGroups, Map<String, String> keys) {
  private static final String HADOOP = "org.apache.hadoop.hdfs.server.blockmanagement.";
  private static final int PORT = 9866;

  private static final String DFS_TOPOLOGY = "dfs.use.dfs.network.topology";

  private static final String SPACE = "dfs.namenode.available-space-";

  /** Every difference counts, and the emptier of two DataNodes is always taken. */
  private static final Map<String, String> SPACE_TUNED =
      spaceTuned(SPACE + "block-placement-policy.");

  /** The same for the policy that spreads over racks first, which has keys of its own. */
  private static final Map<String, String> SPACE_RACKS_TUNED =
      spaceTuned(SPACE + "rack-fault-tolerant-block-placement-policy.");

  private static final String UPGRADE_DOMAINS = "BlockPlacementPolicyWithUpgradeDomain";

  private static final String LOW_LOAD_FACTOR = "1.2";

  /** A DataNode is too busy for a block sooner than at Hadoop's 2.0 times the mean load. */
  private static final Map<String, String> LOAD_TUNED =
      Map.of("dfs.namenode.redundancy.considerLoad.factor", LOW_LOAD_FACTOR);

  /** Name of our policy. */
  public static final String OURS = "io.evenkeel.placement.UniformBlockPlacementPolicy";

  private static final String OURS_STRIPED =
      "io.evenkeel.placement.UniformStripedBlockPlacementPolicy";

  /** Both policies with node groups. */
  public static final Candidate STOCK_NODE_GROUPS =
      new Candidate(HADOOP + "BlockPlacementPolicyWithNodeGroup", true);

  public static final Candidate OURS_NODE_GROUPS = new Candidate(OURS, true);

  /** Both policies on plain racks. */
  public static final Candidate STOCK_PLAIN =
      new Candidate(HADOOP + "BlockPlacementPolicyDefault", false);

  public static final Candidate OURS_PLAIN = new Candidate(OURS, false);

  /**
   * The default policy and topology where a script names node groups already: each node group is a
   * rack to them.
   */
  public static final Candidate STOCK_HALF_ENABLED =
      new Candidate(
          STOCK_PLAIN.className,
          true,
          Map.of(
              DFS_TOPOLOGY, "true", "net.topology.impl", "org.apache.hadoop.net.NetworkTopology"));

  private static Map<String, String> spaceTuned(String prefix) {
    return Map.of(
        prefix + "balanced-space-tolerance", "0",
        prefix + "balanced-space-preference-fraction", "1.0");
  }

  /** A policy without keys of its own. */
  public Candidate(String className, boolean nodeGroups) {
    this(className, nodeGroups, Map.of());
  }

  /** A stock policy on plain racks, by the name of its class. */
  public static Candidate stock(String name) {
    return new Candidate(HADOOP + name, false);
  }

  /** The same with more keys. */
  public Candidate with(Map<String, String> more) {
    Map<String, String> all = new LinkedHashMap<>(keys);
    all.putAll(more);
    return new Candidate(className, nodeGroups, all);
  }

  /**
   * Each way to configure stock, by a name for people; without policies that this release lacks.
   */
  public static Map<String, Candidate> stockPolicies() {
    Candidate space = stock("AvailableSpaceBlockPlacementPolicy");
    Candidate spaceRacks = stock("AvailableSpaceRackFaultTolerantBlockPlacementPolicy");
    Map<String, Candidate> arms = new LinkedHashMap<>();
    arms.put("default", STOCK_PLAIN);
    arms.put("WithNodeGroup", STOCK_NODE_GROUPS);
    arms.put("default, node groups as racks", STOCK_HALF_ENABLED);
    arms.put("RackFaultTolerant", stock("BlockPlacementPolicyRackFaultTolerant"));
    arms.put("AvailableSpace", space);
    arms.put("AvailableSpace, tuned", space.with(SPACE_TUNED));
    arms.put("AvailableSpaceRackFaultTolerant, tuned", spaceRacks.with(SPACE_RACKS_TUNED));
    arms.put("WithUpgradeDomain", stock(UPGRADE_DOMAINS));
    for (String tuned :
        List.of(
            "WithNodeGroup",
            "WithUpgradeDomain",
            "AvailableSpace, tuned",
            "AvailableSpaceRackFaultTolerant, tuned")) {
      arms.put(tuned + ", load factor " + LOW_LOAD_FACTOR, arms.get(tuned).with(LOAD_TUNED));
    }
    arms.values().removeIf(policy -> !policy.present());
    return arms;
  }

  /** The other stock policies, of which an older release lacks some. */
  public static List<Candidate> otherStock() {
    return Stream.of(
            "BlockPlacementPolicyRackFaultTolerant",
            UPGRADE_DOMAINS,
            "AvailableSpaceBlockPlacementPolicy",
            "AvailableSpaceRackFaultTolerantBlockPlacementPolicy")
        .map(Candidate::stock)
        .filter(Candidate::present)
        .toList();
  }

  /** Short name of the class. */
  public String label() {
    return className.substring(className.lastIndexOf('.') + 1).replace("BlockPlacementPolicy", "");
  }

  /** What a NameNode is configured with. */
  public Configuration conf() {
    Configuration conf = new HdfsConfiguration();
    conf.set("dfs.block.replicator.classname", className);
    if (className.equals(OURS)) {
      conf.set("dfs.block.placement.ec.classname", OURS_STRIPED);
    }
    if (nodeGroups) {
      conf.set("net.topology.impl", "org.apache.hadoop.net.NetworkTopologyWithNodeGroup");
      conf.setBoolean(DFS_TOPOLOGY, false);
    }
    keys.forEach(conf::set);
    return conf;
  }

  /** Whether the NameNode uses the topology of HDFS, which knows storage types. */
  boolean dfsTopology() {
    return conf().getBoolean(DFS_TOPOLOGY, true);
  }

  /** Whether DataNodes are given upgrade domains; ours warns of any. */
  boolean usesUpgradeDomains() {
    return className.endsWith(UPGRADE_DOMAINS);
  }

  public String location(Place place) {
    return nodeGroups ? place.inNodeGroup() : place.inRack();
  }

  public DatanodeID id(Place place) {
    int number = nodeGroups ? place.index() : place.host();
    int port = nodeGroups ? PORT : PORT + 10 * place.slot();
    String address = "10." + (number >> 16) + "." + (number >> 8 & 255) + "." + (number & 255);
    String name = (nodeGroups ? "vm" : "host") + number;
    return new DatanodeID(address, name, "dn-" + place.index(), port, port + 1, 0, port + 2);
  }

  /** Whether the class is there. */
  public boolean present() {
    try {
      Class.forName(className, false, Candidate.class.getClassLoader());
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }
}
