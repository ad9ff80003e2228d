package io.evenkeel.mover.hdfs;

import io.evenkeel.common.testing.Await;
import io.evenkeel.mover.core.plan.BlockView;
import io.evenkeel.mover.core.plan.ClusterView;
import io.evenkeel.mover.core.plan.FileView;
import io.evenkeel.mover.core.plan.NodeView;
import io.evenkeel.mover.core.plan.Replica;
import io.evenkeel.mover.core.plan.ReplicaMove;
import io.evenkeel.mover.core.task.MoveResult;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.metrics2.AbstractMetric;
import org.apache.hadoop.metrics2.MetricsRecord;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;

/** A real HDFS whose DataNodes have three storage types each, and what its NameNode was asked. */
public final class MoverCluster implements AutoCloseable {
  public static final int BLOCK = 64 * 1024;

  private static final Duration LIMIT = Duration.ofMinutes(2);

  /** Calls of DataNodes and of the file system of the test itself are not the mover's. */
  private static final List<String> OF_SERVERS =
      List.of(
          "SendHeartbeat",
          "BlockReceivedAndDeleted",
          "BlockReport",
          "RegisterDatanode",
          "VersionRequest",
          "SendLifeline");

  private final MiniDFSCluster mini;
  private final int nameNode;

  private MoverCluster(MiniDFSCluster mini, int nameNode) {
    this.mini = mini;
    this.nameNode = nameNode;
  }

