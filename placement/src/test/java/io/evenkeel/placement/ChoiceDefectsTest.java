package io.evenkeel.placement;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.PlacementTesting;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What stock's choice does wrong where racks hold hosts with several DataNodes, beside ours. */
class ChoiceDefectsTest {
  private static AddBlockFlag noLocalRack() {
    for (AddBlockFlag flag : AddBlockFlag.values()) {
      if (flag.name().equals("NO_LOCAL_RACK")) {
        return flag;
      }
    }
    return Assumptions.abort("this release has no NO_LOCAL_RACK");
  }

  @Test
  void noLocalRack_isTheWritersRackNotItsNodeGroup() {
    AddBlockFlag flag = noLocalRack();
    TestCluster cluster = TestCluster.withNodeGroups(4, 2, 2);
    assertThat(inWritersRack(cluster, cluster.stock(), flag)).isEqualTo(200);
    assertThat(inWritersRack(cluster, cluster.ours(), flag)).isZero();
  }

  private static int inWritersRack(TestCluster c, BlockPlacementPolicy policy, AddBlockFlag flag) {
    int found = 0;
    for (int i = 0; i < 200; i++) {
      DatanodeDescriptor writer = c.nodes.get(i % c.nodes.size());
      List<DatanodeDescriptor> nodes = targets(policy, 3, writer, flag);
      assertThat(nodes).hasSize(3);
      found += TestCluster.racks(nodes).contains(TestCluster.rack(writer)) ? 1 : 0;
    }
    return found;
  }

  private static List<DatanodeDescriptor> targets(
      BlockPlacementPolicy policy, int replicas, DatanodeDescriptor writer, AddBlockFlag... flags) {
    return TestCluster.nodesOf(TestCluster.choose(policy, replicas, writer, flags));
  }

  @Test
  void noLocalWrite_isTheWritersHostNotItsDataNode() {
    TestCluster cluster = TestCluster.withNodeGroups(4, 2, 2);
    assertThat(onWritersHost(cluster, cluster.stock())).isEqualTo(200);
    assertThat(onWritersHost(cluster, cluster.ours())).isZero();
  }

  private static int onWritersHost(TestCluster cluster, BlockPlacementPolicy policy) {
    int found = 0;
    for (int i = 0; i < 200; i++) {
      DatanodeDescriptor writer = cluster.nodes.get(i % cluster.nodes.size());
      List<DatanodeDescriptor> nodes = targets(policy, 3, writer, AddBlockFlag.NO_LOCAL_WRITE);
      assertThat(nodes).hasSize(3);
      found += TestCluster.locations(nodes).contains(writer.getNetworkLocation()) ? 1 : 0;
    }
    return found;
  }

  @Test
  void noLocalWrite_withoutEnoughOtherHosts_usesTheWritersHostAllTheSame() {
    TestCluster cluster = TestCluster.withNodeGroups(3, 1, 2);
    List<DatanodeDescriptor> nodes =
        targets(cluster.ours(), 3, cluster.nodes.get(0), AddBlockFlag.NO_LOCAL_WRITE);
    assertThat(TestCluster.locations(nodes)).hasSize(3);
  }

  @Test
  void rackLimit_isPerRackNotPerNodeGroup() {
    TestCluster cluster = TestCluster.withNodeGroups(4, 10, 1);
    assertThat(blocksAbove(cluster, cluster.stock(), 4, 2)).isPositive();
    assertThat(blocksAbove(cluster, cluster.ours(), 4, 2)).isZero();
    assertThat(blocksAbove(cluster, cluster.stock(), 10, 4)).isPositive();
    assertThat(blocksAbove(cluster, cluster.ours(), 10, 4)).isZero();
  }

  private static int blocksAbove(
      TestCluster cluster, BlockPlacementPolicy policy, int replicas, int limit) {
    int above = 0;
    for (int i = 0; i < 500; i++) {
      List<DatanodeDescriptor> nodes = targets(policy, replicas, cluster.nodes.get(i % 40));
      assertThat(nodes).hasSize(replicas).doesNotHaveDuplicates();
      above += TestCluster.mostInOneRack(nodes) > limit ? 1 : 0;
    }
    return above;
  }

  /**
   * RS-6-3 with room for one internal block per host, and RS-3-2 with fewer hosts than internal
   * blocks.
   */
  @ParameterizedTest
  @CsvSource({"4, 4, 1, 9, 1", "1, 6, 2, 5, 1", "2, 3, 2, 5, 1", "1, 4, 3, 5, 2", "1, 3, 4, 5, 2"})
  void units_spreadOverHosts_onlyWithOurs(
      int racks, int hosts, int perHost, int units, int perHostAtMost) {
    // stock's own trouble needs several DataNodes a host or node groups it takes for racks
    TestCluster cluster = TestCluster.withNodeGroups(racks, hosts, Math.max(2, perHost));
    int stock = mostOnOneHost(cluster, PlacementTesting.stockStriped(), units);
    int ours = mostOnOneHost(cluster, new UniformStripedBlockPlacementPolicy(), units);
    assertThat(ours)
        .isEqualTo(perHostAtMost)
        .isEqualTo((units + racks * hosts - 1) / (racks * hosts));
    assertThat(stock).isGreaterThan(1);
  }

