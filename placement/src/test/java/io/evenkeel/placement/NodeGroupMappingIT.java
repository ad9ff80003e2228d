package io.evenkeel.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.common.config.ConfigException;
import io.evenkeel.common.testing.Await;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import javax.management.ObjectName;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.StartupOption;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A real NameNode that places DataNodes by the mapping. All run on the address 127.0.0.1. */
@Timeout(240)
class NodeGroupMappingIT {
  private final Configuration conf = new HdfsConfiguration();
  private Path own;
  private MiniDFSCluster cluster;

  @BeforeEach
  void configure() throws IOException {
    FakeSite.reset();
    Path base =
        Files.createDirectories(Paths.get(System.getProperty("test.build.data", "target/data")));
    own = Files.createTempDirectory(base.toAbsolutePath(), "mapping");
    conf.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, own.toString());
    conf.set("evenkeel.placement.mapping.wrapped", FakeSite.Cached.class.getName());
    conf.set("evenkeel.placement.mapping.recheck", "1s");
  }

  @AfterEach
  void stop() {
    if (cluster != null) {
      cluster.shutdown();
    }
  }

  /** MiniDFSCluster insists on a mapping of its own at first. */
  private void start() throws IOException {
    if (cluster == null) {
      cluster = new MiniDFSCluster.Builder(conf).numDataNodes(0).build();
    }
    cluster
        .getConfiguration(0)
        .set("net.topology.node.switch.mapping.impl", NodeGroupMapping.class.getName());
    cluster.restartNameNode(0, false);
  }

  private void startDataNode() throws IOException {
    cluster.startDataNodes(conf, 1, true, StartupOption.REGULAR, null);
  }

  private DatanodeInfo[] live() {
    return cluster
        .getNameNode()
        .getNamesystem()
        .getBlockManager()
        .getDatanodeManager()
        .getDatanodeListForReport(DatanodeReportType.LIVE)
        .toArray(new DatanodeInfo[0]);
  }

  @Test
  void isolate_unknownDataNode_isAHostOfItsOwn() throws Exception {
    start();
    startDataNode();
    cluster.waitActive();
    assertThat(live()).hasSize(1);
    assertThat(live()[0].getNetworkLocation()).isEqualTo("/default-rack/unknown-127.0.0.1");
    DistributedFileSystem fs = cluster.getFileSystem();
    try (FSDataOutputStream out = fs.create(new org.apache.hadoop.fs.Path("/f"), (short) 1)) {
      out.write(new byte[1000]);
    }
    ObjectName bean = new ObjectName(NodeGroupMapping.BEAN_NAME);
    assertThat(ManagementFactory.getPlatformMBeanServer().getAttribute(bean, "UnknownHosts"))
        .isEqualTo(new String[] {"127.0.0.1"});
  }

  @Test
  void fail_unknownDataNode_isRejectedUntilItIsMapped() throws Exception {
    conf.set("evenkeel.placement.mapping.unknown", "fail");
    conf.setBoolean(MappingConf.REJECT, true);
    FakeSite.TABLE.put("127.0.0.1", "/r1/n1");
    start();
    startDataNode();
    cluster.waitActive();
    assertThat(live()[0].getNetworkLocation()).isEqualTo("/r1/n1");

    FakeSite.TABLE.clear();
    NodeGroupMappingMXBean bean =
        javax.management.JMX.newMXBeanProxy(
            ManagementFactory.getPlatformMBeanServer(),
            new ObjectName(NodeGroupMapping.BEAN_NAME),
            NodeGroupMappingMXBean.class);
    bean.reload();
    long before = bean.getUnknown();
    startDataNode();
    Await.until("the DataNode is refused", () -> bean.getUnknown() > before);
    assertThat(live()).hasSize(1);

    // a writer whose address is unknown is served all the same
    DistributedFileSystem fs = cluster.getFileSystem();
    try (FSDataOutputStream out = fs.create(new org.apache.hadoop.fs.Path("/f"), (short) 1)) {
      out.write(new byte[1000]);
    }
    assertThat(fs.getFileStatus(new org.apache.hadoop.fs.Path("/f")).getLen()).isEqualTo(1000);

    // the DataNode tries again every five seconds
    FakeSite.TABLE.put("127.0.0.1", "/r2/n2");
    Await.until("the DataNode is accepted", () -> live().length == 2);
    assertThat(live()).extracting(DatanodeInfo::getNetworkLocation).contains("/r2/n2");
  }

  @Test
  void fail_hostsFileWithUnknownHost_nameNodeDoesNotStart() throws Exception {
    Path hosts = Files.writeString(own.resolve("hosts"), "127.0.0.1\n127.0.0.2\n");
    conf.set("evenkeel.placement.mapping.unknown", "fail");
    conf.set("evenkeel.placement.mapping.hosts", hosts.toString());
    conf.setBoolean(MappingConf.REJECT, true);
    FakeSite.TABLE.put("127.0.0.1", "/r1/n1");
    FakeSite.TABLE.put("127.0.0.2", "/r1/n2");
    start();
    cluster.waitActive();
    FakeSite.TABLE.remove("127.0.0.2");
    assertThatThrownBy(this::start)
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("127.0.0.2 -> /default-rack (unknown)");
    assertThat(cluster.getNameNode(0)).isNull();
  }
}
