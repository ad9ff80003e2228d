package io.evenkeel.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.evenkeel.common.plugin.PluginMXBean;
import io.evenkeel.common.testing.Await;
import io.evenkeel.common.testing.LogLines;
import io.evenkeel.placement.namenode.NameNodePlacement;
import io.evenkeel.placement.namenode.PlacementConf;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import javax.management.JMX;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.net.DFSNetworkTopology;
import org.apache.hadoop.hdfs.protocol.BlockType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicies;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicyDefault;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.PlacementTesting;
import org.apache.hadoop.net.NetworkTopology;
import org.apache.hadoop.net.NetworkTopologyWithNodeGroup;
import org.apache.hadoop.net.Node;
import org.apache.hadoop.util.VersionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Where the policy starts, where it refuses to and what it says; stock's start beside it. */
class PolicyStartTest {
  private static final String NODE_GROUPS = NetworkTopologyWithNodeGroup.class.getName();
  private static final String TOPOLOGY = "net.topology.impl";
  private static final String USE_DFS = "dfs.use.dfs.network.topology";
  private static final String HOST_KEY = "evenkeel.placement.host-key";
  private static final String MAPPING = "net.topology.node.switch.mapping.impl";
  private static final String EMIT = "evenkeel.placement.mapping.emit";

  /** A topology of somebody else. */
  public static final class Foreign extends NetworkTopologyOfOthers {}

  /** Its base class. */
  public abstract static class NetworkTopologyOfOthers extends NetworkTopology {}

  private static Configuration conf(String... keysAndValues) {
    Configuration conf = new Configuration(false);
    for (int i = 0; i < keysAndValues.length; i += 2) {
      conf.set(keysAndValues[i], keysAndValues[i + 1]);
    }
    return conf;
  }

  private static UniformBlockPlacementPolicy inNameNode(Configuration conf, NetworkTopology t) {
    return PlacementTesting.start(
        new UniformBlockPlacementPolicy(), conf, TestCluster.flat().stats(), t, null);
  }

  private static UniformBlockPlacementPolicy inTool(Configuration conf, NetworkTopology t) {
    return PlacementTesting.start(new UniformBlockPlacementPolicy(), conf, null, t, null);
  }

  private static NetworkTopology dfs() {
    return DFSNetworkTopology.getInstance(new Configuration(false));
  }

  private static NetworkTopology nodeGroups() {
    return TestCluster.withNodeGroups().topology;
  }

  private static void refused(Configuration conf, NetworkTopology topology, String... parts) {
    try (LogLines log = LogLines.of(PlacementConf.class)) {
      assertThatThrownBy(() -> inNameNode(conf, topology))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContainingAll(parts);
      assertThat(log.at("ERROR")).singleElement().asString().contains(parts);
    }
    assertThatCode(() -> inTool(conf, topology)).as("a tool").doesNotThrowAnyException();
    assertThatCode(() -> inTool(conf, null)).as("a tool").doesNotThrowAnyException();
  }

  @Test
  void foreignTopology_isRefusedWithTheKeysToSet() {
    refused(
        conf(),
        new Foreign(),
        Foreign.class.getName(),
        USE_DFS + "=false",
        TOPOLOGY + "=" + NODE_GROUPS);
  }

  /** The HVE set-up of Hadoop's documentation: the topology it names is not used. */
  @Test
  void nodeGroupTopology_withoutTheKeyThatPutsItToUse_isRefused() {
    refused(conf(TOPOLOGY, NODE_GROUPS), dfs(), "has no effect", USE_DFS + "=false");
  }

  @Test
  void documentedHveSetUp_stockRefusesWithoutSayingWhichKey() {
    Configuration conf = conf(TOPOLOGY, NODE_GROUPS, "net.topology.nodegroup.aware", "true");
    Throwable stock =
        catchThrowable(
            () ->
                PlacementTesting.start(
                    PlacementTesting.stockNodeGroups(),
                    conf,
                    TestCluster.flat().stats(),
                    dfs(),
                    null));
    if (VersionInfo.getVersion().matches("3[.][01][.].*")) {
      assertThat(stock).as("starts, and cannot work").isNull();
    } else {
      assertThat(stock).isInstanceOf(IllegalArgumentException.class);
      assertThat(stock.getMessage()).doesNotContain(USE_DFS);
    }
    // and what the documentation says of dfs.net.topology.impl cannot be set at all
    Configuration other = conf("dfs.net.topology.impl", NODE_GROUPS);
    if (VersionInfo.getVersion().startsWith("3.0.")) {
      assertThat(DFSNetworkTopology.getInstance(other)).hasSameClassAs(dfs()); // no such key yet
    } else {
      assertThatThrownBy(() -> DFSNetworkTopology.getInstance(other))
          .isInstanceOf(RuntimeException.class);
    }
  }

