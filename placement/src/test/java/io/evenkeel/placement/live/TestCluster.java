package io.evenkeel.placement.live;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSNNTopology;
import org.apache.hadoop.hdfs.protocol.DatanodeAdminProperties;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.AdminStates;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeManager;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.util.CombinedHostsFileWriter;
import org.apache.hadoop.metrics2.AbstractMetric;
import org.apache.hadoop.metrics2.MetricsRecord;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.net.StaticMapping;
import org.apache.hadoop.util.Time;
import org.apache.hadoop.util.VersionInfo;

/** An HDFS whose DataNodes pretend to be VMs on hosts in racks. Confined to the test's thread. */
final class TestCluster implements AutoCloseable {
  private static final String NAME_SERVICE = "minidfs-ns";

  private static final List<String> NAME_NODES_ONLY =
      List.of(
          "dfs.ha.namenode.id",
          "dfs.nameservice.id",
          "dfs.namenode.rpc-address",
          "dfs.namenode.http-address");

  private final Shape shape;
  private final Path hostsFile;
  private final MiniDFSCluster mini;
  private final Map<String, Shape.Vm> vms = new HashMap<>();
  private final Map<String, AdminStates> states = new HashMap<>();
  private final DistributedFileSystem fs;

  TestCluster(Shape shape) throws Exception {
    this.shape = shape;
    Path base = Path.of(System.getProperty("test.build.data", "target/data")).toAbsolutePath();
    Path own = Files.createTempDirectory(Files.createDirectories(base), "live");
    hostsFile = own.resolve("hosts.json");
    Configuration conf = shape.configuration();
    conf.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, own.toString());
    conf.set("dfs.hosts", hostsFile.toString());
    writeHosts();
    StaticMapping.resetMap();
    MiniDFSCluster.Builder builder =
        new MiniDFSCluster.Builder(conf)
            .numDataNodes(shape.vms().size())
            .racks(shape.locations())
            .hosts(shape.hostNames())
            .storagesPerDatanode(shape.volumes())
            .storageTypes(shape.types());
    if (shape.capacities() != null) {
      builder.storageCapacities(shape.capacities());
    }
    if (shape.twoNameNodes()) {
      builder.nnTopology(MiniDFSNNTopology.simpleHATopology());
    }
    mini = builder.build();
    if (shape.twoNameNodes()) {
      mini.transitionToActive(0);
    }
    mini.waitActive();
    remember();
    fs = (DistributedFileSystem) FileSystem.newInstance(clientConf());
  }

  private void remember() {
    for (int i = 0; i < shape.vms().size(); i++) {
      vms.put(mini.getDataNodes().get(i).getDatanodeUuid(), shape.vms().get(i));
    }
  }

  /** Configuration of clients and tools on a machine with the site's files. */
  Configuration clientConf() {
    Configuration keys = new Configuration(mini.getConfiguration(0));
    // the Balancer would have that of an earlier test's NameNodes, by the name they share
    keys.setBoolean("fs.hdfs.impl.disable.cache", true);
    if (shape.twoNameNodes()) {
      keys.set("fs.defaultFS", "hdfs://" + NAME_SERVICE);
      keys.set(
          "dfs.client.failover.proxy.provider." + NAME_SERVICE,
          "org.apache.hadoop.hdfs.server.namenode.ha.ConfiguredFailoverProxyProvider");
      for (String own : NAME_NODES_ONLY) {
        keys.unset(own);
      }
      for (int i = 0; i < mini.getNumNameNodes(); i++) {
        String suffix = "." + NAME_SERVICE + ".nn" + (i + 1);
        NameNode nameNode = mini.getNameNode(i);
        keys.set("dfs.namenode.rpc-address" + suffix, address(nameNode.getNameNodeAddress()));
        keys.set("dfs.namenode.http-address" + suffix, address(nameNode.getHttpAddress()));
      }
    }
    return keys;
  }

  private static String address(InetSocketAddress address) {
    return "localhost:" + address.getPort();
  }

  /** The virtual machine of a DataNode moves to another host; the DataNode does not notice. */
  void move(int dataNode, String rack, String host) {
    StaticMapping.addNodeToRack(shape.hostNames()[dataNode], rack + "/" + host);
    vms.put(mini.getDataNodes().get(dataNode).getDatanodeUuid(), new Shape.Vm(rack, host));
  }

  URI uri() {
    return fs.getUri();
  }

  DistributedFileSystem fs() {
    return fs;
  }

  MiniDFSCluster mini() {
    return mini;
  }

  /**
   * Has every block looked at again, as an operator does: by fsck or, on Hadoop 3.0 and 3.1, whose
   * fsck does not know how, by a failover or a restart. Returns the number of the active NameNode.
   */
  int lookAgain(int active) throws Exception {
    if (!VersionInfo.getVersion().matches("3[.][01][.].*")) {
      Tools.fsck(clientConf(), "/", "-replicate");
      return active;
    }
    if (mini.getNumNameNodes() == 1) {
      mini.restartNameNode(active);
      return active;
    }
    mini.transitionToStandby(active);
    mini.transitionToActive(1 - active);
    return 1 - active;
  }

  String hostOf(DatanodeInfo node) {
    return vms.get(node.getDatanodeUuid()).host();
  }

  String rackOf(DatanodeInfo node) {
    return vms.get(node.getDatanodeUuid()).rack();
  }

  /** Where all blocks are now. */
  Survey survey() throws IOException {
    return new Survey(fs, "/", this);
  }

  /** Restarts the NameNode with keys changed; null removes one. */
  void restart(Map<String, String> keys) throws Exception {
    Configuration own = mini.getConfiguration(0);
    for (Map.Entry<String, String> key : keys.entrySet()) {
      if (key.getValue() == null) {
        own.unset(key.getKey());
      } else {
        own.set(key.getKey(), key.getValue());
      }
    }
    mini.restartNameNode(0, true);
  }

  /** Ends the DataNodes of a host; the NameNodes take them for dead a few seconds later. */
  void kill(String host) {
    for (DataNode node : new ArrayList<>(mini.getDataNodes())) {
      String uuid = node.getDatanodeUuid();
      if (vms.get(uuid).host().equals(host)) {
        mini.stopDataNode(mini.getDataNodes().indexOf(node));
        for (int i = 0; i < mini.getNumNameNodes(); i++) {
          DatanodeDescriptor seen = dataNodes(i).getDatanode(uuid);
          seen.setLastUpdateMonotonic(Time.monotonicNow() - 60_000);
        }
      }
    }
  }

  /** DataNodes whose replicas the first NameNode no longer counts. */
  int dead() {
    int count = 0;
    for (String uuid : vms.keySet()) {
      count += dataNodes(0).getDatanode(uuid).isAlive() ? 0 : 1;
    }
    return count;
  }

  private DatanodeManager dataNodes(int nameNode) {
    return mini.getNamesystem(nameNode).getBlockManager().getDatanodeManager();
  }

  /** Asks for a state of all DataNodes of a host, by the hosts file, of all NameNodes. */
  void admin(String host, AdminStates state) throws IOException {
    states.put(host, state);
    writeHosts();
    for (int i = 0; i < mini.getNumNameNodes(); i++) {
      dataNodes(i).refreshNodes(mini.getConfiguration(i));
    }
  }

  private void writeHosts() throws IOException {
    Set<DatanodeAdminProperties> all = new HashSet<>();
    for (DataNode node : mini == null ? List.<DataNode>of() : mini.getDataNodes()) {
      DatanodeAdminProperties entry = new DatanodeAdminProperties();
      entry.setHostName(node.getXferAddress().getAddress().getHostAddress());
      entry.setPort(node.getXferPort());
      String host = vms.get(node.getDatanodeUuid()).host();
      entry.setAdminState(states.getOrDefault(host, AdminStates.NORMAL));
      all.add(entry);
    }
    CombinedHostsFileWriter.writeFile(hostsFile.toString(), all);
  }

  /** Whether the active NameNode has all DataNodes of a host in a state. */
  boolean in(String host, AdminStates state) throws IOException {
    int found = 0;
    for (DatanodeInfo node : fs.getClient().datanodeReport(DatanodeReportType.ALL)) {
      if (hostOf(node).equals(host)) {
        found++;
        if (node.getAdminState() != state) {
          return false;
        }
      }
    }
    return found > 0;
  }

  /** Replicas that live DataNodes copied to others on the NameNode's request, ever. */
  long copies() {
    return sum("BlocksReplicated");
  }

  /** Replicas that the Balancer or Mover had moved between live DataNodes, or tried to, ever. */
  long moves() {
    return sum("ReplaceBlockOpNumOps");
  }

  private long sum(String counter) {
    long sum = 0;
    for (DataNode node : mini.getDataNodes()) {
      MetricsCollectorImpl collector = new MetricsCollectorImpl();
      DefaultMetricsSystem.instance()
          .getSource(node.getMetrics().name())
          .getMetrics(collector, true);
      MetricsRecord record = collector.getRecords().get(0);
      for (AbstractMetric metric : record.metrics()) {
        sum += metric.name().equals(counter) ? metric.value().longValue() : 0;
      }
    }
    return sum;
  }

  @Override
  public void close() throws IOException {
    fs.close();
    mini.shutdown(true);
  }
}
