package io.evenkeel.bench.trial;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.Method;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.io.IOUtils;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.util.ExitUtil;

/**
 * A NameNode and DataNodes in this JVM, in a directory and on loopback ports of their own. Does
 * without MiniDFSCluster, whose jar an installed Hadoop need not have. It knows what was written
 * through it, so that all of it can be read again. Only {@link #write}, {@link #read} and {@link
 * #delete} may be called by several threads.
 */
final class Hdfs implements AutoCloseable {
  static final int BLOCK = 64 * 1024;

  private final Path dir;
  private final String[] storageTypes;
  private final Configuration base = new HdfsConfiguration();
  private final DataNode[] dataNodes;
  private final Map<String, Integer> written = new ConcurrentSkipListMap<>();

  /** First names of files that were renamed. */
  private final Map<String, String> firstNames = new ConcurrentSkipListMap<>();

  private NameNode nameNode;
  private DistributedFileSystem fs;

  /**
   * Plans one.
   *
   * @param dir absent or empty
   * @param locations the place in the topology of each DataNode, from 0
   * @param storageTypes of the volumes of every DataNode
   */
  Hdfs(Path dir, int dataNodes, IntFunction<String> locations, String... storageTypes)
      throws IOException {
    this.dir = Files.createDirectories(dir).toRealPath();
    this.storageTypes = storageTypes.clone();
    this.dataNodes = new DataNode[dataNodes];
    DefaultMetricsSystem.setMiniClusterMode(true); // several DataNodes in a JVM
    ExitUtil.disableSystemExit();
    set("hadoop.tmp.dir", this.dir.resolve("tmp").toString());
    set("dfs.namenode.name.dir", this.dir.resolve("name").toUri().toString());
    set("dfs.namenode.edits.dir", this.dir.resolve("name").toUri().toString());
    set("hadoop.security.authentication", "simple");
    set("dfs.namenode.http-address", "127.0.0.1:0");
    set("dfs.blocksize", String.valueOf(BLOCK));
    set("dfs.namenode.fs-limits.min-block-size", "512");
    set("dfs.bytes-per-checksum", "512");
    set("dfs.heartbeat.interval", "1");
    set("dfs.namenode.decommission.interval", "1");
    set("dfs.namenode.heartbeat.recheck-interval", "500"); // dead after 11 s
    set("dfs.namenode.replication.interval", "1");
    set("dfs.namenode.replication.pending.timeout-sec", "10"); // a DataNode may refuse one
    set("dfs.namenode.safemode.extension", "0");
    set("dfs.namenode.datanode.registration.ip-hostname-check", "false");
    set("dfs.namenode.avoid.write.stale.datanode", "true");
    set("dfs.namenode.stale.datanode.interval", "3000");
    set("dfs.hosts.exclude", Files.createFile(this.dir.resolve("exclude")).toString());
    set("dfs.datanode.data.dir.perm", "755");
    set("dfs.datanode.du.reserved", "0");
    set("dfs.permissions.enabled", "false");
    set("net.topology.node.switch.mapping.impl", Topology.class.getName());
    set("fs.hdfs.impl.disable.cache", "true");
    StringBuilder topology = new StringBuilder();
    for (int i = 0; i < dataNodes; i++) {
      topology.append(host(i)).append('=').append(locations.apply(i)).append(' ');
    }
    set(Topology.KEY, topology.toString());
  }

  private static String host(int dataNode) {
    return "vm" + dataNode + ".example.org";
  }

  /** Sets a key for the next start of a daemon. */
  void set(String key, String value) {
    base.set(key, value);
  }

  /** Takes a key away, so that the next start has Hadoop's default. */
  void unset(String key) {
    base.unset(key);
  }

  /** The configuration of a client. */
  Configuration conf() {
    return new Configuration(base);
  }

  /** Formats the NameNode and starts everything. */
  void create() throws Exception {
    set("dfs.namenode.rpc-address", "127.0.0.1:0");
    set("fs.defaultFS", "hdfs://127.0.0.1:0");
    NameNode.format(conf());
    start();
  }

  /** Starts everything on the directories as they are, and waits until all blocks are reported. */
  void start() throws Exception {
    set("dfs.namenode.rpc-address", "127.0.0.1:0");
    set("fs.defaultFS", "hdfs://127.0.0.1:0");
    nameNode = NameNode.createNameNode(new String[0], conf());
    InetSocketAddress at = nameNode.getNameNodeAddress();
    set("dfs.namenode.rpc-address", "127.0.0.1:" + at.getPort());
    set("fs.defaultFS", "hdfs://127.0.0.1:" + at.getPort());
    fs = client();
    for (int i = 0; i < dataNodes.length; i++) {
      startDataNode(i);
    }
    Await.until(60, "the NameNode stays in safe mode", () -> !nameNode.isInSafeMode());
  }

