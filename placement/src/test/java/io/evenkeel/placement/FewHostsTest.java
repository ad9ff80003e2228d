package io.evenkeel.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.testing.Await;
import io.evenkeel.placement.namenode.BlockPlacementStatusWithHosts;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementStatus;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.PlacementTesting;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.AvailableSpaceVolumeChoosingPolicy;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.apache.hadoop.hdfs.server.protocol.StorageReport;
import org.apache.hadoop.net.NetworkTopology;
import org.apache.hadoop.net.Node;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What verifyBlockPlacement asks for when hosts or racks are few, leave, fill up or come. */
class FewHostsTest {
  private static final String KEPT_FREE =
      "dfs.datanode.round-robin-volume-choosing-policy.additional-available-space";

  private static BlockPlacementStatus verify(
      BlockPlacementPolicy policy, TestCluster cluster, int wanted, int... replicas) {
    DatanodeInfo[] found =
        Arrays.stream(replicas).mapToObj(cluster.nodes::get).toArray(DatanodeInfo[]::new);
    return policy.verifyBlockPlacement(found, wanted);
  }

  private static boolean satisfied(
      BlockPlacementPolicy policy, TestCluster cluster, int wanted, int... replicas) {
    return verify(policy, cluster, wanted, replicas).isPlacementPolicySatisfied();
  }

  /** Hadoop 3.0 does not know the method, and asks for one replica whenever it is not satisfied. */
  private static int missing(BlockPlacementStatus status) {
    return ((BlockPlacementStatusWithHosts) status).getAdditionalReplicasRequired();
  }

  /** Three hosts in two racks with two DataNodes each: 0,1 and 2,3 in rack 0, 4,5 in rack 1. */
  private static TestCluster threeHosts() {
    TestCluster cluster = TestCluster.withNodeGroups();
    for (String location : List.of("/r0/h0", "/r0/h1", "/r1/h2")) {
      cluster.add(location);
      cluster.add(location);
    }
    return cluster;
  }

  /** Decommissioning ends only when every block is satisfied. */
  @Test
  void asManyHostsAsReplicas_oneLeaves_onlyStockAsksForWhatThereIsNot() {
    TestCluster cluster = threeHosts();
    cluster.nodes.get(2).startDecommission();
    cluster.nodes.get(3).startDecommission();
    UniformBlockPlacementPolicy ours = cluster.ours();
    List<DatanodeDescriptor> live = List.of(cluster.nodes.get(0), cluster.nodes.get(4));
    DatanodeDescriptor more =
        TestCluster.nodesOf(
                TestCluster.chooseMore(ours, 1, null, live, cluster.nodes.subList(2, 3)))
            .get(0);
    assertThat(more)
        .as("there are two hosts left")
        .isIn(cluster.nodes.get(1), cluster.nodes.get(5));
    int third = cluster.nodes.indexOf(more);
    assertThat(satisfied(ours, cluster, 3, 0, 4, third)).isTrue();
    assertThat(satisfied(cluster.stock(), cluster, 3, 0, 4, third)).isFalse();
    assertThat(satisfied(ours, cluster, 3, 0, 1)).as("the other rack is free").isFalse();
    assertThat(satisfied(ours, cluster, 3, 0, 4, 2)).as("still there").isTrue();
  }

  @Test
  void fullHost_isNotAskedFor() {
    TestCluster cluster = threeHosts();
    cluster.conf.set(KEPT_FREE, "0");
    TestCluster.heartbeat(cluster.nodes.get(2), 0, 0, StorageType.DISK);
    TestCluster.heartbeat(cluster.nodes.get(3), 0, 0, StorageType.DISK);
    assertThat(satisfied(cluster.ours(), cluster, 3, 0, 4, 5)).isTrue();
    TestCluster.heartbeat(cluster.nodes.get(3), TestCluster.GIB, 0, StorageType.DISK);
    UniformBlockPlacementPolicy again = withFreshState(cluster);
    assertThat(satisfied(again, cluster, 3, 0, 4, 5)).isFalse();
  }

  /** A full disk has some room left, but not for a block: a host that leaves would wait for it. */
  @Test
  void hostWithLessRoomThanABlock_isNotAskedFor() {
    TestCluster cluster = threeHosts();
    cluster.conf.set(KEPT_FREE, "0");
    for (int i = 2; i < 4; i++) {
      TestCluster.heartbeat(cluster.nodes.get(i), 100 << 20, 0, StorageType.DISK);
    }
    UniformBlockPlacementPolicy ours = cluster.ours();
    assertThat(satisfied(ours, cluster, 3, 0, 4, 5)).isTrue();
  }

