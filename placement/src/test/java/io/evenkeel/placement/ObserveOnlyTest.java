package io.evenkeel.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.common.plugin.PluginMXBean;
import io.evenkeel.common.testing.Await;
import io.evenkeel.common.testing.LogLines;
import io.evenkeel.placement.namenode.BlockPlacementStatusWithHosts;
import io.evenkeel.placement.namenode.Observer;
import io.evenkeel.placement.namenode.PlacementConf;
import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import javax.management.JMX;
import javax.management.ObjectName;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicyDefault;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementStatus;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.PlacementTesting;
import org.apache.hadoop.net.Node;
import org.junit.jupiter.api.Test;

/** With observe-only stock decides about everything, and ours is compared with it. */
class ObserveOnlyTest {
  private static final String OBSERVE = "evenkeel.placement.observe-only";
  private static final String OBSERVED = "evenkeel.placement.observed-policy";

  /** Stock's default, but always the first DataNodes: what an operator may have of their own. */
  public static final class FirstOnes extends BlockPlacementPolicyDefault {
    static final BlockPlacementStatus STATUS =
        new BlockPlacementStatusWithHosts(1, 1, 1, "somewhere", false);

    static List<DatanodeStorageInfo> first = new ArrayList<>();

    /** Created by Hadoop. */
    public FirstOnes() {}

    @Override
    public DatanodeStorageInfo[] chooseTarget(
        String src,
        int replicas,
        Node writer,
        List<DatanodeStorageInfo> chosen,
        boolean returnChosen,
        Set<Node> excluded,
        long blockSize,
        BlockStoragePolicy storagePolicy,
        EnumSet<AddBlockFlag> flags) {
      return first.subList(0, replicas).toArray(new DatanodeStorageInfo[0]);
    }

    @Override
    public BlockPlacementStatus verifyBlockPlacement(DatanodeInfo[] replicas, int wanted) {
      return STATUS;
    }
  }

  private static UniformBlockPlacementPolicy observing(TestCluster cluster) {
    cluster.conf.setBoolean(OBSERVE, true);
    return cluster.ours();
  }

  private static TestCluster firstOnes() {
    TestCluster cluster = TestCluster.flat(3, 3, 2);
    cluster.conf.set(OBSERVED, FirstOnes.class.getName());
    FirstOnes.first.clear();
    cluster.nodes.forEach(node -> FirstOnes.first.add(node.getStorageInfos()[0]));
    return cluster;
  }

  private static void compared(UniformBlockPlacementPolicy policy, long blocks) throws Exception {
    Observer observer = policy.nameNode().observer();
    Await.until("all are compared", () -> observer.compared() == blocks);
    assertThat(observer.notCompared()).isZero();
  }

  @Test
  void choose_isStocksAndIsCompared() throws Exception {
    TestCluster cluster = firstOnes();
    UniformBlockPlacementPolicy policy = observing(cluster);
    for (int i = 0; i < 120; i++) {
      assertThat(TestCluster.nodesOf(TestCluster.choose(policy, 3, null)))
          .isEqualTo(cluster.nodes.subList(0, 3));
    }
    compared(policy, 120);
    Observer observer = policy.nameNode().observer();
    assertThat(observer.byStock())
        .containsEntry("SHARED_HOST", 120L)
        .containsEntry("ONE_RACK", 120L)
        .containsEntry("FEWER_REPLICAS", 0L);
    assertThat(observer.byOurs())
        .containsEntry("SHARED_HOST", 0L)
        .containsEntry("ONE_RACK", 0L)
        .containsEntry("FEWER_REPLICAS", 0L);
    assertThat(observer.maxOverMeanByStock()).isEqualTo(6);
    assertThat(observer.maxOverMeanByOurs()).isLessThan(1.5);
  }

  @Test
  void favoredNodes_areStocksToo() throws Exception {
    TestCluster cluster = TestCluster.withNodeGroups(2, 4, 2);
    cluster.conf.setBoolean("net.topology.nodegroup.aware", true);
    UniformBlockPlacementPolicy policy = observing(cluster);
    List<DatanodeDescriptor> favored = cluster.nodes.subList(0, 1);
    DatanodeStorageInfo[] targets =
        PlacementTesting.favored(
            policy, 3, null, null, favored, TestCluster.POLICIES.getDefaultPolicy(), null);
    assertThat(TestCluster.nodesOf(targets)).hasSize(3).containsAll(favored);
    compared(policy, 1);
  }