  /** Policy and mapping set, the topology keys forgotten: half of new blocks would share a host. */
  @ParameterizedTest
  @CsvSource({"path, /rack/nodegroup", "nodegroup, /rack+nodegroup"})
  void mappingToNodeGroups_onPlainTopology_isRefused(String emit, String like) {
    Configuration conf = conf(MAPPING, NodeGroupMapping.class.getName(), EMIT, emit);
    refused(conf, dfs(), like, USE_DFS + "=false", TOPOLOGY + "=" + NODE_GROUPS, HOST_KEY);
    conf.unset(EMIT);
    refused(conf, dfs(), USE_DFS + "=false", TOPOLOGY + "=" + NODE_GROUPS);
    refused(conf, NetworkTopology.getInstance(conf(USE_DFS, "false")), USE_DFS + "=false");
    conf.set(TOPOLOGY, NODE_GROUPS);
    conf.set(USE_DFS, "false");
    assertThatCode(() -> inNameNode(conf, nodeGroups())).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @ValueSource(strings = {"rack", "nodegroup"})
  void mappingToRacks_onNodeGroupTopology_isRefused(String emit) {
    Configuration conf =
        conf(
            MAPPING,
            NodeGroupMapping.class.getName(),
            EMIT,
            emit,
            TOPOLOGY,
            NODE_GROUPS,
            USE_DFS,
            "false");
    refused(conf, nodeGroups(), EMIT + "=" + emit, TOPOLOGY);
  }

  /** A mapping that yields racks, one of somebody else, and one that only YARN has. */
  @Test
  void otherMappings_onPlainTopology_start() {
    Configuration racks = conf(MAPPING, NodeGroupMapping.class.getName(), EMIT, "rack");
    Configuration other = conf(MAPPING, "org.apache.hadoop.net.ScriptBasedMapping");
    Configuration yarn = conf(EMIT, "nodegroup");
    for (Configuration conf : Arrays.asList(racks, other, yarn)) {
      assertThat(findings(conf, dfs())).isEmpty();
    }
  }

  private static String[] findings(Configuration conf, NetworkTopology topology) {
    inNameNode(conf, topology);
    return shown().getFindings();
  }

  private static PluginMXBean shown() {
    try {
      return JMX.newMXBeanProxy(
          ManagementFactory.getPlatformMBeanServer(),
          new ObjectName(
              "io.evenkeel:type=Plugin,module=placement,class=UniformBlockPlacementPolicy"),
          PluginMXBean.class);
    } catch (MalformedObjectNameException e) {
      throw new IllegalStateException(e);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"address", "hostname", "none"})
  void hostKeyWeakerThanTheLocations_isAFinding(String hostKey) {
    Configuration plain = conf(MAPPING, NodeGroupMapping.class.getName(), HOST_KEY, hostKey);
    assertThat(findings(plain, dfs())).singleElement().asString().contains(HOST_KEY, hostKey);
    Configuration aware = conf(HOST_KEY, hostKey, TOPOLOGY, NODE_GROUPS, USE_DFS, "false");
    assertThat(findings(aware, nodeGroups())).singleElement().asString().contains(HOST_KEY);
    assertThat(findings(conf(HOST_KEY, hostKey), dfs())).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "dfs.block.replicator.classname, UniformBlockPlacementPolicy, dfs.block.placement.ec.classname",
    "dfs.block.placement.ec.classname, UniformStripedBlockPlacementPolicy,"
        + " dfs.block.replicator.classname"
  })
  void onePolicyKeyWithoutTheOther_isSaid(String key, String policy, String other) {
    Configuration conf = conf(key, "io.evenkeel.placement." + policy);
    try (LogLines log = LogLines.of(PlacementConf.class)) {
      assertThat(findings(conf, dfs())).singleElement().asString().contains(other);
      assertThat(log.at("WARN")).singleElement().asString().contains(other);
    }
    conf.set("dfs.block.replicator.classname", UniformBlockPlacementPolicy.class.getName());
    conf.set(
        "dfs.block.placement.ec.classname", UniformStripedBlockPlacementPolicy.class.getName());
    assertThat(findings(conf, dfs())).isEmpty();
  }

