package io.evenkeel.bench.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.testing.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * DataNode processes with DISK and SSD, files to move, and movers as processes. Three DataNodes
 * with both types, where every move stays inside its DataNode, or three with DISK and three with
 * SSD, where every move goes to another one.
 */
final class MoverTestCluster implements AutoCloseable {
  static final int BLOCK = 64 << 10;
  static final int REPLICATION = 3;

  private final PluginCluster plugin;
  private final MoverProcesses movers;
  private final DistributedFileSystem fs;
  private final Types types;

  private MoverTestCluster(
      PluginCluster plugin, MoverProcesses movers, DistributedFileSystem fs, Types types) {
    this.plugin = plugin;
    this.types = types;
    this.movers = movers;
    this.fs = fs;
  }

  /**
   * Starts the cluster.
   *
   * @param outputs where the movers print to
   */
  static MoverTestCluster start(String hadoop, Path outputs) throws IOException {
    return start(hadoop, outputs, List.of());
  }

  /**
   * Starts the cluster.
   *
   * @param outputs where the movers print to
   * @param more settings, as {@code key=value}
   */
  static MoverTestCluster start(String hadoop, Path outputs, List<String> more) throws IOException {
    return start(hadoop, outputs, settings(more), Types.TOGETHER);
  }

  private static List<String> settings(List<String> more) {
    List<String> conf =
        new ArrayList<>(
            List.of(
                "dfs.namenode.fs-limits.min-block-size=1024",
                "dfs.namenode.redundancy.considerLoad=false",
                "dfs.blocksize=" + BLOCK));
    conf.addAll(more);
    return conf;
  }

  /** Which DataNodes have which storage types. */
  enum Types {
    /** Three DataNodes with DISK and SSD each. */
    TOGETHER(REPLICATION),
    /** Three DataNodes with DISK and three others with SSD. */
    APART(2 * REPLICATION);

    private final int dataNodes;

    Types(int dataNodes) {
      this.dataNodes = dataNodes;
    }
  }

  /** Starts the cluster. */
  static MoverTestCluster start(String hadoop, Path outputs, Types types) throws IOException {
    return start(hadoop, outputs, settings(List.of()), types);
  }

  private static MoverTestCluster start(String hadoop, Path outputs, List<String> conf, Types types)
      throws IOException {
    PluginCluster plugin = new PluginCluster("mover", Map.of());
    try {
      plugin
          .cluster()
          .start(
              new ClusterRequest()
                  .layout(1, types.dataNodes, 1)
                  .hadoop(hadoop)
                  .plugins(false)
                  .replication(REPLICATION)
                  .conf(conf)
                  .timeout(Duration.ofMinutes(4)),
              line -> {});
      if (types == Types.APART) {
        takeApart(plugin);
      }
      DistributedFileSystem fs = (DistributedFileSystem) plugin.client();
      Path dir = plugin.cluster().directory();
      return new MoverTestCluster(
          plugin, new MoverProcesses(dir, plugin.jar(), outputs), fs, types);
    } catch (IOException | RuntimeException e) {
      plugin.close();
      throw e;
    }
  }

  /** Starts the DataNodes anew, still empty, the first half with DISK and the others with SSD. */
  private static void takeApart(PluginCluster plugin) throws IOException {
    String all = "host1"; // a layout of one host
    plugin.cluster().kill(all);
    String key = "dfs.datanode.data.dir";
    for (int i = 1; i <= Types.APART.dataNodes; i++) {
      String node = "dn" + i;
      String[] both = plugin.conf(node).getStrings(key);
      plugin.set(node, key, both[i <= REPLICATION ? 0 : 1]);
    }
    plugin.cluster().revive(all);
  }

  DistributedFileSystem fs() {
    return fs;
  }

  MoverProcesses movers() {
    return movers;
  }

  Cluster processes() {
    return plugin.cluster();
  }

  /** Lets a mover tell what it does on standard error. */
  String verboseLog() {
    return "-Dlog4j.configuration=file:"
        + plugin.cluster().directory().resolve("nodes/dn1/conf/log4j.properties");
  }

  static org.apache.hadoop.fs.Path path(String name) {
    return new org.apache.hadoop.fs.Path(name);
  }

  /** Writes a file of random bytes that follow from its last name; replicas are on DISK. */
  void write(String name, int blocks) throws IOException {
    writeOnly(name, blocks);
    awaitReplicas(name);
  }

  /** Writes a file and gives it a policy. */
  void write(String name, int blocks, String policy) throws IOException {
    write(name, blocks);
    fs.setStoragePolicy(path(name), policy);
  }

  /** Writes files f0, f1, ... of a directory. */
  void writeAll(String dir, int files, int blocks) throws IOException {
    ExecutorService writers = Executors.newFixedThreadPool(8);
    try {
      List<Callable<Void>> writes = new ArrayList<>();
      for (int i = 0; i < files; i++) {
        String name = dir + "/f" + i;
        writes.add(
            () -> {
              writeOnly(name, blocks);
              return null;
            });
      }
      for (Future<Void> write : writers.invokeAll(writes)) {
        write.get();
      }
    } catch (InterruptedException | ExecutionException e) {
      throw new IOException(e);
    } finally {
      writers.shutdownNow();
    }
    awaitReplicas(dir);
  }

