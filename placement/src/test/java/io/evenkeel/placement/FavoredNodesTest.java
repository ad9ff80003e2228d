package io.evenkeel.placement;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.PlacementTesting;
import org.apache.hadoop.net.Node;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FavoredNodesTest {
  private final TestCluster cluster = TestCluster.withNodeGroups(3, 3, 2);
  private final UniformBlockPlacementPolicy ours = cluster.ours();

  private List<DatanodeDescriptor> nodes(int... numbers) {
    List<DatanodeDescriptor> found = new ArrayList<>();
    for (int number : numbers) {
      found.add(cluster.nodes.get(number));
    }
    return found;
  }

  private static List<DatanodeDescriptor> chosen(
      BlockPlacementPolicy policy,
      Node writer,
      Set<Node> excluded,
      List<DatanodeDescriptor> favored,
      EnumSet<AddBlockFlag> flags) {
    return TestCluster.nodesOf(
        PlacementTesting.favored(
            policy, 3, writer, excluded, favored, TestCluster.POLICIES.getDefaultPolicy(), flags));
  }

  private List<DatanodeDescriptor> chosen(Node writer, List<DatanodeDescriptor> favored) {
    List<DatanodeDescriptor> found = chosen(ours, writer, null, favored, null);
    assertThat(found).hasSize(3);
    assertThat(TestCluster.locations(found)).as("hosts").hasSize(3);
    assertThat(TestCluster.racks(found)).hasSizeGreaterThan(1);
    return found;
  }

  /**
   * Three hosts for five internal blocks: losing one host must not take more than the parity of
   * two.
   */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void units_shareHostsEvenlyBesideFavoredNodes(boolean stock) {
    for (TestCluster hosts :
        List.of(TestCluster.withNodeGroups(3, 1, 3), TestCluster.flat(3, 1, 3))) {
      BlockPlacementPolicy policy =
          stock ? hosts.start(PlacementTesting.stockStriped()) : hosts.oursStriped();
      List<DatanodeDescriptor> favored = List.of(hosts.nodes.get(0), hosts.nodes.get(3));
      for (int i = 0; i < 20; i++) {
        List<DatanodeDescriptor> found =
            TestCluster.nodesOf(
                PlacementTesting.favored(
                    policy, 5, null, null, favored, TestCluster.POLICIES.getDefaultPolicy(), null));
        assertThat(found).hasSize(5).containsAll(favored);
        assertThat(TestCluster.mostInOneRack(found)).as("%s", found).isEqualTo(2);
      }
    }
  }

  @Test
  void allAvailable_areTheTargets() {
    assertThat(chosen(null, nodes(0, 6, 8))).containsExactlyInAnyOrderElementsOf(nodes(0, 6, 8));
    assertThat(chosen(null, nodes(0, 6, 8, 12)))
        .as("the first three")
        .doesNotContain(cluster.nodes.get(12));
  }

  @Test
  void someNotAvailable_othersTakeTheirPlace() {
    cluster.nodes.get(6).startDecommission();
    for (int i = 0; i < 20; i++) {
      assertThat(chosen(null, nodes(0, 6, 8)))
          .containsAll(nodes(0, 8))
          .doesNotContain(cluster.nodes.get(6));
    }
  }

  /** The sibling of the leaving one was given an SSD of its own. */
  @Test
  void someNotAvailable_storageTypesAreThoseOfOneBlock() {
    TestCluster tiers = TestCluster.withNodeGroups();
    for (int i = 0; i < 12; i++) {
      tiers.add("/r" + i / 6 + "/h" + i / 2, StorageType.SSD, StorageType.DISK);
    }
    List<DatanodeDescriptor> n = tiers.nodes;
    n.get(4).startDecommission();
    for (BlockPlacementPolicy policy : List.of(tiers.stock(), tiers.ours())) {
      for (int i = 0; i < 50; i++) {
        List<DatanodeDescriptor> favored = List.of(n.get(0), n.get(4), n.get(8));
        DatanodeStorageInfo[] targets =
            PlacementTesting.favored(
                policy, 3, null, null, favored, TestCluster.storagePolicy("ONE_SSD"), null);
        assertThat(targets)
            .hasSize(3)
            .filteredOn(t -> t.getStorageType() == StorageType.SSD)
            .as(policy.getClass().getSimpleName())
            .hasSize(1);
      }
    }
  }

  @Test
  void fewerThanReplicas_theWriterIsNext() {
    DatanodeDescriptor writer = cluster.nodes.get(3);
    for (int i = 0; i < 20; i++) {
      assertThat(chosen(writer, nodes(6))).contains(writer, cluster.nodes.get(6));
    }
  }

  @Test
  void fewerThanReplicas_localNodeNotPreferred_theWriterIsNotNext() {
    cluster.conf.setBoolean("dfs.namenode.block-placement-policy.default.prefer-local-node", false);
    UniformBlockPlacementPolicy policy = cluster.ours();
    DatanodeDescriptor writer = cluster.nodes.get(3);
    int local = 0;
    for (int i = 0; i < 60; i++) {
      local += chosen(policy, writer, null, nodes(6), null).contains(writer) ? 1 : 0;
    }
    assertThat(local).as("two of 17 DataNodes").isLessThan(30);
  }

  @Test
  void fewerThanReplicas_notLocal_isOnNoneOfTheWritersHost() {
    DatanodeDescriptor writer = cluster.nodes.get(3);
    for (int i = 0; i < 20; i++) {
      List<DatanodeDescriptor> found =
          chosen(ours, writer, null, nodes(6), EnumSet.of(AddBlockFlag.NO_LOCAL_WRITE));
      assertThat(TestCluster.locations(found))
          .hasSize(3)
          .doesNotContain(writer.getNetworkLocation());
      assertThat(found).contains(cluster.nodes.get(6)).hasSize(3);
    }
  }

  @Test
  void allInOneRack_oneReplicaIsElsewhere() {
    for (int i = 0; i < 20; i++) {
      List<DatanodeDescriptor> found = chosen(null, nodes(0, 2, 4));
      assertThat(found).filteredOn(n -> TestCluster.rack(n).equals("/r0")).hasSize(2);
    }
  }

  @Test
  void allOnOneHost_onlyStockDoublesIt() {
    TestCluster flat = TestCluster.flat(3, 3, 3);
    List<DatanodeDescriptor> favored = flat.nodes.subList(0, 3);
    List<DatanodeDescriptor> stock = chosen(flat.stock(), null, null, favored, null);
    assertThat(TestCluster.addresses(stock)).as("by stock").hasSizeLessThan(3);
    for (int i = 0; i < 20; i++) {
      List<DatanodeDescriptor> found = chosen(flat.ours(), null, null, favored, null);
      assertThat(TestCluster.addresses(found)).hasSize(3);
      assertThat(found).containsAnyElementsOf(favored);
    }
  }

  @Test
  void excludedFavoredNode_isNotUsed() {
    Set<Node> excluded = new HashSet<>(nodes(6));
    List<DatanodeDescriptor> found = chosen(ours, null, excluded, nodes(0, 6, 8), null);
    assertThat(found).hasSize(3).containsAll(nodes(0, 8)).doesNotContain(cluster.nodes.get(6));
    assertThat(excluded).as("the caller's set").containsExactlyElementsOf(nodes(6));
  }

  @Test
  void noFavoredNodes_isAChoiceAsAnyOther() {
    DatanodeDescriptor writer = cluster.nodes.get(3);
    assertThat(chosen(writer, null)).startsWith(writer);
    assertThat(chosen(writer, new ArrayList<>())).startsWith(writer);
  }

  @Test
  void favoredNodes_countAsLoad() {
    for (int i = 0; i < 20; i++) {
      chosen(null, nodes(0, 6, 8));
    }
    for (int i = 0; i < 20; i++) {
      assertThat(chosen(ours, null, null, null, null)).doesNotContainAnyElementsOf(nodes(0, 6, 8));
    }
  }

  /** Storage types of a ONE_SSD block whose first favored DataNode is that of a number. */
  private List<StorageType> oneSsd(int favored, TestCluster of) {
    DatanodeStorageInfo[] targets =
        PlacementTesting.favored(
            of.ours(),
            3,
            null,
            null,
            of.nodes.subList(favored, favored + 1),
            TestCluster.storagePolicy("ONE_SSD"),
            null);
    assertThat(TestCluster.nodesOf(targets)).contains(of.nodes.get(favored));
    List<StorageType> types = new ArrayList<>();
    for (DatanodeStorageInfo target : targets) {
      types.add(target.getStorageType());
    }
    return types;
  }

  /** Three racks of three hosts; the first DataNode has a disk only, the others also an SSD. */
  private static TestCluster withSsds() {
    TestCluster mixed = TestCluster.withNodeGroups();
    mixed.add("/r0/h0", StorageType.DISK);
    for (int i = 1; i < 9; i++) {
      mixed.add("/r" + i / 3 + "/h" + i, StorageType.SSD, StorageType.DISK);
    }
    return mixed;
  }

  @Test
  void othersOfAStoragePolicy_getTheTypesThatAreLeft() {
    TestCluster mixed = withSsds();
    for (int i = 0; i < 30; i++) {
      for (int favored : new int[] {0, 1}) {
        assertThat(oneSsd(favored, mixed))
            .containsExactlyInAnyOrder(StorageType.SSD, StorageType.DISK, StorageType.DISK);
      }
    }
  }

  /** The second try, which uses stale DataNodes, remembers the types, too. */
  @Test
  void othersAreStale_getTheTypesThatAreLeft() {
    TestCluster mixed = withSsds();
    mixed.avoidStale = true;
    for (int i = 2; i < 9; i++) {
      DFSTestUtil.resetLastUpdatesWithOffset(mixed.nodes.get(i), -60_000);
    }
    for (int i = 0; i < 30; i++) {
      assertThat(oneSsd(1, mixed))
          .containsExactlyInAnyOrder(StorageType.SSD, StorageType.DISK, StorageType.DISK);
    }
  }
}