  /** Starts one DataNode on its directories and waits until it has registered. */
  void startDataNode(int number) throws Exception {
    Configuration conf = conf();
    List<String> volumes = new ArrayList<>();
    for (Path volume : volumes(number)) {
      volumes.add(volume(number, volume));
    }
    conf.set("dfs.datanode.data.dir", String.join(",", volumes));
    conf.set("dfs.datanode.hostname", host(number));
    for (String key : new String[] {"address", "http.address", "ipc.address"}) {
      conf.set("dfs.datanode." + key, "127.0.0.1:0");
    }
    dataNodes[number] = DataNode.instantiateDataNode(new String[0], conf);
    dataNodes[number].runDatanodeDaemon();
    int port = dataNodes[number].getXferPort(); // a new one at each start
    Await.until(60, "the NameNode does not list DataNode " + number, () -> isLive(port));
  }

  private boolean isLive(int port) throws IOException {
    return Arrays.stream(fs.getDataNodeStats(DatanodeReportType.LIVE))
        .anyMatch(each -> each.getXferPort() == port);
  }

  /** A volume as a DataNode's configuration names it. */
  String volume(int number, Path volume) {
    return "[" + storageTypes[volumes(number).indexOf(volume)] + "]" + volume.toUri();
  }

  /** The directories of a DataNode's volumes, in the order of their types. */
  List<Path> volumes(int number) {
    List<Path> volumes = new ArrayList<>();
    for (int i = 0; i < storageTypes.length; i++) {
      volumes.add(dir.resolve("data" + number).resolve("volume" + i));
    }
    return volumes;
  }

  /** Has a DataNode use these volumes from now on, without a restart. */
  void reconfigureVolumes(int number, List<Path> volumes) throws Exception {
    List<String> entries = new ArrayList<>();
    for (Path volume : volumes) {
      entries.add(volume(number, volume));
    }
    // What DFSAdmin's -reconfig leads to. reconfigureProperty, which is public, locks the
    // configuration that a volume to be added reads in another thread.
    Method reconfigure =
        DataNode.class.getDeclaredMethod("reconfigurePropertyImpl", String.class, String.class);
    reconfigure.setAccessible(true);
    reconfigure.invoke(dataNodes[number], "dfs.datanode.data.dir", String.join(",", entries));
  }

  /** Stops one DataNode; the NameNode hears nothing of it. */
  void stopDataNode(int number) {
    DataNode stopped = dataNodes[number];
    dataNodes[number] = null;
    if (stopped != null) {
      stopped.shutdown();
    }
  }

  /** A DataNode that runs. */
  DataNode dataNode(int number) {
    return dataNodes[number];
  }

  /** Decommissions these DataNodes and no other. */
  void decommission(int... numbers) throws IOException {
    List<String> excluded = new ArrayList<>();
    for (int each : numbers) {
      excluded.add("127.0.0.1:" + dataNodes[each].getXferPort());
    }
    Files.write(dir.resolve("exclude"), excluded);
    // DFSAdmin's -refreshNodes would read the file's name from the class path
    nameNode.getNamesystem().getBlockManager().getDatanodeManager().refreshNodes(conf());
  }

  /** Stops everything. */
  void stop() throws IOException {
    IOUtils.closeStream(fs);
    for (int i = 0; i < dataNodes.length; i++) {
      stopDataNode(i);
    }
    if (nameNode != null) {
      nameNode.stop();
      nameNode.join();
      nameNode = null;
    }
  }

  @Override
  public void close() throws IOException {
    stop();
  }

  DistributedFileSystem fs() {
    return fs;
  }

  /** Another client, to be closed by the caller. */
  DistributedFileSystem client() throws IOException {
    return (DistributedFileSystem) FileSystem.newInstance(uri(), conf());
  }

  URI uri() {
    return URI.create(base.get("fs.defaultFS"));
  }

  static org.apache.hadoop.fs.Path path(String name) {
    return new org.apache.hadoop.fs.Path(name);
  }

