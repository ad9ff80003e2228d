package org.apache.hadoop.hdfs.server.blockmanagement;

import java.lang.reflect.Field;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.server.protocol.StorageReport;
import org.apache.hadoop.net.NetworkTopology;
import org.apache.hadoop.net.Node;

/** What tests of placement policies need of Hadoop's package-private parts. Stateless. */
public final class PlacementTesting {
  private PlacementTesting() {}

  /** Stock's default policy. */
  public static BlockPlacementPolicy stockDefault() {
    return new BlockPlacementPolicyDefault();
  }

  /** Stock's policy for node groups. */
  public static BlockPlacementPolicy stockNodeGroups() {
    return new BlockPlacementPolicyWithNodeGroup();
  }

  /** Stock's policy for erasure coded blocks. */
  public static BlockPlacementPolicy stockStriped() {
    return new BlockPlacementPolicyRackFaultTolerant();
  }

  /** An empty map of host names and addresses, opaque outside this package. */
  public static Object hosts() {
    return new Host2NodesMap();
  }

  /** Adds a DataNode to such a map. */
  public static void addHost(Object hosts, DatanodeDescriptor node) {
    ((Host2NodesMap) hosts).add(node);
  }

  /** Initializes a policy as the NameNode or, with nulls, a tool does. */
  public static <P extends BlockPlacementPolicy> P start(
      P policy, Configuration conf, FSClusterStats stats, NetworkTopology topology, Object hosts) {
    policy.initialize(conf, stats, topology, (Host2NodesMap) hosts);
    return policy;
  }

  /** The choice with favored nodes. */
  public static DatanodeStorageInfo[] favored(
      BlockPlacementPolicy policy,
      int replicas,
      Node writer,
      Set<Node> excluded,
      List<DatanodeDescriptor> favored,
      BlockStoragePolicy storagePolicy,
      EnumSet<AddBlockFlag> flags) {
    return policy.chooseTarget(
        "/f", replicas, writer, excluded, 1024, favored, storagePolicy, flags);
  }

  /** One heartbeat of a DataNode. */
  public static void heartbeat(DatanodeDescriptor node, StorageReport[] storages, int xceivers) {
    for (StorageReport storage : storages) {
      node.updateStorage(storage.getStorage());
    }
    node.updateHeartbeat(storages, 0, 0, xceivers, 0, null);
  }

  /** A complete block of that many replicas, one on each of these. */
  public static void addBlock(long id, List<DatanodeDescriptor> nodes) {
    addBlock(id, nodes.size(), nodes);
  }

  /** The same; it is to have so many replicas. */
  public static void addBlock(long id, int replicas, List<DatanodeDescriptor> nodes) {
    BlockInfo block = new BlockInfoContiguous(new Block(id), (short) replicas);
    nodes.forEach(node -> node.getStorageInfos()[0].addBlock(block));
  }

  /** The NameNode gave the DataNode one block more that it has not reported. */
  public static void schedule(DatanodeDescriptor node, StorageType type) {
    node.incrementBlocksScheduled(type);
  }

  /** The DataNode reported such a block. */
  public static void unschedule(DatanodeDescriptor node, StorageType type) {
    node.decrementBlocksScheduled(type);
  }

  /** What the NameNode's own counters say of the storage types of these DataNodes. */
  public static Map<StorageType, StorageTypeStats> statsOf(List<DatanodeDescriptor> nodes) {
    DatanodeStats stats = new DatanodeStats();
    nodes.forEach(stats::add);
    return stats.getStatsMap();
  }

  /** The NameNode's set of slow DataNodes, by UUID; null on a release without. */
  @SuppressWarnings("unchecked")
  public static Set<String> slowNodes() throws ReflectiveOperationException {
    try {
      return (Set<String>) DatanodeManager.class.getMethod("getSlowNodesUuidSet").invoke(null);
    } catch (NoSuchMethodException e) {
      return null;
    }
  }

  /** The descriptor that stands for storage outside HDFS; null on a release without. */
  public static DatanodeDescriptor provided() throws ReflectiveOperationException {
    try {
      String name = PlacementTesting.class.getPackage().getName() + ".ProvidedStorageMap";
      return (DatanodeDescriptor)
          Class.forName(name + "$ProvidedDescriptor").getDeclaredConstructor().newInstance();
    } catch (ClassNotFoundException e) {
      return null;
    }
  }

  /** What stock's checks have written down for the log in this thread. */
  public static String debugText() throws ReflectiveOperationException {
    Field text = BlockPlacementPolicyDefault.class.getDeclaredField("debugLoggingBuilder");
    text.setAccessible(true);
    return ((ThreadLocal<?>) text.get(null)).get().toString();
  }
}
