package io.evenkeel.placement.namenode;

import io.evenkeel.common.config.ConfigException;
import io.evenkeel.common.config.OneLine;
import io.evenkeel.common.config.Settings;
import io.evenkeel.common.plugin.Fit;
import io.evenkeel.common.plugin.PluginStart;
import io.evenkeel.common.plugin.PluginStatus;
import io.evenkeel.common.plugin.PluginStatus.Report;
import io.evenkeel.common.plugin.PluginStatus.State;
import io.evenkeel.placement.config.PlacementKeys;
import io.evenkeel.placement.namenode.HostIdentity.Kind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configurable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.net.DFSNetworkTopology;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.EvenkeelPlacementBridge;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.AvailableSpaceVolumeChoosingPolicy;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.RoundRobinVolumeChoosingPolicy;
import org.apache.hadoop.net.DNSToSwitchMapping;
import org.apache.hadoop.net.NetworkTopology;
import org.apache.hadoop.net.NetworkTopologyWithNodeGroup;
import org.apache.hadoop.net.ScriptBasedMapping;
import org.apache.hadoop.util.ReflectionUtils;
import org.apache.hadoop.util.VersionInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The configuration a policy was created with: what hosts are, what a DataNode can take compared
 * with others, what is done with few hosts. A NameNode where the policy cannot work is refused with
 * the keys to set; a tool (Balancer, Mover, fsck) never is. Thread-safe.
 */
public final class PlacementConf {
  private static final Logger LOG = LoggerFactory.getLogger(PlacementConf.class);

  /** For a second reading of the same keys. */
  private static final Consumer<String> QUIET = warning -> {};

  private static final String USE_DFS_TOPOLOGY = "dfs.use.dfs.network.topology";
  private static final String TOPOLOGY = "net.topology.impl";
  private static final String NODE_GROUPS = NetworkTopologyWithNodeGroup.class.getName();
  private static final String MAPPING = "net.topology.node.switch.mapping.impl";
  private static final String KEPT_FREE =
      "dfs.datanode.round-robin-volume-choosing-policy.additional-available-space";
  private static final String REPLICATED = "dfs.block.replicator.classname";
  private static final String STRIPED = "dfs.block.placement.ec.classname";

  // by name: their package depends on this one
  private static final String OUR_MAPPING = "io.evenkeel.placement.NodeGroupMapping";
  private static final String OUR_REPLICATED = "io.evenkeel.placement.UniformBlockPlacementPolicy";
  private static final String OUR_STRIPED =
      "io.evenkeel.placement.UniformStripedBlockPlacementPolicy";

  /** Bytes that count as a weight of 1; any would do, weights are relative. */
  private static final double TERABYTE = 1e12;

  private final Configuration conf;
  private final PluginStart start;
  private final Settings settings;
  private final HostIdentity hostIdentity;
  private final String weight;
  private final Map<String, Double> weights; // the operator's own, by host name or address
  private final List<String> findings;
  private final long blockSize;
  private final long keptFree;
  private Report report; // written before the status
  private volatile PluginStatus status; // null in a tool

  private PlacementConf(
      Configuration conf,
      PluginStart start,
      HostIdentity hostIdentity,
      Map<String, Double> weights,
      List<String> findings) {
    this.conf = conf;
    this.start = start;
    this.settings = start.settings();
    this.hostIdentity = hostIdentity;
    this.weight = settings.get(PlacementKeys.WEIGHT);
    this.weights = weights;
    this.findings = findings;
    this.blockSize =
        conf.getLongBytes(
            HdfsClientConfigKeys.DFS_BLOCK_SIZE_KEY, HdfsClientConfigKeys.DFS_BLOCK_SIZE_DEFAULT);
    this.keptFree = keptFree(conf);
  }

