package io.evenkeel.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.testing.LogLines;
import io.evenkeel.placement.namenode.HostIdentity;
import io.evenkeel.placement.namenode.NameNodePlacement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.PlacementTesting;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What counts as one host, and the cases where an address or a name says nothing. */
class HostIdentityTest {
  private static final String HOST_KEY = "evenkeel.placement.host-key";

  private static TestCluster addresses(String... addresses) {
    TestCluster cluster = TestCluster.flat();
    for (int i = 0; i < addresses.length; i++) {
      cluster.add("/r" + i % 2, addresses[i], StorageType.DISK);
    }
    return cluster;
  }

  private static boolean satisfied(TestCluster cluster, int... replicas) {
    DatanodeInfo[] found =
        Arrays.stream(replicas).mapToObj(cluster.nodes::get).toArray(DatanodeInfo[]::new);
    return cluster.ours().verifyBlockPlacement(found, found.length).isPlacementPolicySatisfied();
  }

  private static Set<DatanodeDescriptor> used(TestCluster cluster, int replicas, int blocks) {
    Set<DatanodeDescriptor> used = new HashSet<>();
    UniformBlockPlacementPolicy ours = cluster.ours();
    for (int i = 0; i < blocks; i++) {
      List<DatanodeDescriptor> nodes =
          TestCluster.nodesOf(TestCluster.choose(ours, replicas, null));
      assertThat(nodes).hasSize(replicas).doesNotHaveDuplicates();
      used.addAll(nodes);
    }
    return used;
  }

  @ParameterizedTest
  @ValueSource(strings = {"auto", "address"})
  void loopback_isNoHost(String key) {
    TestCluster cluster = addresses("127.0.0.1", "127.0.0.1", "127.0.0.1", "127.0.0.1");
    cluster.conf.set(HOST_KEY, key);
    assertThat(satisfied(cluster, 0, 1, 2)).isTrue();
    assertThat(used(cluster, 3, 20)).hasSize(4);
  }

  @Test
  void sameAddress_isOneHost() {
    TestCluster cluster =
        addresses("10.0.0.1", "10.0.0.2", "10.0.0.1", "10.0.0.3", "10.0.0.4", "10.0.0.5");
    assertThat(satisfied(cluster, 0, 2, 1)).isFalse();
    assertThat(satisfied(cluster, 0, 4, 1)).isTrue();
    UniformBlockPlacementPolicy ours = cluster.ours();
    for (int i = 0; i < 50; i++) {
      List<DatanodeDescriptor> nodes = TestCluster.nodesOf(TestCluster.choose(ours, 5, null));
      assertThat(TestCluster.addresses(nodes)).hasSize(5);
    }
  }

  @Test
  void none_makesEveryDataNodeAHost() {
    TestCluster cluster = addresses("10.0.0.1", "10.0.0.2", "10.0.0.1", "10.0.0.3");
    cluster.conf.set(HOST_KEY, "none");
    assertThat(satisfied(cluster, 0, 2, 1)).isTrue();
    assertThat(used(cluster, 4, 1)).hasSize(4);
  }

  @Test
  void noneOnNodeGroups_keepsTheRacks() {
    TestCluster cluster = TestCluster.withNodeGroups(2, 1, 3);
    cluster.conf.set(HOST_KEY, "none");
    assertThat(satisfied(cluster, 0, 1, 3)).isTrue();
    assertThat(satisfied(cluster, 0, 1, 2)).as("one rack").isFalse();
  }

  @Test
  void hostname_isOneHostWhateverTheAddress() {
    TestCluster cluster = addresses("10.0.0.1", "10.0.0.2", "10.0.0.3", "10.0.0.4");
    cluster.conf.set(HOST_KEY, "hostname");
    for (DatanodeDescriptor node : cluster.nodes.subList(0, 2)) {
      setHostName(node, "vmhost");
    }
    assertThat(satisfied(cluster, 0, 1, 2)).isFalse();
    assertThat(satisfied(cluster, 0, 2, 3)).isTrue();
    setHostName(cluster.nodes.get(0), "localhost.localdomain");
    setHostName(cluster.nodes.get(1), "localhost");
    cluster.nodes.forEach(n -> assertThat(n.getHostName()).isNotNull());
    assertThat(satisfied(cluster, 0, 1, 2)).as("names that say nothing").isTrue();
  }

