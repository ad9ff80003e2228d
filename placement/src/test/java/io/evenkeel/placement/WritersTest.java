package io.evenkeel.placement;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.net.Node;
import org.apache.hadoop.net.NodeBase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where the first replica goes, by where the writer is. */
class WritersTest {
  /** First replicas by DataNode. */
  private static Map<DatanodeDescriptor, Integer> replicas(
      BlockPlacementPolicy policy, Node writer, int blocks) {
    Map<DatanodeDescriptor, Integer> counts = new HashMap<>();
    for (int i = 0; i < blocks; i++) {
      TestCluster.nodesOf(TestCluster.choose(policy, 3, writer))
          .forEach(node -> counts.merge(node, 1, Integer::sum));
    }
    return counts;
  }

  private static Map<DatanodeDescriptor, Integer> first(
      BlockPlacementPolicy policy, Node writer, int blocks) {
    Map<DatanodeDescriptor, Integer> counts = new HashMap<>();
    for (int i = 0; i < blocks; i++) {
      List<DatanodeDescriptor> nodes = TestCluster.nodesOf(TestCluster.choose(policy, 3, writer));
      assertThat(nodes).hasSize(3);
      assertThat(TestCluster.racks(nodes)).hasSizeGreaterThan(1);
      counts.merge(nodes.get(0), 1, Integer::sum);
    }
    return counts;
  }

  private static int most(Map<?, Integer> counts) {
    return counts.values().stream().max(Integer::compare).orElse(0);
  }

  @Test
  void ownDataNode_getsTheFirst() {
    TestCluster cluster = TestCluster.withNodeGroups(2, 3, 2);
    DatanodeDescriptor writer = cluster.nodes.get(3);
    assertThat(first(cluster.ours(), writer, 50)).containsOnlyKeys(writer);
  }

  @Test
  void ownDataNodeNotInService_itsSiblingOnTheHostGetsTheFirst() {
    TestCluster cluster = TestCluster.withNodeGroups(2, 3, 2);
    DatanodeDescriptor writer = cluster.nodes.get(3);
    writer.startDecommission();
    assertThat(first(cluster.ours(), writer, 50)).containsOnlyKeys(cluster.nodes.get(2));
  }

  @Test
  void wholeHostNotInService_itsRackGetsTheFirst() {
    TestCluster cluster = TestCluster.withNodeGroups(2, 3, 2);
    DatanodeDescriptor writer = cluster.nodes.get(3);
    writer.startDecommission();
    cluster.nodes.get(2).startDecommission();
    assertThat(TestCluster.racks(first(cluster.ours(), writer, 50).keySet()))
        .containsExactly(TestCluster.rack(writer));
  }

  /** A client on a machine with several DataNodes is known by its address only. */
  @Test
  void sharedAddress_itsDataNodesTakeTurns() {
    TestCluster cluster = TestCluster.flat(2, 3, 4);
    DatanodeDescriptor writer = cluster.nodes.get(0);
    Map<DatanodeDescriptor, Integer> counts = first(cluster.ours(), writer, 400);
    assertThat(counts.keySet()).containsExactlyInAnyOrderElementsOf(cluster.nodes.subList(0, 4));
    assertThat(most(counts)).isBetween(100, 110);
  }

  @Test
  void computeOnlyMachine_itsHostGetsTheFirst() {
    TestCluster cluster = TestCluster.withNodeGroups(2, 3, 2);
    Node writer = new NodeBase("vm17", cluster.nodes.get(4).getNetworkLocation());
    Map<DatanodeDescriptor, Integer> counts = first(cluster.ours(), writer, 200);
    assertThat(counts.keySet()).containsExactlyInAnyOrderElementsOf(cluster.nodes.subList(4, 6));
    assertThat(most(counts)).isBetween(100, 110);
  }