  private static int mostOnOneHost(TestCluster cluster, BlockPlacementPolicy policy, int units) {
    cluster.start(policy);
    int most = 0;
    for (int i = 0; i < 200; i++) {
      DatanodeDescriptor writer = cluster.nodes.get(i % cluster.nodes.size());
      List<DatanodeDescriptor> nodes = targets(policy, units, writer);
      assertThat(nodes).hasSize(units).doesNotHaveDuplicates();
      Map<String, Integer> counts = new HashMap<>();
      nodes.forEach(n -> counts.merge(n.getNetworkLocation(), 1, Integer::sum));
      most = Math.max(most, counts.values().stream().max(Integer::compare).orElse(0));
    }
    return most;
  }

  @Test
  void units_fewerHostsThanUnits_placesAllAndEvenlyOverRacks() {
    TestCluster cluster = TestCluster.withNodeGroups(2, 2, 2);
    UniformStripedBlockPlacementPolicy ours = cluster.oursStriped();
    for (int i = 0; i < 50; i++) {
      List<DatanodeDescriptor> nodes = targets(ours, 5, cluster.nodes.get(i % 8));
      assertThat(nodes).hasSize(5).doesNotHaveDuplicates();
      assertThat(TestCluster.locations(nodes)).hasSize(4);
      assertThat(TestCluster.mostInOneRack(nodes)).isEqualTo(3);
      assertThat(ours.verifyBlockPlacement(nodes.toArray(new DatanodeInfo[0]), 5))
          .returns(true, s -> s.isPlacementPolicySatisfied());
    }
  }

  /** A mapping with node groups under stock's default policy and topology: the half-way state. */
  @Test
  void nodeGroupsWithoutTheirTopology_stockPutsTwoReplicasOnEveryHost() {
    TestCluster half = TestCluster.flat();
    TestCluster full = TestCluster.withNodeGroups(2, 3, 2);
    for (DatanodeDescriptor node : full.nodes) {
      half.add(node.getNetworkLocation());
    }
    int doubled = 0;
    BlockPlacementPolicy stock = half.stock();
    UniformBlockPlacementPolicy ours = full.ours();
    int reported = 0;
    for (int i = 0; i < 300; i++) {
      List<DatanodeDescriptor> nodes = targets(stock, 3, half.nodes.get(i % 12));
      doubled += TestCluster.locations(nodes).size() < 3 ? 1 : 0;
      DatanodeInfo[] replicas = nodes.toArray(new DatanodeInfo[0]);
      assertThat(stock.verifyBlockPlacement(replicas, 3).isPlacementPolicySatisfied()).isTrue();
      reported += ours.verifyBlockPlacement(replicas, 3).isPlacementPolicySatisfied() ? 0 : 1;
    }
    assertThat(doubled).isEqualTo(300);
    assertThat(reported).as("with the policy switched on").isEqualTo(300);
  }

  /** Several DataNodes of one machine without any HVE set-up. */
  @Test
  void sameAddress_isOneHostWithOursOnly() {
    TestCluster cluster = TestCluster.flat(4, 2, 4);
    int stockDoubled = 0;
    BlockPlacementPolicy stock = cluster.stock();
    UniformBlockPlacementPolicy ours = cluster.ours();
    for (int i = 0; i < 200; i++) {
      DatanodeDescriptor writer = cluster.nodes.get(i % 32);
      stockDoubled += TestCluster.addresses(targets(stock, 3, writer)).size() < 3 ? 1 : 0;
      List<DatanodeDescriptor> nodes = targets(ours, 3, writer);
      assertThat(TestCluster.addresses(nodes)).hasSize(3);
      assertThat(TestCluster.racks(nodes)).hasSize(2);
    }
    assertThat(stockDoubled).isBetween(40, 160);
  }

  /** How far stock and ours are from an even load with local writers. */
  @Test
  void load_localWriters_isEvenWithOursOnly() {
    TestCluster cluster = TestCluster.withNodeGroups(4, 2, 4);
    assertThat(maxToMean(cluster, cluster.stock())).isGreaterThan(1.015);
    assertThat(maxToMean(cluster, cluster.ours())).isLessThan(1.01);
  }

  private static double maxToMean(TestCluster cluster, BlockPlacementPolicy policy) {
    Map<DatanodeDescriptor, Integer> counts = new HashMap<>();
    for (int i = 0; i < 16_000; i++) {
      targets(policy, 3, cluster.nodes.get(i % 32)).forEach(n -> counts.merge(n, 1, Integer::sum));
    }
    int total = counts.values().stream().mapToInt(Integer::intValue).sum();
    List<Integer> all = new ArrayList<>(counts.values());
    assertThat(total).isEqualTo(48_000);
    return all.stream().max(Integer::compare).orElse(0) * 32.0 / total;
  }

  /** The order of a pipeline is stock's: each target is the nearest to the one before it. */
  @Test
  void pipeline_fromTheWriter_goesToTheNearestFirst() {
    TestCluster cluster = TestCluster.withNodeGroups(2, 4, 2);
    UniformBlockPlacementPolicy ours = cluster.ours();
    for (int i = 0; i < 100; i++) {
      DatanodeDescriptor writer = cluster.nodes.get(i % 16);
      List<DatanodeDescriptor> nodes = targets(ours, 3, writer);
      List<String> racks =
          Arrays.asList(
              TestCluster.rack(nodes.get(0)),
              TestCluster.rack(nodes.get(1)),
              TestCluster.rack(nodes.get(2)));
      assertThat(nodes.get(0)).isEqualTo(writer);
      assertThat(racks.get(1)).isNotEqualTo(racks.get(0)).isEqualTo(racks.get(2));
    }
  }
}
