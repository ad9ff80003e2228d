package io.evenkeel.mover.hdfs;

import io.evenkeel.mover.core.plan.ClusterView;
import io.evenkeel.mover.core.plan.NodeView;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorageReport;
import org.apache.hadoop.hdfs.server.protocol.StorageReport;

/** The DataNodes as the mover sees them, of the NameNode's report. Immutable. */
final class ClusterViews {
  private final long staleMillis;
  private final boolean nodeGroups;
  private final boolean pinning;
  private final long blockSize;

  /**
   * Creates it.
   *
   * @param staleMillis a node that was heard of so much longer ago than another is stale
   * @param nodeGroups whether the last part of a location is a node group
   * @param pinning whether DataNodes pin what was written with favored nodes
   * @param blockSize {@code dfs.blocksize}: a DataNode that takes a replica from another does not
   *     know its length, and looks for a volume with that much room
   */
  ClusterViews(long staleMillis, boolean nodeGroups, boolean pinning, long blockSize) {
    this.staleMillis = staleMillis;
    this.nodeGroups = nodeGroups;
    this.pinning = pinning;
    this.blockSize = blockSize;
  }

  /**
   * The view.
   *
   * @param slow UUIDs of the nodes the NameNode calls slow
   */
  ClusterView view(DatanodeStorageReport[] reports, Set<String> slow) {
    // Compared with each other: the clock of this machine has no part in it.
    long newest = Long.MIN_VALUE;
    for (DatanodeStorageReport report : reports) {
      newest = Math.max(newest, report.getDatanodeInfo().getLastUpdate());
    }
    List<NodeView> nodes = new ArrayList<>(reports.length);
    for (DatanodeStorageReport report : reports) {
      DatanodeInfo node = report.getDatanodeInfo();
      String location = node.getNetworkLocation();
      boolean late = newest - node.getLastUpdate() > staleMillis;
      nodes.add(
          new NodeView(
              node.getDatanodeUuid(),
              location,
              nodeGroups ? location : node.getDatanodeUuid(),
              use(node, late || slow.contains(node.getDatanodeUuid())),
              remaining(report.getStorageReports())));
    }
    return new ClusterView(nodes, nodeGroups, pinning, blockSize);
  }

  private static NodeView.Use use(DatanodeInfo node, boolean lastChoice) {
    if (!isInService(node)) {
      return NodeView.Use.SOURCE_ONLY;
    }
    return lastChoice ? NodeView.Use.LAST_CHOICE : NodeView.Use.TARGET;
  }

  /** Whether it is neither decommissioned nor in maintenance, nor on its way there. */
  static boolean isInService(DatanodeInfo node) {
    return !(node.isDecommissionInProgress()
        || node.isDecommissioned()
        || node.isEnteringMaintenance()
        || node.isInMaintenance());
  }

  private static Map<String, List<Long>> remaining(StorageReport[] storages) {
    Map<String, List<Long>> remaining = new HashMap<>();
    for (StorageReport storage : storages) {
      DatanodeStorage volume = storage.getStorage();
      if (!storage.isFailed()
          && volume.getState() == DatanodeStorage.State.NORMAL
          && volume.getStorageType().isMovable()) {
        remaining
            .computeIfAbsent(volume.getStorageType().name(), t -> new ArrayList<>())
            .add(storage.getRemaining());
      }
    }
    return remaining;
  }
}