  /** Addresses that turn out to be those of a proxy: shown as long as it is so. */
  @Test
  void addressesThatDoNotTellHosts_areAFindingAndTheKeyInForceIsShown() throws Exception {
    TestCluster cluster = TestCluster.withNodeGroups(2, 2, 2);
    cluster.ours();
    assertThat(shown().getSettings()).contains(HOST_KEY + "=auto (node-group)");
    TestCluster nat = TestCluster.flat(1, 1, 3);
    UniformBlockPlacementPolicy policy = nat.ours();
    policy.index();
    Await.until("it is found", () -> shown().getFindings().length == 1);
    assertThat(shown().getFindings()[0]).contains("one address", HOST_KEY);
  }

  @Test
  void hostKeyNodeGroup_onPlainTopology_isRefused() {
    refused(conf(HOST_KEY, "node-group"), dfs(), HOST_KEY + "=node-group", USE_DFS + "=false");
  }

  @ParameterizedTest
  @CsvSource({
    "evenkeel.placement.host-key, rack",
    "evenkeel.placement.few-hosts, maybe",
    "evenkeel.placement.weight, bytes",
    "evenkeel.placement.allow-untested, yes please",
    "evenkeel.placement.hostkey, address",
  })
  void badKeyOrValue_isRefusedInTheNameNodeOnly(String key, String value) {
    refused(conf(key, value), dfs(), key);
    Configuration conf = conf(key, value);
    UniformBlockPlacementPolicy tool = inTool(conf, null);
    TestCluster cluster = TestCluster.flat(2, 2, 2);
    assertThat(movable(tool, cluster.nodes, 0, 1)).as("works with the default").isTrue();
  }

  private static boolean movable(
      BlockPlacementPolicy policy, List<DatanodeDescriptor> n, int from, int to) {
    List<DatanodeInfo> replicas = Arrays.asList(n.get(0), n.get(4), n.get(6));
    return policy.isMovable(replicas, n.get(from), n.get(to));
  }

  @ParameterizedTest
  @ValueSource(strings = {"auto", "address", "hostname", "none"})
  void goodHostKeys_start(String hostKey) {
    assertThatCode(() -> inNameNode(conf(HOST_KEY, hostKey), dfs())).doesNotThrowAnyException();
    Configuration conf = conf(HOST_KEY, hostKey, TOPOLOGY, NODE_GROUPS, USE_DFS, "false");
    assertThatCode(() -> inNameNode(conf, nodeGroups())).doesNotThrowAnyException();
  }

  @Test
  void plainTopologyWithoutStorageTypes_starts() {
    Configuration conf = conf(USE_DFS, "false");
    NetworkTopology plain = NetworkTopology.getInstance(conf);
    assertThatCode(() -> inNameNode(conf, plain)).doesNotThrowAnyException();
  }

  @Test
  void start_inTheNameNodeOnly_isAnnouncedOnce() {
    Configuration conf = conf(TOPOLOGY, NODE_GROUPS, USE_DFS, "false");
    try (LogLines log = LogLines.of(PlacementConf.class)) {
      inTool(conf, null);
      inTool(conf, nodeGroups());
      assertThat(log.at("INFO")).isEmpty();
      inNameNode(conf, nodeGroups());
      assertThat(log.at("INFO")).singleElement().asString().contains("node-group");
    }
  }

  /** As the Balancer, the Mover and fsck make both policies. */
  @Test
  void tools_withNullsOrTheirOwnTopology_onlyStockRefuses() {
    Configuration conf =
        conf(
            "dfs.block.replicator.classname",
            UniformBlockPlacementPolicy.class.getName(),
            "dfs.block.placement.ec.classname",
            UniformStripedBlockPlacementPolicy.class.getName(),
            TOPOLOGY,
            NODE_GROUPS,
            USE_DFS,
            "false");
    NetworkTopology own = NetworkTopology.getInstance(conf);
    for (NetworkTopology topology : new NetworkTopology[] {null, own}) {
      BlockPlacementPolicies made = new BlockPlacementPolicies(conf, null, topology, null);
      BlockPlacementPolicy policy = made.getPolicy(BlockType.CONTIGUOUS);
      assertThat(policy).isInstanceOf(BlockPlacementPolicyDefault.class);
      assertThat(made.getPolicy(BlockType.STRIPED))
          .isInstanceOf(UniformStripedBlockPlacementPolicy.class);
      List<DatanodeDescriptor> n = TestCluster.withNodeGroups(2, 2, 2).nodes;
      assertThat(movable(policy, n, 4, 7)).as("beside a replica").isFalse();
      assertThat(movable(policy, n, 0, 5)).as("beside a replica, to one rack").isFalse();
      assertThat(movable(policy, n, 0, 1)).as("to the sibling").isTrue();
      assertThat(policy.verifyBlockPlacement(new DatanodeInfo[] {n.get(0)}, 3)).isNotNull();
    }
    conf.set(
        "dfs.block.replicator.classname",
        "org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicyWithNodeGroup");
    Throwable stock = catchThrowable(() -> new BlockPlacementPolicies(conf, null, null, null));
    if (VersionInfo.getVersion().matches("3[.][01][.].*")) {
      assertThat(stock).isNull();
    } else {
      assertThat(stock).isInstanceOf(IllegalArgumentException.class);
    }
  }