  /** Room for a block is not enough where a DataNode keeps more than that free. */
  @Test
  void hostThatKeepsItsRestFree_isNotAskedForNorChosen() {
    TestCluster cluster = threeHosts();
    cluster.conf.set(KEPT_FREE, String.valueOf(TestCluster.GIB));
    for (int i = 2; i < 4; i++) {
      TestCluster.heartbeat(cluster.nodes.get(i), TestCluster.GIB + 1, 0, StorageType.DISK);
    }
    UniformBlockPlacementPolicy ours = cluster.ours();
    List<DatanodeDescriptor> full = cluster.nodes.subList(2, 4);
    assertThat(TestCluster.nodesOf(TestCluster.choose(ours, 3, null)))
        .hasSize(3)
        .doesNotContainAnyElementsOf(full);
    assertThat(satisfied(ours, cluster, 3, 0, 4, 5)).isTrue();
  }

  /** The policy of the DataNodes that prefers space keeps nothing free. */
  @Test
  void hostWhoseDataNodesKeepNothingFree_isChosenRatherThanAHostTwice() {
    TestCluster cluster = threeHosts();
    cluster.conf.set(
        "dfs.datanode.fsdataset.volume.choosing.policy",
        AvailableSpaceVolumeChoosingPolicy.class.getName());
    for (int i = 2; i < 4; i++) {
      TestCluster.heartbeat(cluster.nodes.get(i), TestCluster.GIB, 0, StorageType.DISK);
    }
    for (BlockPlacementPolicy policy : List.of(cluster.stock(), cluster.ours())) {
      List<DatanodeDescriptor> nodes = TestCluster.nodesOf(TestCluster.choose(policy, 3, null));
      assertThat(TestCluster.locations(nodes)).hasSize(3);
    }
  }

  /** Blocks of 1 GB where the default is 128 MB: what the DataNodes have left is no room. */
  @Test
  void hostWithoutRoomForTheBlocksThatCome_isNotAskedFor() throws Exception {
    TestCluster cluster = threeHosts();
    cluster.conf.set(KEPT_FREE, "0");
    for (int i = 2; i < 4; i++) {
      TestCluster.heartbeat(cluster.nodes.get(i), 512 << 20, 0, StorageType.DISK);
    }
    UniformBlockPlacementPolicy ours = cluster.ours();
    assertThat(TestCluster.choose(ours, 3, null)).hasSize(3);
    Await.until("it is not asked for", () -> satisfied(ours, cluster, 3, 0, 4, 5));
  }

  /** A request nobody can serve, or for a block larger than most volumes have room for. */
  @ParameterizedTest
  @ValueSource(longs = {1L << 47, 50L << 30})
  void hugeBlock_othersAreAskedForAllTheirHosts(long blockSize) throws Exception {
    TestCluster cluster = threeHosts();
    cluster.conf.set(KEPT_FREE, "0");
    for (int i = 2; i < 6; i++) {
      TestCluster.heartbeat(cluster.nodes.get(i), 10 * TestCluster.GIB, 0, StorageType.DISK);
    }
    UniformBlockPlacementPolicy ours = cluster.ours();
    ours.chooseTarget(
        "/huge",
        1,
        null,
        new ArrayList<>(),
        false,
        null,
        blockSize,
        TestCluster.POLICIES.getDefaultPolicy(),
        null);
    withFreshState(cluster, ours);
    assertThat(satisfied(ours, cluster, 3, 0, 1, 4)).isFalse();
  }

  /** Small volumes serve files of small blocks. */
  @Test
  void hostOfSmallVolumes_isAskedFor() {
    TestCluster cluster = threeHosts();
    cluster.conf.set(KEPT_FREE, "0");
    for (int i = 2; i < 4; i++) {
      DatanodeDescriptor node = cluster.nodes.get(i);
      DatanodeStorage storage =
          new DatanodeStorage(
              node.getDatanodeUuid() + "-0", DatanodeStorage.State.NORMAL, StorageType.DISK);
      StorageReport[] reports = {
        new StorageReport(storage, false, 64 << 20, 1 << 20, 63 << 20, 0, 0)
      };
      PlacementTesting.heartbeat(node, reports, 0);
    }
    assertThat(satisfied(cluster.ours(), cluster, 3, 0, 4, 5)).isFalse();
  }

