package io.evenkeel.bench.namenode;

import io.evenkeel.bench.runtime.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.security.token.block.ExportedBlockKeys;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.NodeType;
import org.apache.hadoop.hdfs.server.common.StorageInfo;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.protocol.DatanodeRegistration;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.apache.hadoop.hdfs.server.protocol.NamenodeProtocols;
import org.apache.hadoop.hdfs.server.protocol.NamespaceInfo;
import org.apache.hadoop.hdfs.server.protocol.ReceivedDeletedBlockInfo;
import org.apache.hadoop.hdfs.server.protocol.ReceivedDeletedBlockInfo.BlockStatus;
import org.apache.hadoop.hdfs.server.protocol.SlowDiskReports;
import org.apache.hadoop.hdfs.server.protocol.SlowPeerReports;
import org.apache.hadoop.hdfs.server.protocol.StorageReceivedDeletedBlocks;
import org.apache.hadoop.hdfs.server.protocol.StorageReport;
import org.apache.hadoop.net.StaticMapping;

/**
 * A NameNode in this JVM to which DataNodes have registered and sent one heartbeat; nothing runs
 * behind them. Apart from the load on it, which knows nothing of registrations. They send more, and
 * report blocks, when told to. One at a time in a JVM, because the mapping of hosts to racks is
 * one. Started and closed by one thread, used by any.
 */
public final class RegisteredNodes implements AutoCloseable {
  private static final long VOLUME = 1L << 50;

  /** Hadoop's default for {@code dfs.heartbeat.interval}. */
  private static final int HEARTBEAT_MILLIS = 3000;

  private static final int PULSES = 100;