  @Test
  void everythingElse_isStocksInNameNodeAndTools() {
    TestCluster cluster = firstOnes();
    UniformBlockPlacementPolicy inNameNode = observing(cluster);
    UniformBlockPlacementPolicy tool =
        PlacementTesting.start(
            new UniformBlockPlacementPolicy(), cluster.conf, null, cluster.topology, null);
    DatanodeInfo[] two = {cluster.nodes.get(0), cluster.nodes.get(1)};
    for (UniformBlockPlacementPolicy policy : List.of(inNameNode, tool)) {
      assertThat(policy.verifyBlockPlacement(two, 3)).isSameAs(FirstOnes.STATUS);
      // onto the host of another replica: stock does not know hosts
      assertThat(
              policy.isMovable(
                  new ArrayList<>(Arrays.asList(cluster.nodes.get(0), cluster.nodes.get(6))),
                  cluster.nodes.get(6),
                  cluster.nodes.get(1)))
          .isTrue();
    }
    assertThat(tool.nameNode()).as("fsck compares nothing").isNull();
  }

  @Test
  void start_isAnnouncedAsObserving() throws Exception {
    observing(firstOnes());
    PluginMXBean shown =
        JMX.newMXBeanProxy(
            ManagementFactory.getPlatformMBeanServer(),
            new ObjectName(
                "io.evenkeel:type=Plugin,module=placement,class=UniformBlockPlacementPolicy"),
            PluginMXBean.class);
    assertThat(shown.getState()).isEqualTo("observe");
    assertThat(shown.getReason()).contains(FirstOnes.class.getName() + " decides");
  }

  /** What would keep the policy from starting must not keep stock from it. */
  @Test
  void whereOursCannotWork_stockDecidesAndTheReasonIsTold() throws Exception {
    TestCluster cluster = firstOnes();
    cluster.conf.set("evenkeel.placement.host-key", "node-group");
    UniformBlockPlacementPolicy policy = observing(cluster);
    assertThat(TestCluster.nodesOf(TestCluster.choose(policy, 3, null)))
        .isEqualTo(cluster.nodes.subList(0, 3));
    PluginMXBean shown =
        JMX.newMXBeanProxy(
            ManagementFactory.getPlatformMBeanServer(),
            new ObjectName(
                "io.evenkeel:type=Plugin,module=placement,class=UniformBlockPlacementPolicy"),
            PluginMXBean.class);
    assertThat(shown.getState()).isEqualTo("fallback");
    assertThat(shown.getReason()).contains("evenkeel.placement.host-key");
  }

  @Test
  void badKeysAndClasses_areRefused() {
    TestCluster cluster = TestCluster.flat(2, 2, 1);
    for (String name :
        List.of(
            "no.such.Class", String.class.getName(), UniformBlockPlacementPolicy.class.getName())) {
      cluster.conf.set(OBSERVED, name);
      assertThatThrownBy(() -> observing(cluster))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContainingAll(OBSERVED, name);
    }
    Configuration conf = cluster.conf;
    conf.unset(OBSERVED);
    conf.set("evenkeel.placement.few-hosts", "maybe");
    assertThatThrownBy(() -> observing(cluster)).hasMessageContaining("few-hosts");
  }

  @Test
  void unknownKey_thatOnlyWarns_isWarnedOfOnce() {
    TestCluster cluster = TestCluster.flat(2, 2, 1);
    cluster.conf.set("evenkeel.placement.unknown-keys", "warn");
    cluster.conf.set("evenkeel.placement.of-a-later-jar", "1");
    try (LogLines log = LogLines.of(PlacementConf.class)) {
      observing(cluster);
      assertThat(log.at("WARN")).singleElement().asString().contains("of-a-later-jar");
    }
  }

  @Test
  void badClass_isLoggedWithTheReason() {
    TestCluster cluster = TestCluster.flat(2, 2, 1);
    cluster.conf.set(OBSERVED, "no.such.Class");
    try (LogLines log = LogLines.of(PlacementConf.class)) {
      assertThatThrownBy(() -> observing(cluster)).isInstanceOf(IllegalArgumentException.class);
      assertThat(log.at("ERROR")).singleElement().asString().contains(OBSERVED, "no.such.Class");
    }
  }

  @Test
  void striped_isComparedByThePlanForUnits() throws Exception {
    TestCluster cluster = TestCluster.flat(3, 4, 2);
    cluster.conf.setBoolean(OBSERVE, true);
    UniformStripedBlockPlacementPolicy policy = cluster.oursStriped();
    for (int i = 0; i < 50; i++) {
      assertThat(TestCluster.choose(policy, 9, null)).hasSize(9);
    }
    compared(policy, 50);
    assertThat(policy.nameNode().observer().byStock().get("SHARED_HOST")).isPositive();
    assertThat(policy.nameNode().observer().byOurs().get("SHARED_HOST")).isZero();
  }

  @Test
  void observerOfAReplacedPolicy_isCollected() throws Exception {
    Await.untilCollected(new WeakReference<>(observed()));
  }

  private static Observer observed() throws Exception {
    UniformBlockPlacementPolicy policy = observing(TestCluster.flat(2, 2, 1));
    TestCluster.choose(policy, 3, null);
    compared(policy, 1);
    return policy.nameNode().observer();
  }
}
