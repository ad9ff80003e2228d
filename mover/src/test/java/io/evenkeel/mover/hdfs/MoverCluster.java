package io.evenkeel.mover.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
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

  /** Writes a file and waits some seconds for its replicas: its close needs one of each block. */
  public byte[] write(String path, int bytes, int replication) throws IOException {
    byte[] data = new byte[bytes];
    new Random(path.hashCode()).nextBytes(data);
    org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path(path);
    try (OutputStream out = fs().create(file, (short) replication)) {
      out.write(data);
    }
    int wanted = Math.min(replication, mini.getDataNodes().size());
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(5);
    while (!isReported(file, wanted) && System.nanoTime() - end < 0) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
    }
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
  Map<String, Long> calls() {
    return calls(mini.getNameNodePort(nameNode));
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
  Map<String, Long> callsSince(Map<String, Long> before, int expected) throws InterruptedException {
    long end = System.nanoTime() + Duration.ofSeconds(10).toNanos();
    Map<String, Long> since = callsSince(before);
    while (since.values().stream().mapToLong(c -> c).sum() < expected && System.nanoTime() < end) {
      Thread.sleep(20);
      since = callsSince(before);
    }
    return since;
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
          results.add(mover.move(local(block, replica, type)));
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
    long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
    while (true) {
      FileView file = file(namespace, path);
      boolean done =
          file.blocks().stream()
              .allMatch(
                  b -> b.replicas().stream().map(Replica::type).sorted().toList().equals(types));
      if (done) {
        return file;
      }
      assertThat(System.nanoTime()).as("%s of %s", types, file.blocks()).isLessThan(end);
      Thread.sleep(100);
    }
  }

  /**
   * Waits until the NameNode says that the first block has no replica there any more, and three.
   */
  static void awaitGone(HdfsNamespace namespace, String path, Replica source) throws Exception {
    long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
    while (true) {
      List<Replica> now = file(namespace, path).blocks().get(0).replicas();
      if (now.size() == 3 && now.stream().noneMatch(r -> r.node().equals(source.node()))) {
        return;
      }
      assertThat(System.nanoTime()).as("%s", now).isLessThan(end);
      Thread.sleep(100);
    }
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
