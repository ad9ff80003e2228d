package io.evenkeel.mover.hdfs;

import io.evenkeel.mover.core.plan.ClusterView;
import io.evenkeel.mover.core.plan.MovableRule;
import io.evenkeel.mover.core.plan.NodeView;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorageReport;
import org.apache.hadoop.hdfs.server.protocol.StorageReport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The live DataNodes as the NameNode reports them, with those it calls slow, which it tells since
 * 3.3; and the placement policy over them. Thread-safe.
 */
final class LiveDataNodes {
  private static final Logger LOG = LoggerFactory.getLogger(LiveDataNodes.class);

  private static final ByReflection SLOW =
      ByReflection.method(ClientProtocol.class, "getSlowDatanodeReport");

  private final HdfsConnection.Call<DatanodeStorageReport[]> report;
  private final HdfsConnection.Call<Object[]> slowReport;
  private final PlacementRule rule;
  private final long staleMillis;
  private final boolean pinning;
  private final long blockSize;

  // both guarded by this
  private boolean first = true;
  private boolean reportsSlow;
  private boolean knowsSlow = true; // by the last answer

  LiveDataNodes(HdfsConnection connection) {
    this(
        connection.conf(),
        connection::dataNodeReport,
        SLOW.isThere()
            ? () ->
                (Object[])
                    connection.call(
                        "getSlowDatanodeReport", () -> SLOW.call(connection.client().getNamenode()))
            : null);
  }

  /**
   * Creates it; no call is made.
   *
   * @param slowReport gives {@link DatanodeInfo}s; null where the client has no such call
   */
  LiveDataNodes(
      Configuration conf,
      HdfsConnection.Call<DatanodeStorageReport[]> report,
      HdfsConnection.Call<Object[]> slowReport) {
    this.report = report;
    this.slowReport = slowReport;
    this.reportsSlow = slowReport != null;
    this.rule = new PlacementRule(conf);
    this.staleMillis =
        conf.getLong(
            DFSConfigKeys.DFS_NAMENODE_STALE_DATANODE_INTERVAL_KEY,
            DFSConfigKeys.DFS_NAMENODE_STALE_DATANODE_INTERVAL_DEFAULT);
    this.pinning =
        conf.getBoolean(
            DFSConfigKeys.DFS_DATANODE_BLOCK_PINNING_ENABLED,
            DFSConfigKeys.DFS_DATANODE_BLOCK_PINNING_ENABLED_DEFAULT);
    // a DataNode that takes a replica from another does not know its length, and looks for a volume
    // with that much room
    this.blockSize =
        conf.getLongBytes(
            HdfsClientConfigKeys.DFS_BLOCK_SIZE_KEY, HdfsClientConfigKeys.DFS_BLOCK_SIZE_DEFAULT);
  }

  /** The placement policy for those of the last {@link #refresh}. */
  MovableRule rule() {
    return rule;
  }

  /** Those that are live now. One call; from the second time on two where slow ones are told. */
  synchronized ClusterView refresh() throws IOException {
    DatanodeStorageReport[] reports = report.run();
    List<DatanodeInfo> live = new ArrayList<>(reports.length);
    long newest = Long.MIN_VALUE;
    for (DatanodeStorageReport each : reports) {
      live.add(each.getDatanodeInfo());
      newest = Math.max(newest, each.getDatanodeInfo().getLastUpdate());
    }
    rule.update(live);
    Set<String> slow = slow();
    List<NodeView> nodes = new ArrayList<>(reports.length);
    for (DatanodeStorageReport each : reports) {
      DatanodeInfo node = each.getDatanodeInfo();
      // compared with each other: the clock of this machine has no part in it
      boolean stale = newest - node.getLastUpdate() > staleMillis;
      nodes.add(
          new NodeView(
              node.getDatanodeUuid(),
              node.getNetworkLocation(),
              rule.isNodeGroupAware() ? node.getNetworkLocation() : node.getDatanodeUuid(),
              use(node, stale || slow.contains(node.getDatanodeUuid())),
              remaining(each.getStorageReports())));
    }
    return new ClusterView(nodes, rule.isNodeGroupAware(), pinning, blockSize);
  }

  /**
   * UUIDs of the slow ones; none the first time, so that moving one file stays cheap, and when they
   * are not known. A NameNode that lacks the call is not asked again; whatever else fails, a
   * failover for one, may pass.
   */
  private Set<String> slow() {
    if (first || !reportsSlow) {
      first = false;
      return Collections.emptySet();
    }
    Set<String> uuids = new HashSet<>();
    try {
      Object[] slow = slowReport.run();
      knowsSlow = true;
      for (Object node : slow) {
        uuids.add(((DatanodeInfo) node).getDatanodeUuid());
      }
    } catch (IOException e) {
      reportsSlow = !HdfsErrors.isUnknownMethod(e);
      if (knowsSlow) { // once until they are known again
        LOG.info(
            "Slow DataNodes are not known{}: {}",
            reportsSlow ? " now" : "",
            HdfsErrors.firstLine(e));
      }
      knowsSlow = false;
    }
    return uuids;
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