  public static Configuration conf(Path dir) {
    Configuration conf = new HdfsConfiguration();
    conf.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, dir.resolve("dfs").toString());
    conf.set("hadoop.tmp.dir", dir.resolve("tmp").toString());
    conf.setInt("dfs.blocksize", BLOCK);
    conf.setInt("dfs.bytes-per-checksum", 512);
    conf.setInt("dfs.namenode.fs-limits.min-block-size", 512);
    conf.setInt("dfs.heartbeat.interval", 1);
    conf.setInt("dfs.namenode.redundancy.interval.seconds", 1);
    conf.setInt("dfs.namenode.replication.interval", 1);
    conf.setInt("ipc.client.connect.max.retries", 1);
    conf.setInt("ipc.client.connect.retry.interval", 100);
    conf.setInt("dfs.client.block.write.locateFollowingBlock.initial.delay.ms", 20);
    conf.setInt("dfs.client.block.write.locateFollowingBlock.retries", 9); // 10 s, as without that
    conf.setInt("dfs.client.retry.window.base", 100);
    conf.setInt("dfs.client.failover.sleep.base.millis", 50);
    conf.setInt("dfs.client.failover.sleep.max.millis", 500);
    conf.setInt("dfs.datanode.directoryscan.interval", -1);
    conf.setInt("dfs.datanode.scan.period.hours", -1);
    conf.setInt("dfs.namenode.handler.count", 4);
    conf.setInt("dfs.namenode.service.handler.count", 4);
    conf.setInt("dfs.datanode.handler.count", 2);
    return conf;
  }

  public static MoverCluster start(Configuration conf, int dataNodes) throws IOException {
    return start(conf, dataNodes, null);
  }

  public static MoverCluster start(Configuration conf, int dataNodes, String[] racks)
      throws IOException {
    StorageType[] each = {StorageType.DISK, StorageType.SSD, StorageType.ARCHIVE};
    MiniDFSCluster mini =
        new MiniDFSCluster.Builder(conf)
            .numDataNodes(dataNodes)
            .racks(racks)
            .storagesPerDatanode(each.length)
            .storageTypes(each)
            .build();
    mini.waitActive();
    return new MoverCluster(mini, 0);
  }

  public static MoverCluster of(MiniDFSCluster mini) {
    return new MoverCluster(mini, 0);
  }

  /** One of several NameNodes. */
  public static MoverCluster of(MiniDFSCluster mini, int nameNode) {
    return new MoverCluster(mini, nameNode);
  }

  public MiniDFSCluster mini() {
    return mini;
  }

  public DistributedFileSystem fs() throws IOException {
    return mini.getFileSystem(nameNode);
  }

  public Configuration conf() {
    return new Configuration(mini.getConfiguration(nameNode));
  }

  public HdfsConnection connect() throws IOException {
    return HdfsConnection.open(conf(), mini.getURI(nameNode));
  }

  /** Writes a file and waits for its replicas: its close needs one of each block. */
  public byte[] write(String path, int bytes, int replication) throws Exception {
    byte[] data = new byte[bytes];
    new Random(path.hashCode()).nextBytes(data);
    org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path(path);
    try (OutputStream out = fs().create(file, (short) replication)) {
      out.write(data);
    }
    int wanted = Math.min(replication, mini.getDataNodes().size());
    Await.until("all replicas of " + path, () -> isReported(file, wanted));
    return data;
  }

  private boolean isReported(org.apache.hadoop.fs.Path file, int replicas) throws IOException {
    for (BlockLocation block : fs().getFileBlockLocations(file, 0, Long.MAX_VALUE)) {
      if (block.getNames().length < replicas) {
        return false;
      }
    }
    return true;
  }

  public byte[] read(String path) throws IOException {
    try (FSDataInputStream in = fs().open(new org.apache.hadoop.fs.Path(path))) {
      return in.readAllBytes();
    }
  }

  /** How often each method of the NameNode was called by clients since its start. */
  public Map<String, Long> calls() {
    return calls(mini.getNameNodePort(nameNode));
  }

  /** The same once the last call is counted, which the NameNode does after it has answered. */
  public Map<String, Long> allCalls() throws Exception {
    Map<String, Long> before = Map.of();
    Map<String, Long> now = calls();
    while (!now.equals(before)) {
      Await.pause(100);
      before = now;
      now = calls();
    }
    return now;
  }

  private static Map<String, Long> calls(int port) {
    MetricsSource source =
        DefaultMetricsSystem.instance().getSource("RpcDetailedActivityForPort" + port);
    MetricsCollectorImpl collector = new MetricsCollectorImpl();
    source.getMetrics(collector, true);
    Map<String, Long> calls = new HashMap<>();
    // Its own class is not public in 3.1.
    MetricsRecord record = collector.getRecords().get(0);
    for (AbstractMetric metric : record.metrics()) {
      if (metric.name().endsWith("NumOps") && metric.type().name().equals("COUNTER")) {
        String name = metric.name().substring(0, metric.name().length() - "NumOps".length());
        if (OF_SERVERS.stream().noneMatch(name::equals)
            && !name.startsWith("Deferred")
            && !name.startsWith("Overall")) {
          calls.put(name, metric.value().longValue());
        }
      }
    }
    return calls;
  }

  /** What was called since then. */
  Map<String, Long> callsSince(Map<String, Long> before) {
    Map<String, Long> since = new HashMap<>();
    calls()
        .forEach(
            (name, count) -> {
              long more = count - before.getOrDefault(name, 0L);
              if (more > 0) {
                since.put(name, more);
              }
            });
    return since;
  }

  /**
   * What was called since then, once that is so many calls; for the NameNode counts a call after it
   * has answered. Not waited for long: what is wrong is to be seen.
   */
  Map<String, Long> callsSince(Map<String, Long> before, int expected) throws Exception {
    Await.until(
        expected + " calls",
        Duration.ofSeconds(10),
        () -> callsSince(before).values().stream().mapToLong(c -> c).sum() >= expected,
        () -> callsSince(before));
    return callsSince(before);
  }

  static HdfsReplicaMover mover(HdfsConnection connection) {
    return new HdfsReplicaMover(connection, Duration.ofMinutes(1));
  }

  public static FileView file(HdfsNamespace namespace, String path) throws IOException {
    return namespace.list(path, null).files().get(0);
  }

  static ReplicaMove local(BlockView block, Replica replica, String type) {
    return new ReplicaMove(replica, block.generationStamp(), replica.node(), type, replica.node());
  }

  /** Moves every replica inside its DataNode; the results of the moves made. */
  static List<MoveResult> moveAll(HdfsConnection connection, FileView file, String type)
      throws InterruptedException {
    HdfsReplicaMover mover = mover(connection);
    List<MoveResult> results = new ArrayList<>();
    for (BlockView block : file.blocks()) {
      for (Replica replica : block.replicas()) {
        if (!replica.type().equals(type)) {
          results.add(mover.move(local(block, replica, type), node -> {}));
        }
      }
    }
    return results;
  }

  /** Waits until the NameNode says that all replicas of all blocks are on that type. */
  static FileView awaitAll(HdfsNamespace namespace, String path, String type, int replicas)
      throws Exception {
    String[] wanted = new String[replicas];
    Arrays.fill(wanted, type);
    return awaitTypes(namespace, path, List.of(wanted));
  }

  static FileView awaitTypes(HdfsNamespace namespace, String path, List<String> types)
      throws Exception {
    Await.until(
        path + " on " + types,
        LIMIT,
        () ->
            file(namespace, path).blocks().stream()
                .allMatch(
                    b -> b.replicas().stream().map(Replica::type).sorted().toList().equals(types)),
        () -> file(namespace, path).blocks());
    return file(namespace, path);
  }

  /**
   * Waits until the NameNode says that the first block has no replica there any more, and three.
   */
  static void awaitGone(HdfsNamespace namespace, String path, Replica source) throws Exception {
    Await.until(
        "no replica on " + source.node(),
        LIMIT,
        () -> {
          List<Replica> now = file(namespace, path).blocks().get(0).replicas();
          return now.size() == 3 && now.stream().noneMatch(r -> r.node().equals(source.node()));
        },
        () -> file(namespace, path).blocks());
  }

  /** A node that holds none of the block. */
  static NodeView other(ClusterView cluster, BlockView block) {
    return cluster.nodes().stream()
        .filter(n -> block.replicas().stream().noneMatch(r -> r.node().equals(n.uuid())))
        .findFirst()
        .orElseThrow();
  }

  @Override
  public void close() {
    mini.shutdown();
  }
}
