package io.evenkeel.mover.mixed;

import io.evenkeel.mover.hdfs.MoverCluster;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSNNTopology;
import org.apache.hadoop.hdfs.protocol.DatanodeAdminProperties;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.AdminStates;
import org.apache.hadoop.hdfs.server.blockmanagement.CombinedHostFileManager;
import org.apache.hadoop.hdfs.server.blockmanagement.HostConfigManager;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.tools.DFSck;
import org.apache.hadoop.hdfs.util.CombinedHostsFileWriter;
import org.apache.hadoop.util.ToolRunner;

/**
 * An HDFS of two NameNodes and eight DataNodes in three racks, whose state a test may change. No
 * DataNode has all storage types, so a good share of the moves has to go to another one. Each type
 * is on five or six DataNodes, at most two of them in a rack: while one DataNode leaves and another
 * is dead, three are left for the replicas of a block, in two racks at least.
 */
final class MixedStand implements AutoCloseable {
  static final int BLOCK = MoverCluster.BLOCK;

  private static final StorageType[] DISK_SSD = {StorageType.DISK, StorageType.SSD};
  private static final StorageType[] DISK_ARCHIVE = {StorageType.DISK, StorageType.ARCHIVE};
  private static final StorageType[] SSD_ARCHIVE = {StorageType.SSD, StorageType.ARCHIVE};
  private static final StorageType[][] TYPES = {
    DISK_SSD, DISK_ARCHIVE, SSD_ARCHIVE, //
    DISK_SSD, DISK_ARCHIVE, SSD_ARCHIVE, //
    DISK_SSD, DISK_ARCHIVE
  };
  private static final String[] RACKS = {"/a", "/a", "/a", "/b", "/b", "/b", "/c", "/c"};
  private static final int DATA_NODES = TYPES.length;

  private static final String SERVICE = "minidfs-ns";
  private static final long MIB = 1 << 20;

  private final MiniDFSCluster mini;
  private final Path directory;
  private final Path admin;
  private final Configuration clientConf;
  private final Map<String, AdminStates> leaving = new TreeMap<>();
  private int active; // of the thread that makes the weather, until it has ended

  private MixedStand(MiniDFSCluster mini, Path directory, Path admin) {
    this.mini = mini;
    this.directory = directory;
    this.admin = admin;
    this.clientConf = clientConf(mini);
  }

  static MixedStand start(Path dir, Kind kind) throws Exception {
    Path admin = dir.resolve("hosts.json");
    CombinedHostsFileWriter.writeFile(admin.toString(), Set.of());
    Configuration conf = MoverCluster.conf(dir);
    conf.set("dfs.hosts", admin.toString());
    conf.setClass(
        "dfs.namenode.hosts.provider.classname",
        CombinedHostFileManager.class,
        HostConfigManager.class);
    configure(conf);
    long[][] capacities = new long[DATA_NODES][DISK_SSD.length];
    for (int i = 0; i < DATA_NODES; i++) {
      // of different size, so that the Balancer finds something to move
      Arrays.fill(capacities[i], (i % 2 == 0 ? 192 : 512) * MIB);
      int ssd = List.of(TYPES[i]).indexOf(StorageType.SSD);
      if (kind == Kind.FULL_TIER && ssd >= 0) {
        capacities[i][ssd] /= 4; // the filler has to write this
      }
    }
    Ports ports = new Ports();
    MiniDFSCluster mini =
        new MiniDFSCluster.Builder(conf)
            .nnTopology(topology(ports))
            .checkDataNodeAddrConfig(true)
            .dataNodeConfOverlays(dataNodes(ports))
            .numDataNodes(DATA_NODES)
            .racks(RACKS)
            .storagesPerDatanode(DISK_SSD.length)
            .storageTypes(TYPES)
            .storageCapacities(capacities)
            .build();
    mini.waitActive();
    mini.transitionToActive(0);
    return new MixedStand(mini, dir, admin);
  }