  /** The index is looked at again with the next DataNode; tests do not wait for the clock. */
  private static UniformBlockPlacementPolicy withFreshState(TestCluster cluster) {
    UniformBlockPlacementPolicy policy = cluster.ours();
    withFreshState(cluster, policy);
    return policy;
  }

  private static void withFreshState(TestCluster cluster, UniformBlockPlacementPolicy policy) {
    DatanodeDescriptor extra = cluster.add("/r1/h2");
    extra.setInMaintenance();
    policy.index();
  }

  @Test
  void newHost_pairsOnOneHostAreToBeMended() {
    TestCluster cluster = TestCluster.withNodeGroups(2, 1, 2);
    UniformBlockPlacementPolicy ours = cluster.ours();
    assertThat(satisfied(ours, cluster, 3, 0, 1, 2)).isTrue();
    cluster.add("/r1/new");
    BlockPlacementStatus status = verify(ours, cluster, 3, 0, 1, 2);
    assertThat(status.isPlacementPolicySatisfied()).isFalse();
    assertThat(missing(status)).isEqualTo(1);
    assertThat(status.getErrorDescription()).contains("1 more host");
    assertThat(satisfied(ours, cluster, 3, 0, 2, 4)).isTrue();
  }

  @Test
  void strict_asksForHostsThatThereAreNotAndPlacesFewer() {
    TestCluster cluster = TestCluster.withNodeGroups(2, 1, 3);
    cluster.conf.set("evenkeel.placement.few-hosts", "strict");
    UniformBlockPlacementPolicy ours = cluster.ours();
    for (int i = 0; i < 20; i++) {
      List<DatanodeDescriptor> nodes =
          TestCluster.nodesOf(TestCluster.choose(ours, 3, cluster.nodes.get(i % 6)));
      assertThat(nodes).hasSize(2);
      assertThat(TestCluster.locations(nodes)).hasSize(2);
    }
    BlockPlacementStatus status = verify(ours, cluster, 3, 0, 3, 4);
    assertThat(status.isPlacementPolicySatisfied()).isFalse();
    assertThat(missing(status)).isEqualTo(1);
    assertThat(verify(ours, cluster, 2, 0, 3).isPlacementPolicySatisfied()).isTrue();
  }

  @Test
  void additionalReplicas_areAsManyAsCanBePlaced() {
    TestCluster cluster = TestCluster.withNodeGroups(3, 2, 2);
    UniformBlockPlacementPolicy ours = cluster.ours();
    assertThat(missing(verify(ours, cluster, 3, 0, 1, 4))).isEqualTo(1);
    assertThat(missing(verify(ours, cluster, 4, 0, 1, 2, 3))).isEqualTo(2);
    assertThat(missing(verify(ours, cluster, 2, 0, 2))).as("rack").isEqualTo(1);
    assertThat(missing(verify(ours, cluster, 3, 0, 4, 8))).isZero();
    assertThat(verify(ours, cluster, 1, 0).isPlacementPolicySatisfied()).isTrue();
    assertThat(
            verify(ours, cluster, 10, 0, 2, 4, 6, 8, 10, 1, 3, 5, 7).isPlacementPolicySatisfied())
        .as("six hosts are all there are")
        .isTrue();
  }

  private static void assumeCounted(TestCluster cluster, String method, DatanodeDescriptor node)
      throws ReflectiveOperationException {
    boolean counts =
        Arrays.stream(NetworkTopology.class.getMethods()).anyMatch(m -> m.getName().equals(method));
    Assumptions.assumeTrue(counts, "this release does not count racks in service");
    NetworkTopology.class.getMethod(method, Node.class).invoke(cluster.topology, node);
  }

  private static Object nonEmptyRacks(TestCluster cluster) throws ReflectiveOperationException {
    return NetworkTopology.class.getMethod("getNumOfNonEmptyRacks").invoke(cluster.topology);
  }

  /** Stock's topology for node groups does not keep count of racks without DataNodes in service. */
  @Test
  void wholeRackLeaves_onlyStockStillAsksForIt() throws Exception {
    TestCluster cluster = TestCluster.withNodeGroups(2, 3, 1);
    for (DatanodeDescriptor node : cluster.nodes.subList(3, 6)) {
      node.startDecommission();
      assumeCounted(cluster, "decommissionNode", node);
    }
    assertThat(nonEmptyRacks(cluster)).as("by stock").isEqualTo(2);
    assertThat(satisfied(cluster.stock(), cluster, 3, 0, 1, 2)).isFalse();
    assertThat(satisfied(cluster.ours(), cluster, 3, 0, 1, 2)).isTrue();
  }

