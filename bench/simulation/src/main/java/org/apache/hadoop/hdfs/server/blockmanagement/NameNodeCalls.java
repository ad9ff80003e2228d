package org.apache.hadoop.hdfs.server.blockmanagement;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.protocol.StorageReport;
import org.apache.hadoop.net.NetworkTopology;
import org.apache.hadoop.util.ReflectionUtils;

/**
 * Does what a NameNode does with a placement policy and a DataNode's descriptor and what Hadoop
 * keeps package-private, hence apart from the cluster that calls it. Not thread-safe; a NameNode
 * does these things under its lock.
 */
public final class NameNodeCalls {
  private final Host2NodesMap hosts = new Host2NodesMap();

  /** A DataNode registers. */
  public void register(DatanodeDescriptor dataNode) {
    hosts.add(dataNode);
  }

  /** A policy as a NameNode makes it. */
  public BlockPlacementPolicy policy(
      Class<? extends BlockPlacementPolicy> type,
      Configuration conf,
      FSClusterStats stats,
      NetworkTopology topology) {
    BlockPlacementPolicy policy = ReflectionUtils.newInstance(type, conf);
    policy.initialize(conf, stats, topology, hosts);
    return policy;
  }

  /** A heartbeat; storages that are new are added. */
  public static void heartbeat(
      DatanodeDescriptor dataNode, StorageReport[] storages, int transfers) {
    for (StorageReport storage : storages) {
      dataNode.updateStorage(storage.getStorage());
    }
    dataNode.updateHeartbeat(storages, 0, 0, transfers, 0, null);
  }

  /** A block was allocated on these storages. */
  public static void scheduled(DatanodeStorageInfo... storages) {
    DatanodeStorageInfo.incrementBlocksScheduled(storages);
  }

  /** These storages reported the replica. */
  public static void received(DatanodeStorageInfo... storages) {
    for (DatanodeStorageInfo storage : storages) {
      storage.getDatanodeDescriptor().decrementBlocksScheduled(storage.getStorageType());
    }
  }
}