  /** With ports known before, so that the standby NameNode finds the other one to roll its log. */
  private static MiniDFSNNTopology topology(Ports ports) throws IOException {
    MiniDFSNNTopology.NSConf service = new MiniDFSNNTopology.NSConf(SERVICE);
    for (int i = 1; i <= 2; i++) {
      service.addNN(
          new MiniDFSNNTopology.NNConf("nn" + i)
              .setIpcPort(ports.next())
              .setHttpPort(ports.next()));
    }
    return new MiniDFSNNTopology().addNameservice(service);
  }

  private static Configuration[] dataNodes(Ports ports) throws IOException {
    Configuration[] overlays = new Configuration[DATA_NODES];
    for (int i = 0; i < DATA_NODES; i++) {
      overlays[i] = new Configuration(false);
      for (String address : new String[] {"address", "ipc.address", "http.address"}) {
        overlays[i].set("dfs.datanode." + address, "127.0.0.1:" + ports.next());
      }
    }
    return overlays;
  }

  private static void configure(Configuration conf) {
    conf.setBoolean("dfs.block.access.token.enable", true);
    conf.setInt("dfs.ha.tail-edits.period", 1);
    conf.setInt("dfs.ha.log-roll.period", 2);
    conf.setInt("dfs.namenode.heartbeat.recheck-interval", 4000);
    conf.setInt("dfs.namenode.reconstruction.pending.timeout-sec", 10);
    conf.setInt("dfs.namenode.decommission.interval", 1);
    conf.setInt("dfs.namenode.replication.max-streams", 20);
    conf.setInt("dfs.namenode.replication.max-streams-hard-limit", 40);
    conf.setInt("dfs.namenode.replication.work.multiplier.per.iteration", 20);
    conf.setBoolean("dfs.namenode.redundancy.considerLoad", false);
    // what a NameNode that became active may delete depends on full reports since then
    conf.setInt("dfs.blockreport.intervalMsec", 8000);
    conf.setInt("dfs.blockreport.initialDelay", 0);
    conf.setBoolean("dfs.client.block.write.replace-datanode-on-failure.best-effort", true);
    conf.setInt("dfs.client.failover.sleep.base.millis", 100);
    conf.setInt("dfs.client.failover.sleep.max.millis", 2000);
    conf.setInt("dfs.client.failover.max.attempts", 30);
    conf.setInt("dfs.balancer.getBlocks.min-block-size", 1);
    conf.setInt("dfs.balancer.max-no-move-interval", 10_000);
    conf.setInt("dfs.balancer.max-iteration-time", 15_000);
    conf.setBoolean("dfs.disk.balancer.enabled", false);
  }

  /** Configuration of clients and tools on a machine with the site's files. */
  Configuration clientConf() {
    return new Configuration(clientConf);
  }

  private static Configuration clientConf(MiniDFSCluster mini) {
    Configuration conf = new Configuration(mini.getConfiguration(0));
    conf.set("fs.defaultFS", "hdfs://" + SERVICE);
    conf.set(
        "dfs.client.failover.proxy.provider." + SERVICE,
        "org.apache.hadoop.hdfs.server.namenode.ha.ConfiguredFailoverProxyProvider");
    conf.unset("dfs.ha.namenode.id");
    conf.unset("dfs.nameservice.id");
    conf.unset("dfs.namenode.rpc-address");
    conf.unset("dfs.namenode.http-address");
    for (int i = 0; i < mini.getNumNameNodes(); i++) {
      String suffix = "." + SERVICE + ".nn" + (i + 1);
      NameNode nameNode = mini.getNameNode(i);
      conf.set("dfs.namenode.rpc-address" + suffix, address(nameNode.getNameNodeAddress()));
      conf.set("dfs.namenode.http-address" + suffix, address(nameNode.getHttpAddress()));
    }
    return conf;
  }

  private static String address(InetSocketAddress address) {
    return "localhost:" + address.getPort();
  }

