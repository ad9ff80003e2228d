package io.evenkeel.bench.embedded;

import io.evenkeel.bench.runtime.Layout.Vm;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.tools.DFSck;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.net.NetUtils;

/**
 * One NameNode and one DataNode per VM in this JVM, each DataNode with its own name, address and
 * volumes. Started by the constructor; confined to one thread except for the getters.
 */
public final class EmbeddedHdfs implements AutoCloseable {
  /** Names and addresses to locations, in place of those of the plan. */
  public static final String NODE_MAPPING = "hadoop.configured.node.mapping";

  private static final long START_LIMIT_MILLIS = 90_000;

  private final Path dir;
  private final HostPlan plan;
  private final Function<Vm, List<String>> storages;
  private final Configuration conf;
  private final Map<Vm, DataNode> dataNodes = new LinkedHashMap<>();
  private NameNode nameNode;

  /** Starts a cluster whose DataNodes all have volumes of these storage types. */
  public EmbeddedHdfs(Path dir, HostPlan plan, List<String> storages, Map<String, String> settings)
      throws IOException, InterruptedException {
    this(dir, plan, vm -> storages, settings);
  }

  /**
   * Starts a cluster.
   *
   * @param dir directory that receives all of its files
   * @param storages storage types of the volumes of each DataNode, in order
   * @param settings more than {@link EmbeddedSettings#hdfs}, or in its place
   */
  public EmbeddedHdfs(
      Path dir, HostPlan plan, Function<Vm, List<String>> storages, Map<String, String> settings)
      throws IOException, InterruptedException {
    DefaultMetricsSystem.setMiniClusterMode(true); // many daemons register the same names
    this.dir = dir;
    this.plan = plan;
    this.storages = storages;
    this.conf = new HdfsConfiguration();
    EmbeddedSettings.hdfs(plan, dir).forEach(conf::set);
    settings.forEach(conf::set);
    boolean started = false;
    try {
      startNameNode();
      for (Vm vm : plan.vms()) {
        startDataNode(vm);
      }
      awaitDataNodes();
      started = true;
    } finally {
      if (!started) {
        close();
      }
    }
  }

  private void startNameNode() throws IOException {
    conf.set("fs.defaultFS", "hdfs://localhost:0");
    conf.set("dfs.namenode.http-address", "localhost:0");
    conf.set("dfs.namenode.name.dir", dir.resolve("name").toUri().toString());
    Configuration formatting = new Configuration(conf);
    formatting.setBoolean("dfs.namenode.support.allow.format", true);
    NameNode.format(formatting);
    nameNode = NameNode.createNameNode(new String[0], conf);
    conf.set("fs.defaultFS", "hdfs://localhost:" + nameNode.getNameNodeAddress().getPort());
    conf.set("dfs.namenode.http-address", NetUtils.getHostPortString(nameNode.getHttpAddress()));
  }

  private void startDataNode(Vm vm) throws IOException {
    Configuration own = new HdfsConfiguration(conf);
    own.setIfUnset("dfs.datanode.hostname", vm.name());
    for (String key : List.of("address", "http.address", "ipc.address")) {
      own.set("dfs.datanode." + key, plan.address(vm) + ":0");
    }
    if (plan.ownAddresses()) {
      EmbeddedSettings.boundTo(vm.address()).forEach(own::set);
    }
    List<String> dirs = new ArrayList<>();
    for (int i = 0; i < storages.apply(vm).size(); i++) {
      Files.createDirectories(volumeDir(vm, i));
      dirs.add(location(vm, i));
    }
    own.set("dfs.datanode.data.dir", String.join(",", dirs));
    dataNodes.put(vm, DataNode.createDataNode(new String[0], own));
  }

  /** Directory of a DataNode's volume, by its index in the list of storages. */
  public Path volumeDir(Vm vm, int index) {
    String type = storages.apply(vm).get(index).toLowerCase(Locale.ROOT);
    return dir.resolve(vm.name()).resolve(type + index);
  }

  /** The same with its storage type, as {@code dfs.datanode.data.dir} names it. */
  public String location(Vm vm, int index) {
    return "[" + storages.apply(vm).get(index) + "]" + volumeDir(vm, index).toUri();
  }

  private void awaitDataNodes() throws IOException, InterruptedException {
    try (DistributedFileSystem fs = fileSystem()) {
      awaitRegistered(
          "DataNodes with a NameNode out of safe mode",
          plan.vms().size(),
          () -> nameNode.getNamesystem().isInSafeMode() ? 0 : fs.getDataNodeStats().length);
    }
  }

  /** How many daemons have registered. */
  interface Registered {
    int count() throws IOException;
  }

  /** Waits until so many daemons have registered. */
  static void awaitRegistered(String daemons, int wanted, Registered registered)
      throws IOException, InterruptedException {
    long deadline = System.nanoTime() + START_LIMIT_MILLIS * 1_000_000;
    for (int count = registered.count(); count < wanted; count = registered.count()) {
      if (System.nanoTime() > deadline) {
        String missing = count + " of " + wanted + " " + daemons + " registered in ";
        throw new IOException(missing + START_LIMIT_MILLIS / 1000 + " s");
      }
      Thread.sleep(100);
    }
  }

  /** A client of its own; the caller closes it. */
  public DistributedFileSystem fileSystem() throws IOException {
    return (DistributedFileSystem)
        FileSystem.newInstance(FileSystem.getDefaultUri(conf), new Configuration(conf));
  }

  /** Configuration for clients of this HDFS; a copy. */
  public Configuration clientConf() {
    return new Configuration(conf);
  }

  /** The NameNode. */
  public NameNode nameNode() {
    return nameNode;
  }

  /** The DataNodes, by VM. */
  public Map<Vm, DataNode> dataNodes() {
    return dataNodes;
  }

  /** Its machines. */
  public HostPlan plan() {
    return plan;
  }

  /** The verdict of Hadoop's own fsck on the whole tree: HEALTHY, CORRUPT or what it printed. */
  public String fsck() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8)) {
      Configuration fsckConf = new Configuration(conf);
      new DFSck(fsckConf, out).run(new String[] {"/"});
    } catch (IOException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException("fsck could not run", e);
    }
    String text = bytes.toString(StandardCharsets.UTF_8);
    return text.contains("is HEALTHY") ? "HEALTHY" : text.contains("CORRUPT") ? "CORRUPT" : "?";
  }

  @Override
  public void close() {
    dataNodes.values().forEach(DataNode::shutdown);
    dataNodes.clear();
    if (nameNode != null) {
      nameNode.stop();
      nameNode.join();
    }
  }
}
