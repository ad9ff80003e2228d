package io.evenkeel.cli.doctor.core;

import io.evenkeel.cli.core.topology.PolicyInForce;
import io.evenkeel.cli.doctor.core.Diagnosis.Certainty;
import io.evenkeel.cli.doctor.core.Diagnosis.Kind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Keys of the NameNode's configuration that contradict each other or what the cluster is like; with
 * no configuration nothing is said. Stateless.
 */
final class Configuration {
  private static final String POLICY = "dfs.block.replicator.classname";
  private static final String TOPOLOGY = "net.topology.impl";
  private static final String HDFS_TOPOLOGY = "dfs.use.dfs.network.topology";
  private static final String EXCLUDE_DISKS = "dfs.datanode.max.slowdisks.to.exclude";
  private static final String PROFILING = "dfs.datanode.fileio.profiling.sampling.percentage";
  private static final String EXCLUDE_NODES =
      "dfs.namenode.block-placement-policy.exclude-slow-nodes.enabled";
  private static final String PEERS = "dfs.datanode.peer.stats.enabled";
  private static final String SATISFIER = "dfs.storage.policy.satisfier.mode";

  /** All at once: with one of them missing the NameNode does not start. */
  static final String NODE_GROUPS =
      "set together "
          + POLICY
          + " to org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicyWithNodeGroup, "
          + TOPOLOGY
          + " to org.apache.hadoop.net.NetworkTopologyWithNodeGroup and, from Hadoop 2.9 on, "
          + HDFS_TOPOLOGY
          + " to false, and restart the NameNodes (with one of them missing they do not start)";

  /** Both look the same to us, and to stock. */
  static final String LAYERS =
      " (where the last part is a rack, as in /room/rack, say --layers rack)";

  private Configuration() {}

  static List<Diagnosis> find(ClusterHistory cluster) {
    List<Diagnosis> found = new ArrayList<>();
    if (cluster.hasConf()) {
      hosts(cluster, found);
      slowDisks(cluster, found);
      satisfier(cluster, found);
    }
    return found;
  }

  private static Diagnosis.Builder keys(String subject) {
    return new Diagnosis.Builder(Kind.KEYS, Certainty.CERTAIN, subject);
  }

  private static void hosts(ClusterHistory cluster, List<Diagnosis> found) {
    PolicyInForce policy = PolicyInForce.of(cluster::conf, cluster.pluginState());
    boolean nodeGroups = cluster.topology().hasNodeGroups();
    if (nodeGroups && !policy.knowsHosts()) {
      found.add(
          new Diagnosis.Builder(Kind.KEYS, Certainty.LIKELY, POLICY)
              .evidence(
                  "network locations have two parts or more, and "
                      + policy.name()
                      + " takes the last one, the node group, for the rack"
                      + LAYERS)
              .harm(
                  "It puts two replicas of a block on one physical host on purpose; fsck says"
                      + " HEALTHY, and the host takes both with it.")
              .stock(
                  "Either "
                      + NODE_GROUPS
                      + "; or let the mapping say racks only; then two replicas may still share a host, but not by"
                      + " rule.")
              .evenkeel(
                  "placement: dfs.block.replicator.classname ="
                      + " io.evenkeel.placement.UniformBlockPlacementPolicy; first 'evenkeel"
                      + " simulate --migrate URL' for what the switch will copy."
                      + cluster.forecast(PlacementForecast::sharedHosts))
              .build());
    } else if (!policy.knowsHosts() && sharedHosts(cluster)) {
      found.add(
          keys(POLICY)
              .evidence("hosts have several DataNodes, and " + policy.name() + " knows racks only")
              .harm("It may put two replicas of a block on one physical host.")
              .stock(
                  "Let the mapping say /rack/nodegroup, a node group for each host, and "
                      + NODE_GROUPS
                      + ".")
              .evenkeel(
                  "placement: dfs.block.replicator.classname ="
                      + " io.evenkeel.placement.UniformBlockPlacementPolicy."
                      + cluster.forecast(PlacementForecast::sharedHosts))
              .build());
    }
    boolean ignored =
        cluster.conf(TOPOLOGY).endsWith(".NetworkTopologyWithNodeGroup")
            && "true".equals(cluster.conf(HDFS_TOPOLOGY));
    if (ignored) {
      found.add(
          keys(TOPOLOGY)
              .evidence(TOPOLOGY + " names node groups, but " + HDFS_TOPOLOGY + " is true")
              .harm("The NameNode does not read " + TOPOLOGY + ": it knows no node groups.")
              .stock("Set " + HDFS_TOPOLOGY + " to false, or remove " + TOPOLOGY + ".")
              .build());
    }
  }

  private static boolean sharedHosts(ClusterHistory cluster) {
    Set<String> hosts = new HashSet<>();
    for (DataNodeHistory each : cluster.dataNodes()) {
      if (!hosts.add(each.host())) {
        return true;
      }
    }
    return false;
  }

  private static void slowDisks(ClusterHistory cluster, List<Diagnosis> found) {
    if (positive(cluster.conf(EXCLUDE_DISKS)) && !positive(cluster.conf(PROFILING))) {
      found.add(
          new Diagnosis.Builder(Kind.KEYS, Certainty.LIKELY, EXCLUDE_DISKS)
              .evidence(
                  "by the configuration of the NameNode "
                      + EXCLUDE_DISKS
                      + " is set, but "
                      + PROFILING
                      + " is 0; that of the DataNodes decides")
              .harm("DataNodes measure no disk, so none is ever excluded.")
              .stock("Set " + PROFILING + ", for example to 10, on the DataNodes.")
              .evenkeel("volume-policy finds slow volumes without either key.")
              .build());
    }
    if ("true".equals(cluster.conf(EXCLUDE_NODES)) && !"true".equals(cluster.conf(PEERS))) {
      found.add(
          keys(EXCLUDE_NODES)
              .evidence(EXCLUDE_NODES + " is true, but " + PEERS + " is not")
              .harm("DataNodes report no slow peer, so none is ever excluded.")
              .stock("Set " + PEERS + " to true on NameNodes and DataNodes.")
              .build());
    }
  }

  private static void satisfier(ClusterHistory cluster, List<Diagnosis> found) {
    Set<String> types = new HashSet<>();
    cluster.last().tiers().forEach(tier -> types.add(tier.type()));
    types.remove("RAM_DISK");
    types.remove("PROVIDED");
    String mode = cluster.conf(SATISFIER);
    if (types.size() > 1 && "none".equals(mode)) {
      found.add(
          new Diagnosis.Builder(Kind.KEYS, Certainty.POSSIBLE, SATISFIER)
              .evidence("there are several storage types " + types + ", and no satisfier runs")
              .harm("A file renamed below another storage policy stays where it is.")
              .stock(
                  "Run 'hdfs mover' from time to time; or set "
                      + SATISFIER
                      + " to external, run 'hdfs --daemon start sps', and after each rename 'hdfs"
                      + " storagepolicies -satisfyStoragePolicy -path PATH'.")
              .evenkeel("mover: 'evenkeel mover --follow' moves what is renamed, at once.")
              .build());
    }
  }

  private static boolean positive(String value) {
    try {
      return !value.isEmpty() && Double.parseDouble(value) > 0;
    } catch (NumberFormatException e) {
      return false;
    }
  }
}