  private static void setHostName(DatanodeDescriptor node, String name) {
    node.updateRegInfo(
        new org.apache.hadoop.hdfs.protocol.DatanodeID(
            node.getIpAddr(),
            name,
            node.getDatanodeUuid(),
            node.getXferPort(),
            node.getInfoPort(),
            node.getInfoSecurePort(),
            node.getIpcPort()));
  }

  @Test
  void storageOutsideHdfs_isAHostOfItsOwn() throws ReflectiveOperationException {
    DatanodeDescriptor provided = PlacementTesting.provided();
    Assumptions.assumeTrue(provided != null, "this release has no provided storage");
    provided.setNetworkLocation("/REMOTE");
    DatanodeDescriptor other = PlacementTesting.provided();
    TestCluster cluster = addresses("10.0.0.1", "10.0.0.2", "10.0.0.3");
    for (HostIdentity.Kind kind : HostIdentity.Kind.values()) {
      HostIdentity keys = HostIdentity.of(kind, kind == HostIdentity.Kind.NODE_GROUP);
      assertThat(keys.host(provided)).as(kind.name()).isNotNull();
      assertThat(keys.rack(provided)).isEqualTo("/REMOTE");
      assertThat(keys.host(cluster.nodes.get(0))).isNotEqualTo(keys.host(provided));
    }
    HostIdentity keys = HostIdentity.of(HostIdentity.Kind.ADDRESS, false);
    assertThat(keys.host(provided)).isNotEqualTo(keys.host(other));
    DatanodeInfo[] replicas = {provided, cluster.nodes.get(0), cluster.nodes.get(1)};
    assertThat(cluster.ours().verifyBlockPlacement(replicas, 3).isPlacementPolicySatisfied())
        .isTrue();
  }

  private static TestCluster behindNat() {
    return addresses("10.0.0.1", "10.0.0.1", "10.0.0.1", "10.0.0.1", "10.0.0.2", "10.0.0.3");
  }

  @Test
  void oneAddressOverMoreThanHalf_isNotUsedAndOneWarning() {
    TestCluster cluster = behindNat();
    try (LogLines log = LogLines.of(NameNodePlacement.class)) {
      assertThat(satisfied(cluster, 0, 1, 2)).isTrue();
      assertThat(used(cluster, 5, 20)).hasSize(6);
      cluster.remove(cluster.nodes.get(5));
      assertThat(used(cluster, 5, 1)).hasSize(5);
      assertThat(log.at("WARN")).singleElement().asString().contains("More than half", HOST_KEY);
    }
  }

  @Test
  void oneAddressOverMoreThanHalf_isUsedWhenAskedFor() {
    TestCluster cluster = behindNat();
    cluster.conf.set(HOST_KEY, "address");
    try (LogLines log = LogLines.of(NameNodePlacement.class)) {
      assertThat(satisfied(cluster, 0, 1, 4)).isFalse();
      assertThat(log.at("WARN")).isEmpty();
    }
  }

  @Test
  void oneAddressOverHalf_isUsed() {
    TestCluster cluster =
        addresses("10.0.0.1", "10.0.0.1", "10.0.0.1", "10.0.0.4", "10.0.0.2", "10.0.0.3");
    assertThat(satisfied(cluster, 0, 1, 4)).isFalse();
  }

  /** What holds for a choice holds for favored nodes and for excess replicas. */
  @Test
  void oneAddressOverMoreThanHalf_isNotUsedAnywhere() {
    TestCluster cluster = behindNat();
    UniformBlockPlacementPolicy ours = cluster.ours();
    List<DatanodeDescriptor> favored = cluster.nodes.subList(0, 3);
    assertThat(
            TestCluster.nodesOf(
                PlacementTesting.favored(
                    ours, 3, null, null, favored, TestCluster.POLICIES.getDefaultPolicy(), null)))
        .containsExactlyInAnyOrderElementsOf(favored);

    List<DatanodeStorageInfo> replicas = new ArrayList<>();
    List<StorageType> excess = new ArrayList<>();
    for (int i : new int[] {0, 1, 4, 5}) {
      replicas.add(cluster.nodes.get(i).getStorageInfos()[0]);
      excess.add(StorageType.DISK);
    }
    TestCluster.heartbeat(cluster.nodes.get(5), 1, 0, StorageType.DISK);
    List<DatanodeStorageInfo> gone =
        ours.chooseReplicasToDelete(replicas, new ArrayList<>(replicas), 3, excess, null, null);
    assertThat(TestCluster.nodesOf(gone.toArray(new DatanodeStorageInfo[0])))
        .as("the fullest, not one behind the address")
        .containsExactly(cluster.nodes.get(5));
  }
}