  @Test
  void oneDataNodeLeavesAndReturns_onlyStockForgetsItsRack() throws Exception {
    TestCluster cluster = TestCluster.withNodeGroups(2, 3, 2);
    DatanodeDescriptor node = cluster.nodes.get(0);
    assumeCounted(cluster, "decommissionNode", node);
    assumeCounted(cluster, "recommissionNode", node);
    assumeCounted(cluster, "decommissionNode", node);
    node.startDecommission();
    assertThat(nonEmptyRacks(cluster)).as("by stock").isEqualTo(1);
    assertThat(satisfied(cluster.stock(), cluster, 3, 6, 8, 10)).as("one rack, by stock").isTrue();
    assertThat(satisfied(cluster.ours(), cluster, 3, 6, 8, 10)).isFalse();
    for (int i = 0; i < 50; i++) {
      List<DatanodeDescriptor> nodes =
          TestCluster.nodesOf(TestCluster.choose(cluster.ours(), 3, cluster.nodes.get(i % 12)));
      assertThat(TestCluster.racks(nodes)).hasSize(2);
    }
  }

  @Test
  void maintenanceReplicas_countInVerify() {
    TestCluster cluster = threeHosts();
    cluster.nodes.get(2).setInMaintenance();
    assertThat(satisfied(cluster.ours(), cluster, 3, 0, 2, 4)).isTrue();
  }

  /** One host for all: what is left is a choice of DataNodes, never twice the same. */
  @Test
  void oneHost_usesDifferentDataNodes() {
    TestCluster cluster = TestCluster.withNodeGroups(1, 1, 4);
    UniformBlockPlacementPolicy ours = cluster.ours();
    List<DatanodeDescriptor> nodes = TestCluster.nodesOf(TestCluster.choose(ours, 3, null));
    assertThat(nodes).hasSize(3).doesNotHaveDuplicates();
    assertThat(satisfied(ours, cluster, 3, 0, 1, 2)).isTrue();
    assertThat(TestCluster.choose(ours, 5, null)).as("more than DataNodes").hasSize(4);
  }

  /**
   * Ten replicas, ten hosts in a rack and two in the other: stock's limit per rack leaves no way to
   * the last host, so the block must not wait for it. Copied and deleted as the NameNode does.
   */
  @Test
  void unequalRacks_manyReplicas_areSatisfiedWithWhatTheLimitAllows() {
    TestCluster cluster = TestCluster.flat();
    for (int i = 0; i < 36; i++) {
      cluster.add(i < 30 ? "/r0" : "/r1", "10.0.0." + i / 3, StorageType.DISK);
    }
    UniformBlockPlacementPolicy ours = cluster.ours();
    List<DatanodeDescriptor> block = TestCluster.nodesOf(TestCluster.choose(ours, 10, null));
    assertThat(block).hasSize(10);
    BlockPlacementStatus status = ofTen(ours, block);
    for (int round = 0; round < 10 && !status.isPlacementPolicySatisfied(); round++) {
      List<DatanodeDescriptor> more = new ArrayList<>(block);
      more.addAll(
          TestCluster.nodesOf(TestCluster.chooseMore(ours, missing(status), null, block, block)));
      List<DatanodeStorageInfo> all = new ArrayList<>();
      more.forEach(node -> all.add(node.getStorageInfos()[0]));
      List<StorageType> excess = new ArrayList<>();
      more.forEach(node -> excess.add(StorageType.DISK));
      ours.chooseReplicasToDelete(all, all, 10, excess, null, null)
          .forEach(storage -> more.remove(storage.getDatanodeDescriptor()));
      block = more;
      status = ofTen(ours, block);
    }
    assertThat(ofTen(cluster.stock(), block).isPlacementPolicySatisfied()).isTrue();
    assertThat(status.getErrorDescription()).isNull();
    assertThat(TestCluster.addresses(block)).as("hosts").hasSizeGreaterThanOrEqualTo(9);
  }

  private static BlockPlacementStatus ofTen(
      BlockPlacementPolicy policy, List<DatanodeDescriptor> block) {
    return policy.verifyBlockPlacement(block.toArray(new DatanodeInfo[0]), 10);
  }
}