  /**
   * Bytes that a DataNode keeps free on a volume beside the block it is given, by stock's own key,
   * which DataNodes have from Hadoop 3.4 on; the NameNode does not ask for them when it looks for
   * room. None where its configuration, as a rule the DataNodes' too, names the policy that prefers
   * space: stock's keeps nothing free.
   */
  private static long keptFree(Configuration conf) {
    boolean known = Configurable.class.isAssignableFrom(RoundRobinVolumeChoosingPolicy.class);
    String policy = conf.get(DFSConfigKeys.DFS_DATANODE_FSDATASET_VOLUME_CHOOSING_POLICY_KEY, "");
    long usual = known ? 1L << 30 : 0;
    if (policy.trim().equals(AvailableSpaceVolumeChoosingPolicy.class.getName())) {
      return 0;
    }
    try {
      return Math.max(0, conf.getLong(KEPT_FREE, usual));
    } catch (NumberFormatException e) {
      return usual; // no DataNode starts with it
    }
  }

  /**
   * Checks everything a NameNode needs.
   *
   * @throws IllegalArgumentException naming the keys to set
   */
  public static PlacementConf inNameNode(Configuration conf, NetworkTopology topology) {
    return inNameNode(PlacementKeys.MODULE.fit(VersionInfo.getVersion()), conf, topology);
  }

  /** The same on a Hadoop that the jar fits or not. */
  static PlacementConf inNameNode(Fit hadoop, Configuration conf, NetworkTopology topology) {
    try {
      PluginStart start = PlacementKeys.MODULE.startOrFail(hadoop, conf, conf::get, LOG::warn);
      if (start.isReleaseRefused()) {
        throw new ConfigException(
            start.releaseRefusal() + ", or remove " + REPLICATED + " and " + STRIPED);
      }
      Settings settings = start.settings();
      boolean nodeGroups = nodeGroups(conf, topology);
      HostIdentity hosts = hostIdentity(settings, nodeGroups);
      checkMapping(conf, settings, hosts);
      return new PlacementConf(
          conf, start, hosts, weights(settings), findings(conf, settings, hosts));
    } catch (IllegalArgumentException e) {
      throw refused(e);
    }
  }

  /** Says why the NameNode cannot start; returns the exception to throw. */
  public static IllegalArgumentException refused(IllegalArgumentException e) {
    LOG.error("The NameNode cannot use the uniform placement policy: {}", e.getMessage());
    return e;
  }

  /**
   * Whether stock decides, by the configuration.
   *
   * @throws ConfigException in a NameNode, on a bad key or value
   */
  public static boolean observes(Configuration conf, boolean inNameNode) {
    if (!inNameNode) {
      return leniently(conf, QUIET).settings().get(PlacementKeys.OBSERVE_ONLY);
    }
    try {
      return PlacementKeys.TABLE.readOrFail(conf, conf::get, QUIET).get(PlacementKeys.OBSERVE_ONLY);
    } catch (ConfigException e) {
      throw refused(e);
    }
  }

  private static PluginStart leniently(Configuration conf, Consumer<String> warn) {
    Fit any = Fit.notAsked(VersionInfo.getVersion()); // nothing is refused here
    return PlacementKeys.MODULE.startOrWarn(any, conf, conf::get, warn);
  }

  /**
   * The policy for replicated blocks that decides while ours only observes.
   *
   * @param topology null in tools
   * @throws ConfigException when the class cannot be used
   */
  public static BlockPlacementPolicy observed(Configuration conf, NetworkTopology topology) {
    String name = leniently(conf, QUIET).settings().get(PlacementKeys.OBSERVED_POLICY);
    if (name.isEmpty()) {
      name =
          topology instanceof NetworkTopologyWithNodeGroup
              ? "org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicyWithNodeGroup"
              : DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_DEFAULT.getName();
    }
    return policy(conf, PlacementKeys.OBSERVED_POLICY.name(), name);
  }

  /** The policy for striped blocks that decides while ours only observes: stock's default. */
  public static BlockPlacementPolicy observedStriped(Configuration conf) {
    return policy(conf, STRIPED, DFSConfigKeys.DFS_BLOCK_PLACEMENT_EC_CLASSNAME_DEFAULT.getName());
  }

  private static BlockPlacementPolicy policy(Configuration conf, String key, String name) {
    try {
      Class<? extends BlockPlacementPolicy> type =
          conf.getClassByName(name).asSubclass(BlockPlacementPolicy.class);
      if (EvenkeelPlacementBridge.class.isAssignableFrom(type)) {
        throw new ClassCastException("it would observe itself");
      }
      return ReflectionUtils.newInstance(type, conf);
    } catch (ClassNotFoundException | RuntimeException | LinkageError e) {
      throw new ConfigException(
          OneLine.of(
              key
                  + " = '"
                  + name
                  + "' is not allowed; use "
                  + PlacementKeys.OBSERVED_POLICY.range()
                  + " ("
                  + e
                  + ")"));
    }
  }

