package io.evenkeel.placement.namenode;

import io.evenkeel.common.config.ConfigException;
import io.evenkeel.common.config.Settings;
import io.evenkeel.common.plugin.PluginStatus;
import io.evenkeel.common.plugin.PluginStatus.Report;
import io.evenkeel.common.plugin.PluginStatus.State;
import io.evenkeel.common.version.SupportedVersions.Verdict;
import io.evenkeel.placement.config.PlacementKeys;
import io.evenkeel.placement.namenode.HostKeys.Kind;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.net.DFSNetworkTopology;
import org.apache.hadoop.net.NetworkTopology;
import org.apache.hadoop.net.NetworkTopologyWithNodeGroup;
import org.apache.hadoop.util.VersionInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether the policy can work where it was created, and with what keys. A NameNode is refused with
 * the keys to set; a tool (Balancer, Mover, fsck) never is. Immutable.
 */
public final class PlacementStart {
  private static final Logger LOG = LoggerFactory.getLogger(PlacementStart.class);
  private static final String USE_DFS_TOPOLOGY = "dfs.use.dfs.network.topology";
  private static final String TOPOLOGY = "net.topology.impl";
  private static final String NODE_GROUPS = NetworkTopologyWithNodeGroup.class.getName();

  private final Settings settings;
  private final HostKeys keys;
  private final Weights weights;
  private final long blockSize;

  private PlacementStart(Configuration conf, Settings settings, HostKeys keys, Weights weights) {
    this.settings = settings;
    this.keys = keys;
    this.weights = weights;
    this.blockSize =
        conf.getLongBytes(
            HdfsClientConfigKeys.DFS_BLOCK_SIZE_KEY, HdfsClientConfigKeys.DFS_BLOCK_SIZE_DEFAULT);
  }

  /**
   * Checks everything a NameNode needs.
   *
   * @throws IllegalArgumentException naming the keys to set
   */
  public static PlacementStart inNameNode(Configuration conf, NetworkTopology topology) {
    try {
      Settings settings = PlacementKeys.TABLE.read(conf, conf::get, LOG::warn);
      checkVersion(settings);
      boolean nodeGroups = nodeGroups(conf, topology);
      return new PlacementStart(conf, settings, keys(settings, nodeGroups), weights(settings));
    } catch (IllegalArgumentException e) {
      LOG.error("The NameNode cannot use the uniform placement policy: {}", e.getMessage());
      throw e;
    }
  }

  /** Keys for a tool, which only compares places of replicas. */
  public static PlacementStart inTool(Configuration conf, NetworkTopology topology) {
    Settings settings = PlacementKeys.TABLE.readLeniently(conf, conf::get, LOG::warn);
    boolean nodeGroups =
        topology instanceof NetworkTopologyWithNodeGroup
            || (!conf.getBoolean(USE_DFS_TOPOLOGY, true) && NODE_GROUPS.equals(conf.get(TOPOLOGY)));
    String hostKey = settings.get(PlacementKeys.HOST_KEY);
    boolean impossible = "node-group".equals(hostKey) && !nodeGroups;
    HostKeys keys = impossible ? HostKeys.guessed() : keys(settings, nodeGroups);
    try {
      return new PlacementStart(conf, settings, keys, weights(settings));
    } catch (ConfigException e) {
      LOG.warn("{}; a tool only compares places, so it goes on", e.getMessage());
      return new PlacementStart(conf, settings, keys, Weights.of("volumes", ""));
    }
  }

  private static Weights weights(Settings settings) {
    return Weights.of(settings.get(PlacementKeys.WEIGHT), settings.get(PlacementKeys.WEIGHTS));
  }

  private static void checkVersion(Settings settings) {
    String version = VersionInfo.getVersion();
    if (PlacementKeys.SUPPORTED.check(version) != Verdict.TESTED
        && !settings.get(PlacementKeys.ALLOW_UNTESTED)) {
      throw new IllegalArgumentException(
          PlacementKeys.SUPPORTED.explain(version)
              + "; set "
              + PlacementKeys.ALLOW_UNTESTED
              + "=true to use it all the same, or remove dfs.block.replicator.classname and"
              + " dfs.block.placement.ec.classname");
    }
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

  private static String forNodeGroups() {
    return USE_DFS_TOPOLOGY + "=false and " + TOPOLOGY + "=" + NODE_GROUPS;
  }

  private static HostKeys keys(Settings settings, boolean nodeGroups) {
    switch (settings.get(PlacementKeys.HOST_KEY)) {
      case "node-group":
        if (!nodeGroups) {
          throw new IllegalArgumentException(
              PlacementKeys.HOST_KEY
                  + "=node-group needs a topology with node groups: set "
                  + forNodeGroups());
        }
        return HostKeys.of(Kind.NODE_GROUP, true);
      case "address":
        return HostKeys.of(Kind.ADDRESS, nodeGroups);
      case "hostname":
        return HostKeys.of(Kind.HOSTNAME, nodeGroups);
      case "none":
        return HostKeys.of(Kind.NONE, nodeGroups);
      default:
        return nodeGroups ? HostKeys.of(Kind.NODE_GROUP, true) : HostKeys.guessed();
    }
  }

  /** Says once that the policy is in use. */
  public void announce(Class<?> policy) {
    Map<String, String> inForce = new LinkedHashMap<>(settings.inForce());
    PluginStatus status =
        PluginStatus.publish(
            "placement", policy, Report.of(State.ACTIVE, "", VersionInfo.getVersion(), inForce));
    LOG.info("{}; hosts are told apart by {}", status.startLine(), keys.kind().key());
  }

  /** The configuration in force. */
  public Settings settings() {
    return settings;
  }

  /** Whether replicas never share a host. */
  public boolean strict() {
    return "strict".equals(settings.get(PlacementKeys.FEW_HOSTS));
  }

  /** What DataNodes can take. */
  Weights weights() {
    return weights;
  }

  /** Bytes of a block unless a client says otherwise. */
  long blockSize() {
    return blockSize;
  }

  /** Whether hosts and weights are the same in both. */
  boolean sameSite(PlacementStart other) {
    return other != null && keys.equals(other.keys) && weights.equals(other.weights);
  }

  /** What hosts and racks are. */
  public HostKeys keys() {
    return keys;
  }
}
