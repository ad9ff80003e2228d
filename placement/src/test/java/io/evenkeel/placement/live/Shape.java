package io.evenkeel.placement.live;

import io.evenkeel.placement.UniformBlockPlacementPolicy;
import io.evenkeel.placement.UniformStripedBlockPlacementPolicy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.net.NetworkTopologyWithNodeGroup;

/**
 * What a {@link TestCluster} looks like. Hosts are named n1, n2, ... over all racks, and racks /r1,
 * /r2, ... Confined to one thread.
 */
final class Shape {
  static final int BLOCK = 64 * 1024;
  static final String REPLICATOR = "dfs.block.replicator.classname";
  static final String EC_REPLICATOR = "dfs.block.placement.ec.classname";

  private final List<Vm> vms = new ArrayList<>();
  private final Map<String, String> keys = new HashMap<>();
  private final Map<String, Long> capacities = new HashMap<>();
  private long[] everyOther;
  private boolean nodeGroups = true;
  private boolean twoNameNodes;
  private StorageType[] types = {StorageType.DISK};
  private final Map<String, StorageType[]> typesOfHosts = new HashMap<>();

  /** A DataNode's place. */
  record Vm(String rack, String host) {}

  Shape(int racks, int hostsPerRack, int vmsPerHost) {
    for (int i = 0; i < racks * hostsPerRack * vmsPerHost; i++) {
      int host = i / vmsPerHost;
      vms.add(new Vm("/r" + (host / hostsPerRack + 1), "n" + (host + 1)));
    }
  }

  /** Locations are racks; a host is where DataNodes have one host name. */
  Shape plainRacks() {
    nodeGroups = false;
    return this;
  }

  /** With high availability; the first NameNode is active. */
  Shape withTwoNameNodes() {
    twoNameNodes = true;
    return this;
  }

  /** Bytes of each volume of a host's DataNodes; to be given for all hosts or none. */
  Shape capacity(String host, long bytes) {
    capacities.put(host, bytes);
    return this;
  }

  /** Bytes of each volume of the first, third, ... DataNode, and of the others. */
  Shape capacityOfEveryOther(long first, long second) {
    everyOther = new long[] {first, second};
    return this;
  }

  /** Types of the volumes of every DataNode. */
  Shape storage(StorageType... newTypes) {
    types = newTypes;
    return this;
  }

  /** Types of the volumes of a host's DataNodes, as many as all others have. */
  Shape storage(String host, StorageType... newTypes) {
    typesOfHosts.put(host, newTypes);
    return this;
  }

  Shape set(String key, Object value) {
    keys.put(key, value.toString());
    return this;
  }

  /** A cluster with the policies of this module. */
  TestCluster ours() throws Exception {
    ourKeys(nodeGroups).forEach(keys::putIfAbsent);
    return new TestCluster(this);
  }

  /** The same with a volume of DISK and one of ARCHIVE each, and a storage policy for all files. */
  TestCluster tiered(String policy) throws Exception {
    if (types.length == 1) {
      storage(StorageType.DISK, StorageType.ARCHIVE);
    }
    TestCluster cluster = ours();
    cluster.fs().setStoragePolicy(new Path("/"), policy);
    return cluster;
  }

  /** A cluster with no key set but those of the shape. */
  TestCluster stock() throws Exception {
    return new TestCluster(this);
  }

  /** What an operator sets to have the policies. */
  static Map<String, String> ourKeys(boolean nodeGroups) {
    Map<String, String> ours = new HashMap<>();
    ours.put(REPLICATOR, UniformBlockPlacementPolicy.class.getName());
    ours.put(EC_REPLICATOR, UniformStripedBlockPlacementPolicy.class.getName());
    if (nodeGroups) {
      ours.put("net.topology.impl", NetworkTopologyWithNodeGroup.class.getName());
      ours.put("dfs.use.dfs.network.topology", "false");
    } else {
      ours.put("evenkeel.placement.host-key", "hostname");
    }
    return ours;
  }

  List<Vm> vms() {
    return vms;
  }

  boolean twoNameNodes() {
    return twoNameNodes;
  }

  int volumes() {
    return types.length;
  }

  /** Types of the volumes of each DataNode. */
  StorageType[][] types() {
    return vms.stream()
        .map(vm -> typesOfHosts.getOrDefault(vm.host, types))
        .toArray(StorageType[][]::new);
  }

  /** The network location of each DataNode. */
  String[] locations() {
    return vms.stream()
        .map(vm -> nodeGroups ? vm.rack + "/" + vm.host : vm.rack)
        .toArray(String[]::new);
  }

  /** One name per host on plain racks, one per DataNode with node groups. */
  String[] hostNames() {
    String[] names = new String[vms.size()];
    for (int i = 0; i < names.length; i++) {
      String vm = nodeGroups ? "vm" + i + "." : "";
      names[i] = vm + vms.get(i).host + ".example.org";
    }
    return names;
  }

  /** Bytes of each volume of each DataNode; null when they are those of the disk. */
  long[][] capacities() {
    if (capacities.isEmpty() && everyOther == null) {
      return null;
    }
    long[][] bytes = new long[vms.size()][types.length];
    for (int i = 0; i < bytes.length; i++) {
      Long ofHost = capacities.get(vms.get(i).host);
      Arrays.fill(bytes[i], ofHost == null ? everyOther[i % 2] : ofHost);
    }
    return bytes;
  }

  /** Everything is asked and done every second; blocks are small. */
  Configuration configuration() {
    Configuration conf = new HdfsConfiguration();
    conf.setInt("dfs.heartbeat.interval", 1);
    conf.setInt("dfs.namenode.heartbeat.recheck-interval", 1000);
    conf.setInt("dfs.namenode.redundancy.interval.seconds", 1);
    conf.setInt("dfs.namenode.decommission.interval", 1);
    conf.setInt("dfs.namenode.reconstruction.pending.timeout-sec", 20);
    conf.setInt("dfs.namenode.replication.max-streams", 20);
    conf.setInt("dfs.namenode.replication.max-streams-hard-limit", 40);
    conf.setInt("dfs.namenode.replication.work.multiplier.per.iteration", 10);
    // a NameNode that starts knows every replica before it judges one
    conf.setInt("dfs.namenode.safemode.min.datanodes", vms.size());
    conf.setInt("dfs.namenode.safemode.replication.min", 3);
    conf.setInt("dfs.namenode.safemode.extension", 0);
    conf.setInt("dfs.blocksize", BLOCK);
    conf.setInt("dfs.namenode.fs-limits.min-block-size", 1024);
    conf.setInt("dfs.balancer.getBlocks.min-block-size", 1);
    conf.setInt("dfs.balancer.max-no-move-interval", 3000);
    conf.setInt("dfs.ha.tail-edits.period", 1);
    conf.set(
        "dfs.namenode.hosts.provider.classname",
        "org.apache.hadoop.hdfs.server.blockmanagement.CombinedHostFileManager");
    if (twoNameNodes) {
      // after a failover replicas are neither moved nor deleted until they are reported again
      conf.setInt("dfs.blockreport.intervalMsec", 4000);
    }
    keys.forEach(conf::set);
    return conf;
  }
}
