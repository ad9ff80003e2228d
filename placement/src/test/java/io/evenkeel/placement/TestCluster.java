package io.evenkeel.placement;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.net.DFSNetworkTopology;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockStoragePolicySuite;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.FSClusterStats;
import org.apache.hadoop.hdfs.server.blockmanagement.PlacementTesting;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.apache.hadoop.hdfs.server.protocol.StorageReport;
import org.apache.hadoop.net.NetworkTopology;
import org.apache.hadoop.net.NetworkTopologyWithNodeGroup;
import org.apache.hadoop.net.Node;

/**
 * DataNodes as the NameNode knows them, in Hadoop's own topologies, without a NameNode. Statistics
 * are public fields. Adding and removing is confined to one thread.
 */
final class TestCluster {
  static final long GIB = 1L << 30;
  static final BlockStoragePolicySuite POLICIES = BlockStoragePolicySuite.createDefaultSuite();
  private static final String NODE_GROUPS = NetworkTopologyWithNodeGroup.class.getName();

  final Configuration conf;
  final NetworkTopology topology;
  final List<DatanodeDescriptor> nodes = new ArrayList<>();
  final Object hosts = PlacementTesting.hosts();
  volatile boolean avoidStale;
  volatile double averageXceivers;
  volatile double averageXceiversPerVolume;
  private int created;

  private TestCluster(Configuration conf, NetworkTopology topology) {
    this.conf = conf;
    this.topology = topology;
  }

  /** Any topology, with the keys of a site. */
  static TestCluster of(Configuration conf, NetworkTopology topology) {
    return new TestCluster(conf, topology);
  }

  /** Locations like /rack/nodegroup, with the keys that stock asks for. */
  static TestCluster withNodeGroups() {
    Configuration conf = new Configuration(false);
    conf.set("net.topology.impl", NODE_GROUPS);
    conf.setBoolean("dfs.use.dfs.network.topology", false);
    return new TestCluster(conf, NetworkTopology.getInstance(conf));
  }

  /** With a topology that says of no DataNode that it has it, though it does. */
  static TestCluster denying() {
    Configuration conf = new Configuration(false);
    conf.set("net.topology.impl", Denying.class.getName());
    return new TestCluster(conf, NetworkTopology.getInstance(conf));
  }

  /** See {@link #denying}. */
  public static final class Denying extends NetworkTopologyWithNodeGroup {
    @Override
    public boolean contains(Node node) {
      return false;
    }
  }

  /** Stock's default topology. */
  static TestCluster flat() {
    Configuration conf = new Configuration(false);
    return new TestCluster(conf, DFSNetworkTopology.getInstance(conf));
  }

  /** {@code racks} racks with as many hosts of {@code perHost} DataNodes each. */
  static TestCluster withNodeGroups(int racks, int hosts, int perHost) {
    TestCluster cluster = withNodeGroups();
    for (int i = 0; i < racks * hosts * perHost; i++) {
      int host = i / perHost;
      cluster.add("/r" + host / hosts + "/h" + host);
    }
    return cluster;
  }

  /** The same on the default topology: DataNodes of a host share an address. */
  static TestCluster flat(int racks, int hosts, int perHost) {
    TestCluster cluster = flat();
    for (int i = 0; i < racks * hosts * perHost; i++) {
      int host = i / perHost;
      cluster.add("/r" + host / hosts, "10.0.0." + host, StorageType.DISK);
    }
    return cluster;
  }

  /** A DataNode with one disk and an address of its own. */
  DatanodeDescriptor add(String location) {
    return add(location, "10.1." + created / 250 + "." + created % 250, StorageType.DISK);
  }

  DatanodeDescriptor add(String location, StorageType... types) {
    return add(location, "10.1." + created / 250 + "." + created % 250, types);
  }

  DatanodeDescriptor add(String location, String address, StorageType... types) {
    DatanodeDescriptor node = create(location, address, types);
    nodes.add(node);
    topology.add(node);
    PlacementTesting.addHost(hosts, node);
    return node;
  }

  /** A DataNode that is in no topology yet. */
  DatanodeDescriptor create(String location, String address, StorageType... types) {
    int n = created++;
    DatanodeID id = new DatanodeID(address, "dn" + n, "uuid-" + n, 9866 + n, 9864, 9865, 9867);
    DatanodeDescriptor node = new DatanodeDescriptor(id, location);
    node.setAlive(true);
    heartbeat(node, 100 * GIB, 0, types);
    return node;
  }

  /** One heartbeat with a storage of each type. */
  static void heartbeat(
      DatanodeDescriptor node, long remaining, int xceivers, StorageType... types) {
    StorageReport[] reports = new StorageReport[types.length];
    for (int i = 0; i < types.length; i++) {
      DatanodeStorage storage =
          new DatanodeStorage(
              node.getDatanodeUuid() + "-" + i, DatanodeStorage.State.NORMAL, types[i]);
      reports[i] =
          new StorageReport(storage, false, 100 * GIB, 100 * GIB - remaining, remaining, 0, 0);
    }
    PlacementTesting.heartbeat(node, reports, xceivers);
  }

