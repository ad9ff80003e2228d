package io.evenkeel.placement;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Moves and excess replicas: what stock allows with node groups, beside ours. */
class RemovalDefectsTest {
  private final TestCluster cluster = TestCluster.withNodeGroups();

  /** Names are rack, host and DataNode there: a11 and a12 are on one host. */
  private DatanodeDescriptor a11;

  private DatanodeDescriptor a12;
  private DatanodeDescriptor a21;
  private DatanodeDescriptor b11;
  private DatanodeDescriptor b21;
  private DatanodeDescriptor b31;
  private DatanodeDescriptor c11;

  @BeforeEach
  void nodes() {
    a11 = cluster.add("/a/h1");
    a12 = cluster.add("/a/h1");
    a21 = cluster.add("/a/h2");
    b11 = cluster.add("/b/h1");
    b21 = cluster.add("/b/h2");
    b31 = cluster.add("/b/h3");
    c11 = cluster.add("/c/h1");
  }

  private static boolean movable(
      BlockPlacementPolicy policy, DatanodeInfo from, DatanodeInfo to, DatanodeInfo... replicas) {
    return policy.isMovable(new ArrayList<>(Arrays.asList(replicas)), from, to);
  }

  @Test
  void move_thatLeavesOneRack_isAllowedByStockOnly() {
    assertThat(movable(cluster.stock(), a11, b31, a11, b11, b21)).isTrue();
    assertThat(movable(cluster.ours(), a11, b31, a11, b11, b21)).isFalse();
  }

  @Test
  void move_ontoTheHostOfAReplica_isRefused() {
    assertThat(movable(cluster.ours(), b11, a12, a11, b11, b21)).isFalse();
    TestCluster flat = TestCluster.flat(2, 2, 2);
    DatanodeDescriptor[] n = flat.nodes.toArray(new DatanodeDescriptor[0]);
    assertThat(movable(flat.stock(), n[6], n[5], n[0], n[4], n[6])).as("stock").isTrue();
    assertThat(movable(flat.ours(), n[6], n[5], n[0], n[4], n[6])).isFalse();
  }

  @Test
  void move_truthTable() {
    UniformBlockPlacementPolicy ours = cluster.ours();
    assertThat(movable(ours, a11, a12, a11, b11, b21)).as("to its sibling").isTrue();
    assertThat(movable(ours, a11, a21, a11, b11, b21)).as("inside its rack").isTrue();
    assertThat(movable(ours, a11, c11, a11, b11, b21)).as("to a third rack").isTrue();
    assertThat(movable(ours, b11, a21, a11, b11, b21)).as("to the other rack").isTrue();
    assertThat(movable(ours, b11, a12, a11, b11, b21)).as("beside a replica").isFalse();
    assertThat(movable(ours, a11, b11, a11, c11, b21)).as("three racks to two").isTrue();
    assertThat(movable(cluster.stock(), a11, b11, a11, c11, b21)).as("stock").isTrue();
    assertThat(movable(cluster.oursStriped(), a11, b11, a11, c11, b21)).as("units").isFalse();
    assertThat(movable(ours, a11, b31, a11, a12, b21)).as("off a doubled host").isTrue();
    assertThat(movable(ours, a12, a12, a11, a12, b21)).as("nowhere").isTrue();
  }

  /**
   * Balancer and Mover ask the policy of replicated blocks about internal blocks, with the target
   * among all.
   */
  @Test
  void move_ofUnits_keepsTheirRacks() {
    TestCluster groups = TestCluster.withNodeGroups(5, 3, 1);
    TestCluster plain = TestCluster.flat(5, 3, 1);
    for (TestCluster each : List.of(groups, plain)) {
      DatanodeDescriptor[] n = each.nodes.toArray(new DatanodeDescriptor[0]);
      DatanodeInfo[] units = {n[0], n[3], n[6], n[9], n[12], n[1]};
      assertThat(movable(each.ours(), n[12], n[1], units)).as("five racks to four").isFalse();
    }
    DatanodeDescriptor[] n = plain.nodes.toArray(new DatanodeDescriptor[0]);
    DatanodeInfo[] three = {n[0], n[3], n[6], n[1]};
    assertThat(movable(plain.stock(), n[6], n[1], three)).as("stock, plain racks").isFalse();
    assertThat(movable(plain.ours(), n[6], n[1], three)).isFalse();
    DatanodeDescriptor[] g = groups.nodes.toArray(new DatanodeDescriptor[0]);
    DatanodeInfo[] inGroups = {g[0], g[3], g[6], g[1]};
    assertThat(movable(groups.stock(), g[6], g[1], inGroups)).as("stock, groups").isTrue();
    assertThat(movable(groups.ours(), g[6], g[1], inGroups)).isTrue();
  }