  /** Keys for a tool, which only compares places of replicas. */
  public static PlacementConf inTool(Configuration conf, NetworkTopology topology) {
    return inTool(conf, topology, LOG::warn);
  }

  /** The same where {@link #inNameNode} also reads them, and says what is wrong with them. */
  public static PlacementConf besideNameNode(Configuration conf, NetworkTopology topology) {
    return inTool(conf, topology, QUIET);
  }

  private static PlacementConf inTool(
      Configuration conf, NetworkTopology topology, Consumer<String> warn) {
    PluginStart start = leniently(conf, warn);
    Settings settings = start.settings();
    boolean nodeGroups =
        topology instanceof NetworkTopologyWithNodeGroup
            || (!conf.getBoolean(USE_DFS_TOPOLOGY, true) && NODE_GROUPS.equals(conf.get(TOPOLOGY)));
    String hostKey = settings.get(PlacementKeys.HOST_KEY);
    boolean impossible = "node-group".equals(hostKey) && !nodeGroups;
    HostIdentity hosts = impossible ? HostIdentity.guessed() : hostIdentity(settings, nodeGroups);
    try {
      return new PlacementConf(conf, start, hosts, weights(settings), Collections.emptyList());
    } catch (ConfigException e) {
      warn.accept(e.getMessage() + "; ignored: places are only compared here");
      return new PlacementConf(conf, start, hosts, Collections.emptyMap(), Collections.emptyList());
    }
  }

  /**
   * The operator's own weights: {@code host=2,10.0.0.7=0.5}.
   *
   * @throws ConfigException naming the entry and what is allowed; also for two weights of a host
   */
  private static Map<String, Double> weights(Settings settings) {
    Map<String, Double> weights = new HashMap<>();
    String text = settings.get(PlacementKeys.WEIGHTS);
    for (String entry : text.split("[,\\s]+")) {
      if (entry.isEmpty()) {
        continue;
      }
      int at = entry.lastIndexOf('=');
      double weight = number(entry.substring(at + 1));
      if (at < 1 || !(weight >= 0.01 && weight <= 100000)) {
        throw badWeights(text, "not so: '" + entry + "'");
      }
      Double other = weights.put(entry.substring(0, at), weight);
      if (other != null && other != weight) {
        throw badWeights(text, "two weights: " + entry.substring(0, at));
      }
    }
    return weights;
  }

