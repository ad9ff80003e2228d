package io.evenkeel.bench.mover;

import io.evenkeel.bench.runtime.Trees;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.namenode.NameNodeAdapter;
import org.apache.hadoop.hdfs.server.namenode.NameNodeRpcServer;
import org.apache.hadoop.metrics2.AbstractMetric;
import org.apache.hadoop.metrics2.MetricsRecord;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;

/**
 * A NameNode and DataNodes in this JVM with Hadoop's default intervals, files on them, and what the
 * NameNode knows and was asked. The view and the counts cost no call. Confined to one thread.
 */
final class MoverRig implements AutoCloseable {
  static final int BLOCK = 64 << 10;
  static final short REPLICAS = 3;

  /** Three DataNodes, each with both types. */
  static final List<String> BOTH = List.of("DISK,SSD", "DISK,SSD", "DISK,SSD");

  /** Three DataNodes, each with three types. */
  static final List<String> ALL_TIERS =
      List.of("DISK,SSD,ARCHIVE", "DISK,SSD,ARCHIVE", "DISK,SSD,ARCHIVE");

  /** SSDs only on other DataNodes than disks. */
  static final List<String> APART = List.of("DISK", "DISK", "DISK", "SSD", "SSD", "SSD");

  private static final int WRITERS = 4;
  private static final int FILES_PER_DIRECTORY = 500;
  private static final String COUNT = "NumOps";

  private final Path dir;
  private final MiniDFSCluster cluster;
  private final DistributedFileSystem fs;
  private int filled;

  private MoverRig(Path dir, MiniDFSCluster cluster) throws IOException {
    this.dir = dir;
    this.cluster = cluster;
    this.fs = cluster.getFileSystem();
  }

  /**
   * Starts it.
   *
   * @param nodes storage types of each DataNode, as many everywhere
   */
  static MoverRig start(List<String> nodes) throws IOException {
    Path dir = Files.createTempDirectory("mover");
    MiniDFSCluster cluster = null;
    boolean started = false;
    try {
      StorageType[][] types =
          nodes.stream()
              .map(n -> Arrays.stream(n.split(",")).map(StorageType::valueOf))
              .map(node -> node.toArray(StorageType[]::new))
              .toArray(StorageType[][]::new);
      cluster =
          new MiniDFSCluster.Builder(settings(dir))
              .numDataNodes(types.length)
              .storagesPerDatanode(types[0].length)
              .storageTypes(types)
              .build();
      cluster.waitActive();
      MoverRig rig = new MoverRig(dir, cluster);
      started = true;
      return rig;
    } finally {
      if (!started) {
        if (cluster != null) {
          cluster.shutdown();
        }
        Trees.delete(dir);
      }
    }
  }