  void remove(DatanodeDescriptor node) {
    nodes.remove(node);
    topology.remove(node);
  }

  /** The NameNode's statistics. */
  FSClusterStats stats() {
    return (FSClusterStats)
        Proxy.newProxyInstance(
            TestCluster.class.getClassLoader(),
            new Class<?>[] {FSClusterStats.class},
            (proxy, method, arguments) -> {
              switch (method.getName()) {
                case "isAvoidingStaleDataNodesForWrite":
                  return avoidStale;
                case "getInServiceXceiverAverage":
                  return averageXceivers;
                case "getInServiceXceiverAverageForVolume":
                  return averageXceiversPerVolume;
                case "getStorageTypeStats":
                  return PlacementTesting.statsOf(nodes);
                case "getNumDatanodesInService":
                  return nodes.size();
                case "getTotalLoad":
                  return (int) (averageXceivers * nodes.size());
                default:
                  throw new IllegalStateException(method.toString());
              }
            });
  }

  /** Our policy as the NameNode makes it. */
  UniformBlockPlacementPolicy ours() {
    return start(new UniformBlockPlacementPolicy());
  }

  UniformStripedBlockPlacementPolicy oursStriped() {
    return start(new UniformStripedBlockPlacementPolicy());
  }

  BlockPlacementPolicy stock() {
    return start(
        topology instanceof NetworkTopologyWithNodeGroup
            ? PlacementTesting.stockNodeGroups()
            : PlacementTesting.stockDefault());
  }

  <P extends BlockPlacementPolicy> P start(P policy) {
    return PlacementTesting.start(policy, conf, stats(), topology, hosts);
  }

  /** A new block of the default storage policy. */
  static DatanodeStorageInfo[] choose(
      BlockPlacementPolicy policy, int replicas, Node writer, AddBlockFlag... flags) {
    EnumSet<AddBlockFlag> set = EnumSet.noneOf(AddBlockFlag.class);
    set.addAll(Arrays.asList(flags));
    return policy.chooseTarget(
        "/f",
        replicas,
        writer,
        new ArrayList<>(),
        false,
        null,
        GIB,
        POLICIES.getDefaultPolicy(),
        set);
  }

  /** A new block of a storage policy, without some DataNodes. */
  static DatanodeStorageInfo[] choose(
      BlockPlacementPolicy policy,
      int replicas,
      Node writer,
      BlockStoragePolicy storagePolicy,
      Collection<? extends Node> excluded) {
    return policy.chooseTarget(
        "/f",
        replicas,
        writer,
        new ArrayList<>(),
        false,
        new HashSet<>(excluded),
        GIB,
        storagePolicy,
        null);
  }

  /** More replicas for a block that has some. */
  static DatanodeStorageInfo[] chooseMore(
      BlockPlacementPolicy policy,
      int replicas,
      Node writer,
      List<DatanodeDescriptor> existing,
      Collection<? extends Node> excluded) {
    List<DatanodeStorageInfo> chosen = new ArrayList<>();
    existing.forEach(n -> chosen.add(n.getStorageInfos()[0]));
    return policy.chooseTarget(
        "/f",
        replicas,
        writer,
        chosen,
        false,
        new HashSet<>(excluded),
        GIB,
        POLICIES.getDefaultPolicy(),
        null);
  }

  static BlockStoragePolicy storagePolicy(String name) {
    return POLICIES.getPolicy(name);
  }

  static List<DatanodeDescriptor> nodesOf(DatanodeStorageInfo... targets) {
    List<DatanodeDescriptor> found = new ArrayList<>();
    for (DatanodeStorageInfo target : targets) {
      found.add(target.getDatanodeDescriptor());
    }
    return found;
  }

  /** Different locations: node groups, or racks on the default topology. */
  static Set<String> locations(Collection<? extends DatanodeInfo> nodes) {
    Set<String> found = new HashSet<>();
    nodes.forEach(n -> found.add(n.getNetworkLocation()));
    return found;
  }

  static Set<String> addresses(Collection<? extends DatanodeInfo> nodes) {
    Set<String> found = new HashSet<>();
    nodes.forEach(n -> found.add(n.getIpAddr()));
    return found;
  }

  /** The first part of a location. */
  static String rack(DatanodeInfo node) {
    String location = node.getNetworkLocation();
    int end = location.indexOf('/', 1);
    return end < 0 ? location : location.substring(0, end);
  }

  static Set<String> racks(Collection<? extends DatanodeInfo> nodes) {
    Set<String> found = new HashSet<>();
    nodes.forEach(n -> found.add(rack(n)));
    return found;
  }

  /** Most of them in one rack. */
  static int mostInOneRack(Collection<? extends DatanodeInfo> nodes) {
    int most = 0;
    for (DatanodeInfo node : nodes) {
      most = Math.max(most, (int) nodes.stream().filter(n -> rack(n).equals(rack(node))).count());
    }
    return most;
  }
}