  private static double number(String text) {
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException e) {
      return Double.NaN;
    }
  }

  private static ConfigException badWeights(String value, String why) {
    return new ConfigException(
        OneLine.of(
            PlacementKeys.WEIGHTS
                + " = '"
                + value
                + "' is not allowed; use "
                + PlacementKeys.WEIGHTS.range()
                + " with one number from 0.01 to 100000 for a host ("
                + why
                + ")"));
  }

  private static boolean nodeGroups(Configuration conf, NetworkTopology topology) {
    if (topology instanceof NetworkTopologyWithNodeGroup) {
      return true;
    }
    Class<?> type = topology.getClass();
    if (type != NetworkTopology.class && type != DFSNetworkTopology.class) {
      throw new IllegalArgumentException(
          "Topology "
              + type.getName()
              + " is not supported. For locations like /rack/nodegroup set "
              + forNodeGroups()
              + "; for locations like /rack leave "
              + TOPOLOGY
              + " and dfs.net.topology.impl unset");
    }
    if (NODE_GROUPS.equals(conf.get(TOPOLOGY))) {
      throw new IllegalArgumentException(
          TOPOLOGY
              + "="
              + NODE_GROUPS
              + " has no effect while "
              + USE_DFS_TOPOLOGY
              + " is true (its default): node groups would count as racks. Set "
              + forNodeGroups());
    }
    return false;
  }

  /** What this NameNode's mapping tells it, where that is our mapping; else null. */
  private static String emitted(Configuration conf, Settings settings) {
    boolean ours = OUR_MAPPING.equals(conf.getTrimmed(MAPPING));
    return ours ? settings.get(PlacementKeys.MAPPING_EMIT) : null;
  }

  /**
   * Refuses a topology and a mapping that do not speak of the same levels, unless the operator has
   * said what a host is.
   */
  private static void checkMapping(Configuration conf, Settings settings, HostIdentity hosts) {
    String emitted = emitted(conf, settings);
    if (emitted == null) {
      return;
    }
    boolean usesNodeGroups = hosts.kind() == Kind.NODE_GROUP;
    boolean auto = "auto".equals(settings.get(PlacementKeys.HOST_KEY));
    boolean path = "path".equals(emitted);
    if (usesNodeGroups && !path) {
      throw new IllegalArgumentException(
          "The topology of this NameNode needs locations like /rack/nodegroup, but with "
              + PlacementKeys.MAPPING_EMIT
              + "="
              + emitted
              + " the mapping gives one level only: remove that key here (YARN has its own in"
              + " yarn-site.xml), or remove "
              + TOPOLOGY);
    }
    if (auto && !usesNodeGroups && !"rack".equals(emitted)) {
      throw new IllegalArgumentException(
          MAPPING
              + " gives locations like "
              + (path ? "/rack/nodegroup" : "/rack+nodegroup")
              + ", but the topology of this NameNode takes them for racks: replicas of a block"
              + " would share hosts. Set "
              + forNodeGroups()
              + (path ? "" : " and remove " + PlacementKeys.MAPPING_EMIT)
              + "; or "
              + PlacementKeys.MAPPING_EMIT
              + "=rack for racks without node groups; or say with "
              + PlacementKeys.HOST_KEY
              + " what a host is");
    }
  }

  private static List<String> findings(Configuration conf, Settings settings, HostIdentity hosts) {
    List<String> findings = new ArrayList<>();
    String emitted = emitted(conf, settings);
    boolean offered = hosts.nodeGroupsInPath() || (emitted != null && !"rack".equals(emitted));
    if (offered && hosts.kind() != Kind.NODE_GROUP) {
      findings.add(
          "network locations name node groups, but hosts are told apart by "
              + hosts.kind().key()
              + " ("
              + PlacementKeys.HOST_KEY
              + "): replicas of a block may share a node group");
    }
    boolean replicated = OUR_REPLICATED.equals(conf.getTrimmed(REPLICATED));
    boolean striped = OUR_STRIPED.equals(conf.getTrimmed(STRIPED));
    if (replicated && !striped) {
      findings.add(
          "stock places erasure-coded blocks: " + STRIPED + " is not set to " + OUR_STRIPED);
    }
    if (striped && !replicated) {
      findings.add(
          "stock places replicated blocks: " + REPLICATED + " is not set to " + OUR_REPLICATED);
    }
    return findings;
  }

  private static String forNodeGroups() {
    return USE_DFS_TOPOLOGY + "=false and " + TOPOLOGY + "=" + NODE_GROUPS;
  }

  private static HostIdentity hostIdentity(Settings settings, boolean nodeGroups) {
    switch (settings.get(PlacementKeys.HOST_KEY)) {
      case "node-group":
        if (!nodeGroups) {
          throw new IllegalArgumentException(
              PlacementKeys.HOST_KEY
                  + "=node-group needs a topology with node groups: set "
                  + forNodeGroups());
        }
        return HostIdentity.of(Kind.NODE_GROUP, true);
      case "address":
        return HostIdentity.of(Kind.ADDRESS, nodeGroups);
      case "hostname":
        return HostIdentity.of(Kind.HOSTNAME, nodeGroups);
      case "none":
        return HostIdentity.of(Kind.NONE, nodeGroups);
      default:
        return nodeGroups ? HostIdentity.of(Kind.NODE_GROUP, true) : HostIdentity.guessed();
    }
  }

  /**
   * Says once that another policy decides.
   *
   * @param problem why ours cannot even observe; empty when it does
   */
  public static void announceObserving(
      Configuration conf, Class<?> policy, BlockPlacementPolicy deciding, String problem) {
    String text = deciding.getClass().getName() + " decides" + (problem.isEmpty() ? "" : ": ");
    boolean observes = problem.isEmpty();
    PluginStart start = leniently(conf, QUIET);
    start.announce(
        policy,
        observes ? State.OBSERVE : State.FALLBACK,
        start.reason(text + problem),
        start.settings().inForce(),
        observes ? LOG::info : LOG::warn);
  }

  /** Says once that the policy is in use, and what is wrong with its configuration. */
  public void announce(Class<?> policy) {
    String hosts = hostIdentity.kind().key();
    Map<String, String> inForce = new LinkedHashMap<>(settings.inForce());
    inForce.computeIfPresent(
        PlacementKeys.HOST_KEY.name(),
        (key, value) -> "auto".equals(value) ? "auto (" + hosts + ")" : value);
    report =
        Report.of(
            State.ACTIVE, start.reason(), VersionInfo.getVersion(), inForce, settings.defaults());
    status = PluginStatus.publish(PlacementKeys.MODULE_NAME, policy, report);
    LOG.info(
        "{}; hosts are told apart by {}{}", status.startLine(), hosts, start.proved(State.ACTIVE));
    findings.forEach(finding -> LOG.warn("{}: {}", policy.getSimpleName(), finding));
    found(Collections.emptyList());
  }

  /** Shows in JMX, beside what is wrong with the configuration, what is with the DataNodes. */
  void found(List<String> withDataNodes) {
    PluginStatus shown = status;
    if (shown != null) {
      List<String> all = new ArrayList<>(findings);
      all.addAll(withDataNodes);
      shown.found(report, all);
    }
  }

  /**
   * How often DataNodes are looked for that are on other hosts than when they registered, in
   * milliseconds; 0 for never.
   */
  long locationCheckMillis() {
    boolean told = hostIdentity.kind() == Kind.NODE_GROUP;
    return told ? settings.get(PlacementKeys.LOCATION_CHECK).toMillis() : 0;
  }

  /** A mapping like the one that the NameNode asks where a DataNode is. */
  DNSToSwitchMapping newMapping() {
    return ReflectionUtils.newInstance(
        conf.getClass(MAPPING, ScriptBasedMapping.class, DNSToSwitchMapping.class), conf);
  }

  /** Whether replicas never share a host. */
  public boolean strict() {
    return "strict".equals(settings.get(PlacementKeys.FEW_HOSTS));
  }

  /** Whether every storage type of a DataNode has a weight of its own. */
  boolean weighsTypesApart() {
    return "remaining".equals(weight);
  }

  /**
   * What a DataNode, or one of its storage types, can take compared with others: what the operator
   * says, or by that many volumes and bytes of capacity and of remaining space; above 0.
   */
  double weight(DatanodeInfo node, int volumes, long capacity, long remaining) {
    Double own = weights.getOrDefault(node.getHostName(), weights.get(node.getIpAddr()));
    if (own != null) {
      return own;
    }
    switch (weight) {
      case "capacity":
        return Math.max(0.01, capacity / TERABYTE);
      case "equal":
        return 1;
      case "remaining":
        return Math.max(1, remaining) / TERABYTE;
      default:
        return Math.max(1, volumes);
    }
  }

  /** Names in the operator's weights that belong to none of these DataNodes. */
  Set<String> unknownWeights(List<? extends DatanodeInfo> nodes) {
    Set<String> names = new TreeSet<>(weights.keySet());
    for (DatanodeInfo node : nodes) {
      names.remove(node.getHostName());
      names.remove(node.getIpAddr());
    }
    return names;
  }

  /** Bytes of a block unless a client says otherwise. */
  long blockSize() {
    return blockSize;
  }

  /** Bytes that stay free on a volume that takes no more blocks. */
  long keptFree() {
    return keptFree;
  }

  /** Whether hosts and weights are the same in both. */
  boolean sameSite(PlacementConf other) {
    return other != null
        && hostIdentity.equals(other.hostIdentity)
        && weight.equals(other.weight)
        && weights.equals(other.weights);
  }

  /** What hosts and racks are. */
  public HostIdentity hostIdentity() {
    return hostIdentity;
  }
}