  private static Configuration settings(Path dir) {
    Configuration conf = new HdfsConfiguration();
    conf.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, dir.resolve("cluster").toString());
    conf.setInt("dfs.blocksize", BLOCK);
    conf.setInt("dfs.replication", REPLICAS);
    conf.setInt("dfs.namenode.fs-limits.min-block-size", 0);
    conf.setLong("dfs.namenode.accesstime.precision", 0);
    conf.setLong("dfs.datanode.directoryscan.interval", -1);
    conf.setLong("dfs.block.scanner.volume.bytes.per.second", 0);
    conf.set("dfs.storage.policy.satisfier.mode", "external");
    int seconds = Sizes.intervalSeconds();
    conf.setInt("dfs.heartbeat.interval", seconds);
    conf.setInt("dfs.namenode.redundancy.interval.seconds", seconds);
    return conf;
  }

  /** For a tool, which shares no client with another, as in a process of its own; a copy. */
  Configuration conf() {
    Configuration conf = new Configuration(cluster.getConfiguration(0));
    conf.setBoolean("fs.hdfs.impl.disable.cache", true);
    return conf;
  }

  DistributedFileSystem fs() {
    return fs;
  }

  MiniDFSCluster cluster() {
    return cluster;
  }

  /** Makes a directory with a storage policy of its own. */
  void directory(String directory, String policy) throws IOException {
    fs.mkdirs(path(directory));
    fs.setStoragePolicy(path(directory), policy);
  }

  /** Writes files into a directory whose policy only then becomes another. */
  Run.Goal misplaced(String directory, int files, double limitSeconds) throws Exception {
    List<String> names = write(directory, files, Sizes.BLOCKS);
    fs.setStoragePolicy(path(directory), "ALL_SSD");
    return new Run.Goal(names, "SSD", limitSeconds);
  }

  /** Writes files into a directory without a policy of its own and returns them. */
  List<String> write(String directory, int files, int blocks) throws Exception {
    fs.mkdirs(path(directory));
    List<String> names = new ArrayList<>();
    for (int i = 0; i < files; i++) {
      names.add(directory + "/file-" + i);
    }
    parallel(names, name -> write(name, blocks));
    return names;
  }

  /** Creates empty files until there are that many outside the directories written. */
  void fill(int files) throws Exception {
    List<String> names = new ArrayList<>();
    for (; filled < files; filled++) {
      names.add("/other/" + filled / FILES_PER_DIRECTORY + "/" + filled);
    }
    parallel(names, name -> write(name, 0));
  }

  private void write(String name, int blocks) throws IOException {
    byte[] block = new byte[BLOCK];
    Arrays.fill(block, (byte) name.hashCode());
    try (FSDataOutputStream out = fs.create(path(name))) {
      for (int i = 0; i < blocks; i++) {
        out.write(block);
      }
    }
  }

  private interface Each {
    void of(String name) throws IOException;
  }

  private static void parallel(List<String> names, Each action) throws Exception {
    ExecutorService writers = Executors.newFixedThreadPool(WRITERS);
    try {
      List<Callable<Void>> tasks = new ArrayList<>();
      for (String name : names) {
        tasks.add(
            () -> {
              action.of(name);
              return null;
            });
      }
      for (Future<Void> done : writers.invokeAll(tasks)) {
        done.get();
      }
    } finally {
      writers.shutdownNow();
    }
  }

  static org.apache.hadoop.fs.Path path(String name) {
    return new org.apache.hadoop.fs.Path(name);
  }

  /** Where the NameNode says the replicas of files are; a file that is not there has none. */
  View view(List<String> files, String type) throws IOException {
    StorageType target = StorageType.valueOf(type);
    int blocks = 0;
    int replicas = 0;
    int onTarget = 0;
    int least = Integer.MAX_VALUE;
    int most = 0;
    for (String file : files) {
      for (LocatedBlock block : blocks(file)) {
        StorageType[] types = block.getStorageTypes();
        blocks++;
        replicas += types.length;
        onTarget += (int) Arrays.stream(types).filter(t -> t == target).count();
        least = Math.min(least, types.length);
        most = Math.max(most, types.length);
      }
    }
    return new View(blocks, replicas, onTarget, least, most);
  }

  private List<LocatedBlock> blocks(String file) throws IOException {
    try {
      return NameNodeAdapter.getBlockLocations(cluster.getNameNode(), file, 0, Long.MAX_VALUE)
          .getLocatedBlocks();
    } catch (FileNotFoundException e) {
      return List.of();
    }
  }

  /** What this NameNode was asked so far. */
  Calls calls() {
    NameNodeRpcServer server = (NameNodeRpcServer) cluster.getNameNode().getRpcServer();
    String name = server.getClientRpcServer().getRpcDetailedMetrics().name();
    MetricsSource source = DefaultMetricsSystem.instance().getSource(name);
    if (source == null) {
      throw new IllegalStateException("no metrics named " + name);
    }
    MetricsCollectorImpl collector = new MetricsCollectorImpl();
    source.getMetrics(collector, true);
    Map<String, Long> counts = new TreeMap<>();
    for (MetricsRecord record : collector.getRecords()) {
      for (AbstractMetric metric : record.metrics()) {
        String label = metric.name();
        if (label.endsWith(COUNT)
            && !label.startsWith("Deferred")
            && !label.startsWith("Overall")) {
          counts.put(
              label.substring(0, label.length() - COUNT.length()), metric.value().longValue());
        }
      }
    }
    return Calls.of(counts);
  }

  @Override
  public void close() throws IOException {
    cluster.shutdown();
    Trees.delete(dir);
  }
}