  /** The configuration as a file, for processes. */
  Path site() throws IOException {
    Path site = directory.resolve("client-site.xml");
    try (OutputStream out = Files.newOutputStream(site)) {
      clientConf().writeXml(out);
    }
    return site;
  }

  Path directory() {
    return directory;
  }

  DistributedFileSystem newClient() throws IOException {
    return (DistributedFileSystem) FileSystem.newInstance(clientConf());
  }

  MiniDFSCluster mini() {
    return mini;
  }

  /** Those that run now; the list is the caller's. */
  List<DataNode> dataNodes() {
    synchronized (mini) { // as whoever stops or starts one
      return mini.getDataNodes();
    }
  }

  FSNamesystem activeNames() {
    return mini.getNamesystem(active);
  }

  /** The other NameNode becomes active in good order. */
  void failOver() throws IOException {
    mini.transitionToStandby(active);
    active = 1 - active;
    mini.transitionToActive(active);
  }

  /** The active NameNode ends, the other one takes over, and the first one comes back after it. */
  void loseNameNode() throws IOException {
    int lost = active;
    mini.shutdownNameNode(lost);
    active = 1 - lost;
    mini.transitionToActive(active);
    Worker.pause(2000);
    mini.restartNameNode(lost, false);
  }

  /** Whether both NameNodes know all DataNodes and work. */
  boolean isReady() {
    for (int i = 0; i < mini.getNumNameNodes(); i++) {
      FSNamesystem names = mini.getNamesystem(i);
      if (names == null || names.isInSafeMode() || names.getNumLiveDataNodes() < DATA_NODES) {
        return false;
      }
    }
    return true;
  }

  /** What a person has to know of NameNodes that are not ready. */
  String account() {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < mini.getNumNameNodes(); i++) {
      FSNamesystem names = mini.getNamesystem(i);
      text.append(i).append(i == active ? " active: " : " standby: ");
      text.append(
          names == null
              ? "not up; "
              : names.getNumLiveDataNodes() + " live, " + names.getSafemode() + "; ");
    }
    return text.toString();
  }

  /** Has the NameNodes bring a DataNode, by its address, to a state; in it, it has left. */
  void leave(String dataNode, AdminStates state) throws IOException {
    if (state == AdminStates.NORMAL) {
      leaving.remove(dataNode);
    } else {
      leaving.put(dataNode, state);
    }
    Set<DatanodeAdminProperties> all = new HashSet<>();
    for (Map.Entry<String, AdminStates> each : leaving.entrySet()) {
      String[] address = each.getKey().split(":");
      DatanodeAdminProperties properties = new DatanodeAdminProperties();
      properties.setHostName(address[0]);
      properties.setPort(Integer.parseInt(address[1]));
      properties.setAdminState(each.getValue());
      properties.setMaintenanceExpireTimeInMS(Long.MAX_VALUE);
      all.add(properties);
    }
    CombinedHostsFileWriter.writeFile(admin.toString(), all);
    for (int i = 0; i < mini.getNumNameNodes(); i++) {
      mini.getNamesystem(i)
          .getBlockManager()
          .getDatanodeManager()
          .refreshNodes(mini.getConfiguration(i));
    }
  }

  /** Whether a DataNode is in a state that it was to be brought to. */
  boolean hasLeft(String dataNode, AdminStates state) {
    String[] address = dataNode.split(":");
    return activeNames()
            .getBlockManager()
            .getDatanodeManager()
            .getDatanodeByXferAddr(address[0], Integer.parseInt(address[1]))
            .getAdminState()
        == state;
  }

  /** What {@code hdfs fsck} prints. */
  String fsck(String... arguments) throws Exception {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    try (PrintStream out = new PrintStream(text, true, StandardCharsets.UTF_8)) {
      ToolRunner.run(new DFSck(clientConf(), out), arguments);
    }
    return text.toString(StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    mini.shutdown();
  }
}