  /** Of 3,000 replicas all but three go; what is cubic does not end here. */
  @Test
  @Timeout(60)
  void thousandsOfReplicas_lowered_takesNoTimeToSpeakOf() {
    TestCluster many = TestCluster.flat(60, 50, 1);
    List<DatanodeStorageInfo> storages = new ArrayList<>();
    for (DatanodeDescriptor node : many.nodes) {
      storages.add(node.getStorageInfos()[0]);
    }
    List<StorageType> excess = new ArrayList<>(Collections.nCopies(2997, StorageType.DISK));
    assertThat(
            many.ours()
                .chooseReplicasToDelete(storages, new ArrayList<>(storages), 3, excess, null, null))
        .hasSize(2997);
  }

  @Test
  void move_sameNodeGroupNameInTwoRacks_isNoObstacle() {
    // stock's own topology tells full paths apart here
    assertThat(movable(cluster.ours(), b21, b11, a11, c11, b21)).isTrue();
  }

  private static List<DatanodeDescriptor> deleted(
      BlockPlacementPolicy policy,
      int expected,
      DatanodeDescriptor added,
      DatanodeDescriptor hint,
      DatanodeDescriptor... replicas) {
    List<DatanodeStorageInfo> storages = new ArrayList<>();
    List<StorageType> excess = new ArrayList<>();
    for (DatanodeDescriptor node : replicas) {
      storages.add(node.getStorageInfos()[0]);
      excess.add(StorageType.DISK);
    }
    return TestCluster.nodesOf(
        policy
            .chooseReplicasToDelete(
                storages, new ArrayList<>(storages), expected, excess, added, hint)
            .toArray(new DatanodeStorageInfo[0]));
  }

  private static void free(long gib, DatanodeDescriptor... nodes) {
    for (DatanodeDescriptor node : nodes) {
      TestCluster.heartbeat(node, gib * TestCluster.GIB, 0, StorageType.DISK);
    }
  }

  /** /a/h1 and /b/h1 are two hosts: the replica with the least space goes, not one of them. */
  @Test
  void repeatedNames_deletion_isByFullPath() {
    free(50, a11, b11, a21);
    free(10, b31);
    assertThat(deleted(cluster.stock(), 3, null, null, a11, a21, b11, b31))
        .as("stock keeps the fullest DataNode")
        .containsAnyOf(a11, b11)
        .hasSize(1);
    assertThat(deleted(cluster.ours(), 3, null, null, a11, a21, b11, b31)).containsExactly(b31);
  }

  @Test
  void doubledHost_goesBeforeHeartbeatAndSpace() {
    free(90, a11, a12);
    free(1, b21);
    DFSTestUtil.resetLastUpdatesWithOffset(b11, -600_000);
    assertThat(deleted(cluster.ours(), 3, null, null, a11, a12, b11, b21))
        .containsAnyOf(a11, a12)
        .hasSize(1);
    TestCluster flat = TestCluster.flat();
    DatanodeDescriptor one = flat.add("/a", "10.0.0.1", StorageType.DISK);
    DatanodeDescriptor sibling = flat.add("/a", "10.0.0.1", StorageType.DISK);
    DatanodeDescriptor other = flat.add("/b", "10.0.0.2", StorageType.DISK);
    DatanodeDescriptor third = flat.add("/b", "10.0.0.3", StorageType.DISK);
    free(1, other);
    assertThat(deleted(flat.stock(), 3, null, null, one, sibling, other, third))
        .as("stock knows no hosts")
        .containsExactly(other);
    assertThat(deleted(flat.ours(), 3, null, null, one, sibling, other, third))
        .containsAnyOf(one, sibling)
        .hasSize(1);
  }