  /** On a rack that is known, on no host of a DataNode. */
  @Test
  void edgeWriter_isNearWhileThatIsUniform() {
    for (TestCluster cluster :
        List.of(TestCluster.withNodeGroups(4, 2, 2), TestCluster.flat(4, 2, 2))) {
      boolean groups = cluster.topology.isNodeGroupAware();
      Node edge = new NodeBase("edge1", groups ? "/r1/edge1" : "/r1");
      assertThat(most(replicas(cluster.ours(), edge, 320)))
          .as("replicas, 60 each and 8 for nearness")
          .isLessThan(70);
      int inRack = 0;
      for (Map.Entry<DatanodeDescriptor, Integer> e :
          first(cluster.stock(), edge, 160).entrySet()) {
        inRack += TestCluster.rack(e.getKey()).equals("/r1") ? e.getValue() : 0;
      }
      assertThat(inRack).as("by stock").isEqualTo(160);
    }
  }

  @Test
  void edgeWriter_rackNotMoreLoadedThanOthers_isInItsRack() {
    TestCluster cluster = TestCluster.flat(4, 2, 2);
    Map<DatanodeDescriptor, Integer> counts =
        first(cluster.ours(), new NodeBase("edge1", "/r1"), 8);
    assertThat(TestCluster.racks(counts.keySet())).containsExactly("/r1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/default-rack", "/elsewhere/h9", "/r1/h2/too/deep", ""})
  void unknownWriter_isUniform(String location) {
    TestCluster cluster = TestCluster.withNodeGroups(4, 2, 2);
    Map<DatanodeDescriptor, Integer> counts =
        first(cluster.ours(), new NodeBase("x", location), 160);
    assertThat(counts).hasSize(16);
    assertThat(most(counts)).as("10 each").isLessThan(25);
  }

  @Test
  void noWriter_isUniform() {
    TestCluster cluster = TestCluster.withNodeGroups(4, 2, 2);
    assertThat(first(cluster.ours(), null, 160)).hasSize(16);
  }

  @Test
  void localNodeNotPreferred_itsRackGetsTheFirst() {
    TestCluster cluster = TestCluster.withNodeGroups(2, 3, 2);
    cluster.conf.setBoolean("dfs.namenode.block-placement-policy.default.prefer-local-node", false);
    DatanodeDescriptor writer = cluster.nodes.get(0);
    Map<DatanodeDescriptor, Integer> ours = first(cluster.ours(), writer, 2_000);
    assertThat(TestCluster.racks(ours.keySet())).containsExactly("/r0");
    assertThat(most(ours)).as("one DataNode of six").isLessThan(2_000 / 6 + 100);
    Map<DatanodeDescriptor, Integer> stock = first(cluster.stock(), writer, 2_000);
    assertThat(TestCluster.racks(stock.keySet())).containsExactly("/r0");
    assertThat(most(stock)).as("one DataNode of two, as it stays on the host").isLessThan(1_200);
  }

  /** A DataNode that is gone from the topology writes on. */
  @Test
  void removedDataNode_isAWriterOnItsHost() {
    TestCluster cluster = TestCluster.withNodeGroups(2, 3, 2);
    DatanodeDescriptor writer = cluster.nodes.get(3);
    cluster.remove(writer);
    assertThat(first(cluster.ours(), writer, 50)).containsOnlyKeys(cluster.nodes.get(2));
  }

  /** Two hosts and two replicas: the writer's host has to have one, on its other DataNode. */
  @Test
  void noLocalWrite_itsHostIsNeeded_writersOwnDataNodeIsNot() {
    TestCluster cluster = TestCluster.flat(2, 1, 2);
    DatanodeDescriptor writer = cluster.nodes.get(0);
    for (BlockPlacementPolicy policy : List.of(cluster.stock(), cluster.ours())) {
      for (int i = 0; i < 50; i++) {
        List<DatanodeDescriptor> nodes =
            TestCluster.nodesOf(TestCluster.choose(policy, 2, writer, AddBlockFlag.NO_LOCAL_WRITE));
        assertThat(nodes).hasSize(2).doesNotContain(writer);
      }
    }
  }
}
