package io.evenkeel.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.testing.LogLines;
import io.evenkeel.placement.core.TargetChecks.NotChosenReason;
import io.evenkeel.placement.namenode.PlacementCounters;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.PlacementTesting;
import org.apache.hadoop.net.Node;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What makes stock pass a DataNode over does so here too, on both topologies. */
class NodeConditionsTest {
  private static final String CONSIDER_LOAD = "dfs.namenode.redundancy.considerLoad";

  private static List<TestCluster> clusters() {
    return List.of(TestCluster.withNodeGroups(3, 3, 1), TestCluster.flat(3, 3, 1));
  }

  private static Set<DatanodeDescriptor> used(BlockPlacementPolicy policy, Node writer) {
    Set<DatanodeDescriptor> used = new HashSet<>();
    for (int i = 0; i < 60; i++) {
      List<DatanodeDescriptor> nodes = TestCluster.nodesOf(TestCluster.choose(policy, 3, writer));
      assertThat(nodes).hasSize(3).doesNotHaveDuplicates();
      used.addAll(nodes);
    }
    return used;
  }

  private static void xceivers(DatanodeDescriptor node, int count) {
    TestCluster.heartbeat(node, 100 * TestCluster.GIB, count, StorageType.DISK);
  }

  private static TestCluster withBusy(boolean groups, int xceivers) {
    TestCluster cluster = groups ? TestCluster.withNodeGroups(3, 3, 1) : TestCluster.flat(3, 3, 1);
    cluster.averageXceivers = 10;
    xceivers(cluster.nodes.get(4), xceivers);
    return cluster;
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void busyDataNode_isPassedOverUnlessItWritesItself(boolean groups) {
    TestCluster cluster = withBusy(groups, 21);
    DatanodeDescriptor busy = cluster.nodes.get(4);
    assertThat(used(cluster.stock(), null)).doesNotContain(busy);
    assertThat(used(cluster.ours(), null)).hasSize(8).doesNotContain(busy);
    assertThat(used(cluster.ours(), busy)).contains(busy);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void busyDataNode_withinTheFactor_isChosen(boolean groups) {
    assertThat(used(withBusy(groups, 20).ours(), null)).hasSize(9);
    TestCluster factor = withBusy(groups, 21);
    factor.conf.set("dfs.namenode.redundancy.considerLoad.factor", "3");
    assertThat(used(factor.ours(), null)).hasSize(9);
    TestCluster ignored = withBusy(groups, 1000);
    ignored.conf.setBoolean(CONSIDER_LOAD, false);
    assertThat(used(ignored.ours(), null)).hasSize(9);
  }

  private static void assumeKey(String field) {
    Assumptions.assumeTrue(
        Arrays.stream(DFSConfigKeys.class.getFields()).anyMatch(f -> f.getName().equals(field)),
        "this release has no " + field);
  }

  @Test
  void loadByStorageType_comparesWithDataNodesOfTheType() {
    assumeKey("DFS_NAMENODE_REDUNDANCY_CONSIDERLOADBYSTORAGETYPE_KEY");
    TestCluster cluster = TestCluster.flat();
    for (int i = 0; i < 12; i++) {
      boolean ssd = i < 4;
      DatanodeDescriptor node = cluster.add("/r" + i % 3, ssd ? StorageType.SSD : StorageType.DISK);
      TestCluster.heartbeat(
          node, 100 * TestCluster.GIB, ssd ? 30 : 1, ssd ? StorageType.SSD : StorageType.DISK);
    }
    cluster.averageXceivers = 10.6;
    assertThat(TestCluster.choose(cluster.ours(), 3, null, policy("ALL_SSD"), List.of()))
        .as("all SSD DataNodes look busy")
        .allMatch(t -> t.getStorageType() == StorageType.DISK);
    cluster.conf.setBoolean("dfs.namenode.redundancy.considerLoadByStorageType", true);
    assertThat(TestCluster.choose(cluster.ours(), 3, null, policy("ALL_SSD"), List.of()))
        .hasSize(3)
        .allMatch(t -> t.getStorageType() == StorageType.SSD);
  }

  private static org.apache.hadoop.hdfs.protocol.BlockStoragePolicy policy(String name) {
    return TestCluster.storagePolicy(name);
  }

  @Test
  void loadByVolume_comparesPerVolume() {
    assumeKey("DFS_NAMENODE_REDUNDANCY_CONSIDERLOADBYVOLUME_KEY");
    for (TestCluster cluster : clusters()) {
      DatanodeDescriptor busy = cluster.nodes.get(4);
      cluster.averageXceivers = 10;
      cluster.averageXceiversPerVolume = 5;
      xceivers(busy, 15);
      assertThat(used(cluster.ours(), null)).contains(busy);
      cluster.conf.setBoolean("dfs.namenode.redundancy.considerLoadByVolume", true);
      assertThat(used(cluster.ours(), null)).hasSize(8).doesNotContain(busy);
    }
  }

  @Test
  void staleDataNode_isLastChoice() {
    for (TestCluster cluster : clusters()) {
      DatanodeDescriptor stale = cluster.nodes.get(4);
      DFSTestUtil.resetLastUpdatesWithOffset(stale, -60_000);
      assertThat(used(cluster.ours(), stale)).contains(stale);
      cluster.avoidStale = true;
      assertThat(used(cluster.ours(), null)).hasSize(8).doesNotContain(stale);
      assertThat(used(cluster.ours(), stale)).as("even if it writes").doesNotContain(stale);
      cluster.nodes.forEach(n -> DFSTestUtil.resetLastUpdatesWithOffset(n, -60_000));
      assertThat(used(cluster.ours(), null)).as("all are").hasSize(9);
    }
  }

  /** Each under the name by which operators look for it in stock's log. */
  @Test
  void refusals_areCountedByStocksReasons() throws Exception {
    Set<String> slow = PlacementTesting.slowNodes();
    TestCluster cluster = TestCluster.flat(3, 3, 1);
    cluster.avoidStale = true;
    cluster.averageXceivers = 10;
    DFSTestUtil.resetLastUpdatesWithOffset(cluster.nodes.get(0), -60_000);
    xceivers(cluster.nodes.get(1), 21);
    DatanodeDescriptor staleAndBusy = cluster.nodes.get(3);
    xceivers(staleAndBusy, 21);
    DFSTestUtil.resetLastUpdatesWithOffset(staleAndBusy, -60_000);
    cluster.conf.setBoolean("dfs.datanode.peer.stats.enabled", true);
    cluster.conf.setBoolean("dfs.namenode.block-placement-policy.exclude-slow-nodes.enabled", true);
    if (slow != null) {
      slow.add(cluster.nodes.get(2).getDatanodeUuid());
    }
    try {
      UniformBlockPlacementPolicy ours = cluster.ours();
      DatanodeStorageInfo[] targets = TestCluster.choose(ours, 9, null);
      // the second attempt of stock's own ladder takes stale ones too
      assertThat(TestCluster.nodesOf(targets)).contains(cluster.nodes.get(0));
      PlacementCounters counters = ours.nameNode().counters();
      assertThat(counters.refusals(NotChosenReason.NODE_STALE)).isPositive();
      assertThat(counters.refusals(NotChosenReason.NODE_TOO_BUSY)).isPositive();
      if (slow != null) {
        assertThat(counters.refusals(NotChosenReason.NODE_SLOW)).isPositive();
      }
      assertThat(counters.refusals(NotChosenReason.NOT_IN_SERVICE)).isZero();
    } finally {
      if (slow != null) {
        slow.remove(cluster.nodes.get(2).getDatanodeUuid());
      }
    }
  }

  @Test
  void leavingDataNodes_areNotChosen() {
    for (TestCluster cluster : clusters()) {
      cluster.nodes.get(0).startDecommission();
      cluster.nodes.get(1).setDecommissioned();
      cluster.nodes.get(3).startMaintenance();
      cluster.nodes.get(6).setInMaintenance();
      Set<DatanodeDescriptor> used = used(cluster.ours(), cluster.nodes.get(0));
      assertThat(used)
          .hasSize(5)
          .allMatch(DatanodeDescriptor::isInService)
          .isEqualTo(used(cluster.stock(), null));
    }
  }

  /** After a choice the index knows them as in service; the next choice must not. */
  @Test
  void dataNodeThatLeavesBetweenChoices_isNotChosen() {
    for (TestCluster cluster : clusters()) {
      UniformBlockPlacementPolicy ours = cluster.ours();
      assertThat(used(ours, null)).hasSize(9);
      DatanodeDescriptor leaves = cluster.nodes.get(4);
      leaves.startDecommission();
      assertThat(used(ours, leaves)).hasSize(8).doesNotContain(leaves);
      leaves.stopDecommission();
      leaves.setAlive(true);
      assertThat(used(ours, leaves)).contains(leaves);
    }
  }

  @Test
  void slowDataNode_isNotChosenWhenSlowOnesAreExcluded() throws Exception {
    Set<String> slow = PlacementTesting.slowNodes();
    Assumptions.assumeTrue(slow != null, "this release does not exclude slow DataNodes");
    TestCluster cluster = TestCluster.withNodeGroups(3, 3, 1);
    cluster.conf.setBoolean("dfs.datanode.peer.stats.enabled", true);
    DatanodeDescriptor node = cluster.nodes.get(4);
    slow.add(node.getDatanodeUuid());
    try {
      assertThat(used(cluster.ours(), null)).contains(node);
      cluster.conf.setBoolean(
          "dfs.namenode.block-placement-policy.exclude-slow-nodes.enabled", true);
      assertThat(used(cluster.ours(), null)).hasSize(8).doesNotContain(node);
      assertThat(used(cluster.ours(), node)).as("even if it writes").doesNotContain(node);
    } finally {
      slow.remove(node.getDatanodeUuid());
    }
  }

  @Test
  void fullDataNode_isNotChosen() {
    for (TestCluster cluster : clusters()) {
      DatanodeDescriptor full = cluster.nodes.get(4);
      TestCluster.heartbeat(full, TestCluster.GIB - 1, 0, StorageType.DISK);
      assertThat(used(cluster.ours(), full)).hasSize(8).doesNotContain(full);
      DatanodeDescriptor promised = cluster.nodes.get(5);
      TestCluster.heartbeat(promised, 3 * TestCluster.GIB - 1, 0, StorageType.DISK);
      PlacementTesting.schedule(promised, StorageType.DISK);
      PlacementTesting.schedule(promised, StorageType.DISK);
      assertThat(used(cluster.ours(), full)).hasSize(7).doesNotContain(full, promised);
    }
  }

  @Test
  void excludedDataNodes_areNotChosen() {
    for (TestCluster cluster : clusters()) {
      UniformBlockPlacementPolicy ours = cluster.ours();
      List<DatanodeDescriptor> excluded = cluster.nodes.subList(0, 5);
      for (int i = 0; i < 20; i++) {
        List<DatanodeDescriptor> nodes =
            TestCluster.nodesOf(
                TestCluster.choose(ours, 3, cluster.nodes.get(0), policy("HOT"), excluded));
        assertThat(nodes).hasSize(3).doesNotContainAnyElementsOf(excluded);
      }
      assertThat(TestCluster.choose(ours, 3, null, policy("HOT"), cluster.nodes)).isEmpty();
      assertThat(TestCluster.choose(ours, 3, null, policy("HOT"), cluster.nodes.subList(0, 8)))
          .hasSize(1);
    }
  }

  /** Stock hands over the DataNode in maintenance as excluded only; its sibling is eligible. */
  @Test
  void hostInMaintenance_isLastChoice() {
    TestCluster cluster = TestCluster.withNodeGroups(2, 2, 2);
    DatanodeDescriptor resting = cluster.nodes.get(0);
    DatanodeDescriptor sibling = cluster.nodes.get(1);
    resting.setInMaintenance();
    List<DatanodeDescriptor> live = List.of(cluster.nodes.get(4), cluster.nodes.get(6));
    List<DatanodeDescriptor> excluded = new ArrayList<>(live);
    excluded.add(resting);
    UniformBlockPlacementPolicy ours = cluster.ours();
    for (int i = 0; i < 50; i++) {
      assertThat(TestCluster.nodesOf(TestCluster.chooseMore(ours, 1, null, live, excluded)))
          .as("the other host of the rack")
          .containsAnyElementsOf(cluster.nodes.subList(2, 4))
          .hasSize(1);
    }
    excluded.addAll(cluster.nodes.subList(2, 4));
    assertThat(TestCluster.nodesOf(TestCluster.chooseMore(ours, 1, null, live, excluded)))
        .as("nothing else left")
        .containsExactly(sibling);
  }

  @Test
  void hostOfADecommissioningReplica_isFree() {
    TestCluster cluster = TestCluster.withNodeGroups(2, 2, 2);
    cluster.nodes.get(0).startDecommission();
    List<DatanodeDescriptor> live = List.of(cluster.nodes.get(4), cluster.nodes.get(6));
    List<DatanodeDescriptor> excluded = new ArrayList<>(live);
    excluded.add(cluster.nodes.get(0));
    Set<DatanodeDescriptor> used = new HashSet<>();
    UniformBlockPlacementPolicy ours = cluster.ours();
    for (int i = 0; i < 50; i++) {
      used.addAll(TestCluster.nodesOf(TestCluster.chooseMore(ours, 1, null, live, excluded)));
    }
    assertThat(used).containsExactlyInAnyOrderElementsOf(cluster.nodes.subList(1, 4));
  }

  @Test
  void dependentDataNodes_doNotHoldTheSameBlock() {
    for (TestCluster cluster : clusters()) {
      DatanodeDescriptor one = cluster.nodes.get(0);
      DatanodeDescriptor other = cluster.nodes.get(4);
      one.addDependentHostName(other.getHostName());
      one.addDependentHostName("gone");
      UniformBlockPlacementPolicy ours = cluster.ours();
      try (LogLines log = LogLines.of(BlockPlacementPolicy.class)) {
        for (int i = 0; i < 100; i++) {
          List<DatanodeDescriptor> nodes = TestCluster.nodesOf(TestCluster.choose(ours, 3, one));
          assertThat(nodes).hasSize(3).contains(one).doesNotContain(other);
        }
        assertThat(log.at("WARN").stream().filter(line -> line.contains("depends on gone")))
            .as("once, not for each block")
            .hasSize(1);
      }
    }
  }

  @Test
  void noDataNodes_noTargetsAndNoException() {
    for (TestCluster cluster : List.of(TestCluster.withNodeGroups(), TestCluster.flat())) {
      assertThat(TestCluster.choose(cluster.ours(), 3, null)).isEmpty();
      assertThat(TestCluster.choose(cluster.oursStriped(), 9, null)).isEmpty();
    }
  }

  /** Stock's checks add to a text of the thread, for the log; nobody else empties it. */
  @Test
  void debugLog_manyRefusals_keepsNoTextOfThem() throws Exception {
    Logger log = Logger.getLogger(BlockPlacementPolicy.class.getName());
    Level before = log.getLevel();
    log.setAdditivity(false);
    log.setLevel(Level.DEBUG);
    try {
      TestCluster cluster = TestCluster.flat(3, 3, 1);
      cluster.averageXceivers = 10;
      xceivers(cluster.nodes.get(0), 21);
      for (BlockPlacementPolicy policy : List.of(cluster.stock(), cluster.ours())) {
        for (int i = 0; i < 1_000; i++) {
          TestCluster.choose(policy, 3, null);
        }
        assertThat(PlacementTesting.debugText()).hasSizeLessThan(10_000);
      }
    } finally {
      log.setLevel(before);
      log.setAdditivity(true);
    }
  }
}
