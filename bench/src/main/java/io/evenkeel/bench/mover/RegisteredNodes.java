package io.evenkeel.bench.mover;

import io.evenkeel.bench.runtime.Trees;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.security.token.block.ExportedBlockKeys;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.NodeType;
import org.apache.hadoop.hdfs.server.common.StorageInfo;
import org.apache.hadoop.hdfs.server.protocol.DatanodeRegistration;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.apache.hadoop.hdfs.server.protocol.NamenodeProtocols;
import org.apache.hadoop.hdfs.server.protocol.NamespaceInfo;
import org.apache.hadoop.hdfs.server.protocol.SlowDiskReports;
import org.apache.hadoop.hdfs.server.protocol.SlowPeerReports;
import org.apache.hadoop.hdfs.server.protocol.StorageReport;
import org.apache.hadoop.net.StaticMapping;

/**
 * A NameNode in this JVM to which DataNodes have registered and sent one heartbeat; nothing runs
 * behind them. Tools that only plan see a cluster of that size. Confined to one thread.
 */
final class RegisteredNodes implements AutoCloseable {
  private static final int PORT = 9866;
  private static final long VOLUME = 1L << 50;

  private final Path dir;
  private final MiniDFSCluster cluster;
  private final List<DatanodeID> nodes = new ArrayList<>();

  private RegisteredNodes(Path dir, MiniDFSCluster cluster) {
    this.dir = dir;
    this.cluster = cluster;
  }

  /**
   * Starts it.
   *
   * @param types of each DataNode, one volume each
   * @param racks so many, filled in turn
   */
  static RegisteredNodes start(List<List<StorageType>> types, int racks) throws IOException {
    Path dir = Files.createTempDirectory("nodes");
    Configuration conf = new HdfsConfiguration();
    conf.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, dir.resolve("cluster").toString());
    conf.setBoolean("dfs.namenode.datanode.registration.ip-hostname-check", false);
    // No DataNode sends another heartbeat.
    conf.setInt("dfs.namenode.heartbeat.recheck-interval", Integer.MAX_VALUE);
    MiniDFSCluster cluster = null;
    boolean started = false;
    try {
      cluster = new MiniDFSCluster.Builder(conf).numDataNodes(0).build();
      // 0 is what the mini cluster sets, since it runs no DataNode.
      cluster.getConfiguration(0).setInt("dfs.replication", 3);
      RegisteredNodes nodes = new RegisteredNodes(dir, cluster);
      for (int i = 0; i < types.size(); i++) {
        nodes.register(i, "/r" + i % racks, types.get(i));
      }
      started = true;
      return nodes;
    } finally {
      if (!started) {
        if (cluster != null) {
          cluster.shutdown();
        }
        Trees.delete(dir);
      }
    }
  }

  private void register(int number, String rack, List<StorageType> types) throws IOException {
    String address = "10.1." + (number >> 8) + "." + (number & 255);
    String host = "host" + number;
    StaticMapping.addNodeToRack(address, rack);
    StaticMapping.addNodeToRack(host, rack);
    NamenodeProtocols nameNode = cluster.getNameNodeRpc();
    NamespaceInfo space = nameNode.versionRequest();
    DatanodeID id = new DatanodeID(address, host, "dn-" + number, PORT, PORT + 1, 0, PORT + 2);
    StorageInfo storage =
        new StorageInfo(
            space.getLayoutVersion(),
            space.getNamespaceID(),
            space.getClusterID(),
            space.getCTime(),
            NodeType.DATA_NODE);
    DatanodeRegistration registration =
        new DatanodeRegistration(id, storage, new ExportedBlockKeys(), space.getSoftwareVersion());
    registration.setNamespaceInfo(space);
    registration = nameNode.registerDatanode(registration);
    nameNode.sendHeartbeat(
        registration,
        reports(number, types),
        0,
        0,
        0,
        0,
        0,
        null,
        false,
        SlowPeerReports.EMPTY_REPORT,
        SlowDiskReports.EMPTY_REPORT);
    nodes.add(id);
  }

  private static StorageReport[] reports(int number, List<StorageType> types) {
    StorageReport[] reports = new StorageReport[types.size()];
    for (int v = 0; v < reports.length; v++) {
      String id = "dn-" + number + "-" + v;
      DatanodeStorage volume = new DatanodeStorage(id, DatanodeStorage.State.NORMAL, types.get(v));
      reports[v] = new StorageReport(volume, false, VOLUME, 0, VOLUME, 0, 0);
    }
    return reports;
  }

  /** The DataNodes in the order they registered. */
  List<DatanodeID> nodes() {
    return nodes;
  }

  /** For a tool; a copy. */
  Configuration conf() {
    return new Configuration(cluster.getConfiguration(0));
  }

  URI uri() {
    return FileSystem.getDefaultUri(cluster.getConfiguration(0));
  }

  String pool() {
    return cluster.getNamesystem().getBlockPoolId();
  }

  DistributedFileSystem fs() throws IOException {
    return cluster.getFileSystem();
  }

  @Override
  public void close() throws IOException {
    cluster.shutdown();
    Trees.delete(dir);
  }
}