  @Test
  void noDoubledHost_overdueHeartbeatGoesBeforeSpace() {
    free(1, b21);
    DFSTestUtil.resetLastUpdatesWithOffset(a21, -600_000);
    for (BlockPlacementPolicy policy : List.of(cluster.ours(), cluster.stock())) {
      assertThat(deleted(policy, 3, null, null, a11, a21, b31, b21)).containsExactly(a21);
    }
  }

  @Test
  void twoRacks_deletionNeverLeavesOne() {
    free(1, a11);
    assertThat(deleted(cluster.ours(), 2, null, null, a11, b11, b21))
        .doesNotContain(a11)
        .hasSize(1);
    assertThat(deleted(cluster.ours(), 2, null, null, a11, a21, b11, b21))
        .hasSize(2)
        .satisfies(gone -> assertThat(TestCluster.racks(gone)).hasSize(2));
  }

  @Test
  void hint_thatWeakensNothing_isFollowed() {
    free(1, b11);
    assertThat(deleted(cluster.ours(), 3, b31, b21, a11, b11, b31, b21)).containsExactly(b21);
    // a move to another rack: the source goes, although its rack is then left
    assertThat(deleted(cluster.ours(), 3, c11, a11, a11, b11, b21, c11)).containsExactly(a11);
  }

  @Test
  void hint_thatLosesARack_isNotFollowed() {
    assertThat(deleted(cluster.ours(), 3, b31, a11, a11, b11, b21, b31))
        .doesNotContain(a11)
        .hasSize(1);
  }

  /**
   * Moved beside a sibling of another replica: stock follows the hint and leaves a doubled host.
   */
  @Test
  void hint_thatLosesAHost_isFollowedByStockOnly() {
    DatanodeDescriptor b12 = cluster.add("/b/h1");
    assertThat(deleted(cluster.stock(), 3, b12, b21, a11, b11, b12, b21))
        .as("stock")
        .containsExactly(b21);
    assertThat(deleted(cluster.ours(), 3, b12, b21, a11, b11, b12, b21))
        .hasSize(1)
        .containsAnyOf(b11, b12);
  }

  @Test
  void twoStoragesOfOneDataNode_areNoDoubledHost() {
    TestCluster flat = TestCluster.flat();
    DatanodeDescriptor two = flat.add("/a", StorageType.DISK, StorageType.DISK);
    DatanodeDescriptor b = flat.add("/b", StorageType.DISK);
    DatanodeDescriptor c = flat.add("/c", StorageType.DISK);
    free(1, b);
    List<DatanodeStorageInfo> storages = new ArrayList<>(Arrays.asList(two.getStorageInfos()));
    storages.add(b.getStorageInfos()[0]);
    storages.add(c.getStorageInfos()[0]);
    List<StorageType> excess = new ArrayList<>(List.of(StorageType.DISK));
    for (BlockPlacementPolicy policy : List.of(flat.stock(), flat.ours())) {
      List<DatanodeStorageInfo> gone =
          policy.chooseReplicasToDelete(
              storages, new ArrayList<>(storages), 3, new ArrayList<>(excess), null, null);
      assertThat(gone).containsExactly(b.getStorageInfos()[0]);
    }
  }

  @Test
  void onlyExcessTypes_areDeleted() {
    TestCluster flat = TestCluster.flat();
    DatanodeDescriptor ssd = flat.add("/a", StorageType.SSD);
    DatanodeDescriptor disk = flat.add("/b", StorageType.DISK);
    DatanodeDescriptor other = flat.add("/c", StorageType.DISK);
    List<DatanodeStorageInfo> storages = new ArrayList<>();
    for (DatanodeDescriptor node : List.of(ssd, disk, other)) {
      storages.add(node.getStorageInfos()[0]);
    }
    List<StorageType> excess = new ArrayList<>(List.of(StorageType.SSD));
    assertThat(
            flat.ours()
                .chooseReplicasToDelete(storages, new ArrayList<>(storages), 1, excess, null, disk))
        .as("the hint is of another type, and only one SSD is too much")
        .containsExactly(ssd.getStorageInfos()[0]);
    assertThat(excess).isEmpty();
  }
}