  private final Path dir;
  private final MiniDFSCluster cluster;
  private final NamenodeProtocols nameNode;
  private final List<DataNode> nodes;
  private final Map<String, DatanodeRegistration> registrations = new HashMap<>(); // by UUID
  private final ScheduledExecutorService heart =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "heartbeats");
            thread.setDaemon(true);
            return thread;
          });
  private Future<?> beating; // null until told to
  private int nextToBeat; // heart's own

  /**
   * A DataNode.
   *
   * @param location in the topology
   * @param types one for each volume
   * @param used part of each volume that is used
   */
  public record DataNode(DatanodeID id, String location, List<StorageType> types, double used) {
    private String storage(int volume) {
      return id.getDatanodeUuid() + "-" + volume;
    }

    private StorageReport[] reports() {
      StorageReport[] reports = new StorageReport[types.size()];
      long full = (long) (used * VOLUME);
      for (int v = 0; v < reports.length; v++) {
        DatanodeStorage volume =
            new DatanodeStorage(storage(v), DatanodeStorage.State.NORMAL, types.get(v));
        reports[v] = new StorageReport(volume, false, VOLUME, full, VOLUME - full, full, 0);
      }
      return reports;
    }
  }

  private RegisteredNodes(Path dir, MiniDFSCluster cluster, List<DataNode> nodes) {
    this.dir = dir;
    this.cluster = cluster;
    this.nameNode = cluster.getNameNodeRpc();
    this.nodes = nodes;
  }

  /**
   * Starts it.
   *
   * @param conf of the NameNode; changed
   */
  public static RegisteredNodes start(Configuration conf, List<DataNode> dataNodes)
      throws IOException {
    Path dir = Files.createTempDirectory("nodes");
    conf.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, dir.resolve("cluster").toString());
    conf.setBoolean("dfs.namenode.datanode.registration.ip-hostname-check", false);
    // DataNodes that send no other heartbeat stay alive; twice as much must be an int.
    conf.setInt("dfs.namenode.heartbeat.recheck-interval", 1_000_000_000);
    MiniDFSCluster cluster = null;
    boolean started = false;
    try {
      cluster = new MiniDFSCluster.Builder(conf).numDataNodes(0).build();
      // 0 is what the mini cluster sets, since it runs no DataNode.
      cluster.getConfiguration(0).setInt("dfs.replication", 3);
      RegisteredNodes nodes = new RegisteredNodes(dir, cluster, List.copyOf(dataNodes));
      nodes.register();
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

  private void register() throws IOException {
    NamespaceInfo space = nameNode.versionRequest();
    StorageInfo storage =
        new StorageInfo(
            space.getLayoutVersion(),
            space.getNamespaceID(),
            space.getClusterID(),
            space.getCTime(),
            NodeType.DATA_NODE);
    StaticMapping.resetMap();
    for (DataNode node : nodes) {
      StaticMapping.addNodeToRack(node.id.getIpAddr(), node.location);
      StaticMapping.addNodeToRack(node.id.getHostName(), node.location);
      DatanodeRegistration registration =
          new DatanodeRegistration(
              node.id, storage, new ExportedBlockKeys(), space.getSoftwareVersion());
      registration.setNamespaceInfo(space);
      registrations.put(node.id.getDatanodeUuid(), nameNode.registerDatanode(registration));
      beat(node);
    }
  }

  private void beat(DataNode node) throws IOException {
    nameNode.sendHeartbeat(
        registrations.get(node.id.getDatanodeUuid()),
        node.reports(),
        0,
        0,
        0,
        0,
        0,
        null,
        false,
        SlowPeerReports.EMPTY_REPORT,
        SlowDiskReports.EMPTY_REPORT);
  }

  /** From now on the DataNodes send their heartbeats, spread over Hadoop's default interval. */
  public void keepBeating() {
    beating =
        heart.scheduleAtFixedRate(this::pulse, 0, HEARTBEAT_MILLIS / PULSES, TimeUnit.MILLISECONDS);
  }

  private void pulse() {
    int share = (nodes.size() + PULSES - 1) / PULSES;
    for (int i = 0; i < share; i++) {
      try {
        beat(nodes.get(nextToBeat));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      nextToBeat = (nextToBeat + 1) % nodes.size();
    }
  }

  /** Each DataNode of a block reports its replica as received, in a report of its own. */
  public void received(LocatedBlock located) throws IOException {
    Block block = located.getBlock().getLocalBlock();
    ReceivedDeletedBlockInfo[] blocks = {
      new ReceivedDeletedBlockInfo(block, BlockStatus.RECEIVED_BLOCK, null)
    };
    for (int i = 0; i < located.getLocations().length; i++) {
      DatanodeStorage storage = new DatanodeStorage(located.getStorageIDs()[i]);
      StorageReceivedDeletedBlocks[] report = {new StorageReceivedDeletedBlocks(storage, blocks)};
      String uuid = located.getLocations()[i].getDatanodeUuid();
      nameNode.blockReceivedAndDeleted(registrations.get(uuid), pool(), report);
    }
  }

  /** The DataNodes in the order they registered. */
  public List<DataNode> nodes() {
    return nodes;
  }

  /** What clients and DataNodes ask, without a network between. */
  public NamenodeProtocols nameNode() {
    return nameNode;
  }

  /** What is behind it. */
  public FSNamesystem namesystem() {
    return cluster.getNamesystem();
  }

  /** For a tool; a copy. */
  public Configuration conf() {
    return new Configuration(cluster.getConfiguration(0));
  }

  /** Of the NameNode. */
  public URI uri() {
    return FileSystem.getDefaultUri(cluster.getConfiguration(0));
  }

  /** Id of the block pool. */
  public String pool() {
    return cluster.getNamesystem().getBlockPoolId();
  }

  /** A client. */
  public DistributedFileSystem fs() throws IOException {
    return cluster.getFileSystem();
  }

  /**
   * Stops it.
   *
   * @throws IllegalStateException when the DataNodes had stopped sending heartbeats
   */
  @Override
  public void close() throws IOException {
    boolean ended = beating != null && beating.isDone();
    heart.shutdownNow();
    cluster.shutdown();
    Trees.delete(dir);
    if (ended) {
      throw new IllegalStateException("the NameNode refused a heartbeat: " + beating);
    }
  }
}