  private void writeOnly(String name, int blocks) throws IOException {
    try (var out = fs.create(path(name), true, 4096, (short) REPLICATION, BLOCK)) {
      out.write(content(name, blocks));
    }
  }

  /** A file can be closed when the NameNode knows of one replica of each block. */
  private void awaitReplicas(String name) {
    boolean known = Processes.await(Duration.ofMinutes(1), () -> view(name).exact());
    assertThat(known).as("all replicas of %s: %s", name, view(name)).isTrue();
  }

  /** Makes a directory with a policy. */
  void mkdirs(String dir, String policy) throws IOException {
    fs.mkdirs(path(dir));
    fs.setStoragePolicy(path(dir), policy);
  }

  private static byte[] content(String name, int blocks) {
    byte[] data = new byte[blocks * BLOCK];
    new Random(path(name).getName().hashCode()).nextBytes(data);
    return data;
  }

  /** Files f0, f1, ... of a directory that are not what was written. */
  List<String> changed(String dir, int files, int blocks) throws IOException {
    List<String> changed = new ArrayList<>();
    for (int i = 0; i < files; i++) {
      String name = dir + "/f" + i;
      try (var in = fs.open(path(name))) {
        if (!Arrays.equals(in.readAllBytes(), content(name, blocks))) {
          changed.add(name);
        }
      }
    }
    return changed;
  }

  /**
   * What the NameNode says of the replicas of a file, or of the files right below a directory.
   *
   * @param exact whether every block has as many as it should
   */
  record View(int replicas, int ssd, boolean exact) {}

  View view(String name) {
    int replicas = 0;
    int ssd = 0;
    boolean exact = true;
    try {
      RemoteIterator<LocatedFileStatus> files = fs.listLocatedStatus(path(name));
      while (files.hasNext()) {
        for (BlockLocation block : files.next().getBlockLocations()) {
          StorageType[] types = block.getStorageTypes();
          replicas += types.length;
          ssd += (int) Arrays.stream(types).filter(t -> t == StorageType.SSD).count();
          exact &= types.length == REPLICATION;
        }
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    return new View(replicas, ssd, exact);
  }

  /** How many replicas each DataNode and storage type has of them, in the NameNode's view. */
  Map<String, Integer> shares(String name) throws IOException {
    Map<String, Integer> shares = new TreeMap<>();
    RemoteIterator<LocatedFileStatus> files = fs.listLocatedStatus(path(name));
    while (files.hasNext()) {
      for (BlockLocation block : files.next().getBlockLocations()) {
        for (int i = 0; i < block.getNames().length; i++) {
          shares.merge(block.getNames()[i] + " " + block.getStorageTypes()[i], 1, Integer::sum);
        }
      }
    }
    return shares;
  }

  /** Keeps the logs of all processes below a directory, for who looks for a cause. */
  Path keepLogs(Path directory) throws IOException {
    Path nodes = plugin.cluster().directory().resolve("nodes");
    Path kept = Files.createTempDirectory(Files.createDirectories(directory), "logs");
    try (Stream<Path> all = Files.walk(nodes, 2)) {
      for (Path log : all.filter(f -> f.toString().endsWith(".log")).toList()) {
        Files.copy(log, kept.resolve(log.getFileName()));
      }
    }
    return kept;
  }

  /** Lets a process neither answer nor end, or go on. */
  void hold(String node, boolean held) throws IOException, InterruptedException {
    for (ClusterStatus.Row row : processes().status().rows()) {
      if (row.member().name().equals(node)) {
        String pid = Long.toString(row.member().pid());
        int code = new ProcessBuilder("kill", held ? "-STOP" : "-CONT", pid).start().waitFor();
        assertThat(code).as("kill of %s", node).isZero();
      }
    }
  }

  /** Finalized replicas on the disks of all DataNodes, whatever the NameNode knows of them. */
  long replicasOnDisk() {
    long count = 0;
    for (int i = 1; i <= types.dataNodes; i++) {
      Path data = plugin.cluster().directory().resolve("nodes/dn" + i + "/data");
      try (Stream<Path> all = Files.walk(data)) {
        count +=
            all.filter(f -> f.toString().contains("/finalized/"))
                .filter(f -> f.getFileName().toString().matches("blk_\\d+"))
                .count();
      } catch (IOException | java.io.UncheckedIOException e) {
        return -1; // a file went while we looked
      }
    }
    return count;
  }

  /** Waits, and says how many seconds that took. */
  static double await(String what, Duration limit, BooleanSupplier condition) throws Exception {
    long start = System.nanoTime();
    Await.until(what, limit, condition::getAsBoolean, () -> "nothing more is known");
    return (System.nanoTime() - start) / 1e9;
  }

  @Override
  public void close() throws IOException {
    movers.close();
    fs.close();
    plugin.close();
  }
}