  /** Balancer and Mover ask for each block, with a topology that holds no DatanodeDescriptor. */
  @Test
  void isMovable_doesNotLookAtTheTopology() {
    List<DatanodeDescriptor> n = TestCluster.flat(2, 2, 2).nodes;
    NetworkTopology untouchable =
        new NetworkTopology() {
          @Override
          public List<Node> getDatanodesInRack(String location) {
            throw new AssertionError("looked at " + location);
          }
        };
    assertThat(movable(inTool(conf(), untouchable), n, 4, 5)).isTrue();
  }

  @Test
  void fsck_usesTheIndexOfTheNameNode() {
    TestCluster cluster = TestCluster.withNodeGroups(2, 2, 2);
    Object index = cluster.ours().index();
    assertThat(inTool(cluster.conf, cluster.topology).index()).isSameAs(index);
    assertThat(cluster.ours().index()).isSameAs(index);
  }

  /** The Balancer's plain topology with keys that mean node groups to it alone. */
  @Test
  void tool_onTopologyThatDoesNotKnowNodeGroups_comparesAddresses() {
    UniformBlockPlacementPolicy tool = inTool(conf(HOST_KEY, "node-group"), dfs());
    List<DatanodeDescriptor> n = TestCluster.flat(2, 2, 2).nodes;
    assertThat(movable(tool, n, 4, 7)).as("beside a replica").isFalse();
    assertThat(movable(tool, n, 4, 5)).as("to the sibling").isTrue();
  }

  /** What it calls itself does not matter. */
  @ParameterizedTest
  @ValueSource(strings = {"3.0.0-cdh6.3.2", "3.4.3-stackable25.7.0", "3.3.6_arenadata1", "9.9.9"})
  void anotherName_sameClasses_isActive(String release) throws Exception {
    try (LogLines log = LogLines.of(PlacementConf.class)) {
      assertThat(OtherRelease.called(release, () -> inNameNode(conf(), dfs()))).isNull();
      assertThat(log.at("INFO")).singleElement().asString().contains(" is active ", "; proved by ");
    }
    assertThat(shown().getReason()).isEmpty();
  }

  /** dfsadmin -reconfig makes a second policy for the same topology. */
  @Test
  void refresh_keepsTheLoadsAndCounters() {
    TestCluster cluster = TestCluster.withNodeGroups(2, 4, 1);
    UniformBlockPlacementPolicy first = cluster.ours();
    DatanodeDescriptor busy = cluster.nodes.get(0);
    for (int i = 0; i < 20; i++) {
      TestCluster.choose(first, 1, busy);
    }
    UniformBlockPlacementPolicy second = cluster.ours();
    NameNodePlacement nameNode = NameNodePlacement.of(cluster.topology);
    assertThat(nameNode.counters().choices()).isEqualTo(20);
    for (int i = 0; i < 28; i++) {
      assertThat(TestCluster.nodesOf(TestCluster.choose(second, 1, null)))
          .as("the others are first brought up to it")
          .doesNotContain(busy);
    }
    assertThat(nameNode.counters().choices()).isEqualTo(48);
  }

  @Test
  void refusedRefresh_leavesTheOldInForce() {
    TestCluster cluster = TestCluster.withNodeGroups(2, 4, 2);
    UniformBlockPlacementPolicy old = cluster.ours();
    TestCluster.choose(old, 3, null);
    Object index = old.index();
    cluster.conf.set("evenkeel.placement.few-hosts", "maybe");
    assertThatThrownBy(cluster::ours).isInstanceOf(IllegalArgumentException.class);
    assertThat(old.index()).isSameAs(index);
    assertThat(TestCluster.choose(old, 3, null)).hasSize(3);
    cluster.conf.set("evenkeel.placement.few-hosts", "strict");
    cluster.conf.set(HOST_KEY, "hostname");
    UniformBlockPlacementPolicy next = cluster.ours();
    assertThat(TestCluster.choose(next, 3, null)).hasSize(3);
    assertThat(next.index()).as("other keys, other hosts").isNotSameAs(index);
  }
}