  /** Writes a file whose content follows from its name. */
  void write(String name, int bytes, int replication) throws IOException {
    try (OutputStream out = fs.create(path(name), (short) replication)) {
      out.write(content(name, bytes));
    }
    wrote(name, bytes);
  }

  /** Notes what was written by other means than {@link #write}. */
  void wrote(String name, int bytes) {
    written.put(name, bytes);
  }

  void delete(String name) throws IOException {
    written.remove(name);
    Check.that(fs.delete(path(name), false), name + " is not deleted");
  }

  /** Renames what was written. */
  void renamed(String from, String to) {
    firstNames.put(to, firstNames.getOrDefault(from, from));
    written.put(to, written.remove(from));
  }

  /** What a file of that name holds. */
  byte[] content(String name, int bytes) {
    byte[] data = new byte[bytes];
    new Random(firstNames.getOrDefault(name, name).hashCode()).nextBytes(data);
    return data;
  }

  /** Reads a file and compares. */
  void read(String name) throws IOException {
    int bytes = written.get(name);
    byte[] read = new byte[bytes];
    try (InputStream in = fs.open(path(name))) {
      IOUtils.readFully(in, read, 0, bytes);
      Check.that(in.read() == -1, name + " is longer than " + bytes + " bytes");
    }
    Check.that(Arrays.equals(read, content(name, bytes)), name + " reads other bytes");
  }

  /** Reads all files that were written and not deleted. */
  void readAll() throws IOException {
    for (String name : written.keySet()) {
      read(name);
    }
  }

  /** The names of the files that were written and not deleted. */
  List<String> names() {
    return new ArrayList<>(written.keySet());
  }

  /** The blocks of a file. */
  List<BlockLocation> blocks(String name) throws IOException {
    FileStatus file = fs.getFileStatus(path(name));
    return Arrays.asList(fs.getFileBlockLocations(file, 0, file.getLen()));
  }

  /** Waits until every block of these files has as many reported replicas. */
  void awaitReplicas(int seconds, int replicas, List<String> names) throws Exception {
    awaitReplicas(seconds, names, count -> count == replicas);
  }

  /**
   * Waits until every block has at least so many. Where a volume comes back, the NameNode may keep
   * one more until its next full report, hours later: it deletes none while it takes a volume for
   * stale, which it does when the volume's first report comes before a heartbeat.
   */
  void awaitEnoughReplicas(int seconds, int replicas, List<String> names) throws Exception {
    awaitReplicas(seconds, names, count -> count >= replicas);
  }

  private void awaitReplicas(int seconds, List<String> names, IntPredicate right) throws Exception {
    for (String name : names) {
      Await.until(
          seconds,
          name + " does not have its replicas",
          () -> blocks(name).stream().allMatch(block -> right.test(hosts(block))));
    }
  }

  private static int hosts(BlockLocation block) {
    try {
      return block.getNames().length;
    } catch (IOException e) {
      return 0;
    }
  }

  /** The only block pool. */
  String blockPool() {
    return nameNode.getNamesystem().getBlockPoolId();
  }

  /** Blocks with a file of a finalized replica on the volumes of a DataNode. */
  Set<Long> finalized(int number) throws IOException {
    Set<Long> ids = new TreeSet<>();
    for (Path volume : volumes(number)) {
      Path pool = volume.resolve("current").resolve(blockPool()).resolve("current/finalized");
      try (Stream<Path> files = Files.walk(pool)) {
        files
            .map(file -> String.valueOf(file.getFileName()))
            .filter(name -> name.matches("blk_\\d+"))
            .forEach(name -> ids.add(Long.valueOf(name.substring("blk_".length()))));
      }
    }
    return ids;
  }

  /** Block files in each volume of a DataNode, from the directories themselves. */
  List<Long> blockFiles(int number, String type) throws IOException {
    List<Long> counts = new ArrayList<>();
    List<Path> volumes = volumes(number);
    for (int i = 0; i < volumes.size(); i++) {
      if (storageTypes[i].equals(type)) {
        counts.add(blockFiles(volumes.get(i)));
      }
    }
    Collections.sort(counts);
    return counts;
  }

  /** Block files of all DataNodes. */
  long blockFiles() throws IOException {
    long count = 0;
    for (int i = 0; i < dataNodes.length; i++) {
      count += blockFiles(dir.resolve("data" + i));
    }
    return count;
  }

  /** Block files below a directory; none where it is not there. */
  static long blockFiles(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      return 0;
    }
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(f -> String.valueOf(f.getFileName()).matches("blk_\\d+")).count();
    }
  }
}
