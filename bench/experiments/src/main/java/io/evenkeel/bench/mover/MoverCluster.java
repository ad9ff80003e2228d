package io.evenkeel.bench.mover;

import io.evenkeel.bench.embedded.EmbeddedHdfs;
import io.evenkeel.bench.embedded.HostPlan;
import io.evenkeel.bench.runtime.Layout;
import io.evenkeel.bench.runtime.Trees;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DistributedFileSystem;
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
 * NameNode knows and was asked. The view and the counts cost no call. The system property {@code
 * evenkeel.bench.mover.interval} is another number of seconds between heartbeats. Confined to one
 * thread.
 */
final class MoverCluster implements AutoCloseable {
  static final int BLOCK = 64 << 10;
  static final short REPLICAS = 3;

  /** Blocks of each file that moves. */
  static final int BLOCKS = 10;

  /** Three DataNodes, each with both types. */
  static final List<List<String>> BOTH = Collections.nCopies(3, List.of("DISK", "SSD"));

  /** Three DataNodes, each with three types. */
  static final List<List<String>> ALL_TIERS =
      Collections.nCopies(3, List.of("DISK", "SSD", "ARCHIVE"));

  /** SSDs only on other DataNodes than disks. */
  static final List<List<String>> APART =
      List.of(
          List.of("DISK"),
          List.of("DISK"),
          List.of("DISK"),
          List.of("SSD"),
          List.of("SSD"),
          List.of("SSD"));

  private static final int WRITERS = 4;
  private static final int FILES_PER_DIRECTORY = 500;
  private static final String COUNT = "NumOps";
  private static final String MOST_MOVES = "dfs.datanode.balance.max.concurrent.moves";
  private static final long REPLICAS_LIMIT_NANOS = TimeUnit.MINUTES.toNanos(1);
  private static final long LOOK_MILLIS = 10;

  private final Path dir;
  private final EmbeddedHdfs hdfs;
  private final DistributedFileSystem fs;
  private int filled;

  /**
   * Starts it.
   *
   * @param nodes storage types of the volumes of each DataNode
   */
  MoverCluster(List<List<String>> nodes) throws IOException, InterruptedException {
    // Hadoop's defaults, unlike in other clusters in this JVM.
    String seconds = System.getProperty("evenkeel.bench.mover.interval", "3");
    Map<String, String> keys = new HashMap<>();
    keys.put("dfs.heartbeat.interval", seconds);
    keys.put("dfs.namenode.redundancy.interval.seconds", seconds);
    keys.put("net.topology.node.switch.mapping.impl", "org.apache.hadoop.net.ScriptBasedMapping");
    keys.put("dfs.blocksize", String.valueOf(BLOCK));
    keys.put("dfs.replication", String.valueOf(REPLICAS));
    keys.put("dfs.namenode.fs-limits.min-block-size", "0");
    keys.put("dfs.namenode.accesstime.precision", "0");
    keys.put("dfs.storage.policy.satisfier.mode", "external");
    // else DataNodes that report their writers before others do are too busy for a replica
    keys.put("dfs.namenode.redundancy.considerLoad", "false");
    // as a tuned mover asks for: a DataNode that refuses a move is left alone for 10 s
    keys.put(MOST_MOVES, "1000");
    HostPlan plan = HostPlan.of(new Layout(nodes.size(), 1, 1));
    dir = Files.createTempDirectory("mover");
    hdfs =
        Trees.orDelete(
            dir, () -> new EmbeddedHdfs(dir, plan, vm -> nodes.get(plan.vms().indexOf(vm)), keys));
    fs = hdfs.fileSystem();
  }

  /** For a tool, which shares no client with another, as in a process of its own; a copy. */
  Configuration conf() {
    Configuration conf = hdfs.clientConf();
    conf.setBoolean("fs.hdfs.impl.disable.cache", true);
    conf.unset(MOST_MOVES); // a tool has its own default
    return conf;
  }

  DistributedFileSystem fs() {
    return fs;
  }

  /** Makes a directory with a storage policy of its own. */
  void directory(String directory, String policy) throws IOException {
    fs.mkdirs(path(directory));
    fs.setStoragePolicy(path(directory), policy);
  }

  /**
   * Files of one directory.
   *
   * @param blocks of each file
   * @param blockBytes of each block
   */
  record Written(int count, int blocks, long blockBytes) {
    /** Files of {@link #BLOCKS} small blocks. */
    static Written small(int count) {
      return new Written(count, BLOCKS, BLOCK);
    }

    int replicas() {
      return count * blocks * REPLICAS;
    }
  }

  /** Small files in a new directory whose policy only then becomes another. */
  Run.Goal misplaced(int files, double limitSeconds) throws Exception {
    return misplaced(Written.small(files), limitSeconds);
  }

  /** The same with other files. */
  Run.Goal misplaced(Written files, double limitSeconds) throws Exception {
    String directory = "/misplaced-" + System.nanoTime();
    List<String> names = write(directory, files);
    fs.setStoragePolicy(path(directory), "ALL_SSD");
    return new Run.Goal(directory, names, "SSD", limitSeconds);
  }

  /** Writes files into a directory without a policy of its own and returns them. */
  List<String> write(String directory, Written files) throws Exception {
    fs.mkdirs(path(directory));
    List<String> names = new ArrayList<>();
    for (int i = 0; i < files.count; i++) {
      names.add(directory + "/file-" + i);
    }
    parallel(names, name -> writeFile(name, files.blocks * files.blockBytes, files.blockBytes));
    awaitReplicas(names);
    return names;
  }

  /** What is missing the NameNode would copy while the mover is timed, a few every 3 s. */
  private void awaitReplicas(List<String> files) throws IOException, InterruptedException {
    long start = System.nanoTime();
    for (View now = view(files, "DISK"); !now.replicated(); now = view(files, "DISK")) {
      if (System.nanoTime() - start > REPLICAS_LIMIT_NANOS) {
        throw new IllegalStateException("blocks lack replicas: " + now);
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
    }
  }

  /** Creates empty files until there are that many outside the directories written. */
  void fill(int files) throws Exception {
    List<String> names = new ArrayList<>();
    for (; filled < files; filled++) {
      names.add("/other/" + filled / FILES_PER_DIRECTORY + "/" + filled);
    }
    parallel(names, name -> writeFile(name, 0, BLOCK));
  }

  private void writeFile(String name, long bytes, long blockBytes) throws IOException {
    byte[] part = new byte[BLOCK];
    Arrays.fill(part, (byte) name.hashCode());
    try (FSDataOutputStream out = fs.create(path(name), false, BLOCK, REPLICAS, blockBytes)) {
      for (long written = 0; written < bytes; written += part.length) {
        out.write(part);
      }
    }
  }

  /** Deletes a directory whose bytes would fill the disk in the end. */
  void delete(String directory) throws IOException {
    fs.delete(path(directory), true);
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
      return NameNodeAdapter.getBlockLocations(hdfs.nameNode(), file, 0, Long.MAX_VALUE)
          .getLocatedBlocks();
    } catch (FileNotFoundException e) {
      return List.of();
    }
  }

  /** What this NameNode was asked so far. */
  Calls calls() {
    NameNodeRpcServer server = (NameNodeRpcServer) hdfs.nameNode().getRpcServer();
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
    fs.close();
    hdfs.close();
    Trees.delete(dir);
  }
}
