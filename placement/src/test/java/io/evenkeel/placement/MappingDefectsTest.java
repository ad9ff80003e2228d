package io.evenkeel.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.util.List;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What stock makes of hosts that the site's mapping does not place, with and without ours. */
class MappingDefectsTest {
  private static final List<String> UNKNOWN = List.of("10.0.1.1", "10.0.1.2");

  @BeforeEach
  void site() {
    FakeSite.reset();
    for (int i = 0; i < 4; i++) {
      FakeSite.TABLE.put("10.0.0." + i, "/r" + i % 2 + "/h" + i);
    }
  }

  private static TestCluster located(List<String> locations) {
    TestCluster cluster = TestCluster.withNodeGroups();
    locations.forEach(cluster::add);
    return cluster;
  }

  private static NodeGroupMapping mapping() {
    TestCluster keys = TestCluster.withNodeGroups();
    keys.conf.set("evenkeel.placement.mapping.wrapped", FakeSite.class.getName());
    NodeGroupMapping mapping = new NodeGroupMapping();
    mapping.configure(keys.conf, MappingRole.NAMENODE);
    return mapping;
  }

  /** Stock puts every unknown DataNode into one node group, however many hosts they are on. */
  @Test
  void unknownHosts_areOneHostToStock_andTheirOwnWithTheMapping() {
    TestCluster stock = located(List.of("/r0/h0", "/r1/h1", "/default-rack", "/default-rack"));
    assertThat(TestCluster.locations(stock.nodes.subList(2, 4)))
        .containsExactly("/default-rack/default-nodegroup");

    TestCluster ours = located(List.of("/r0/h0", "/r1/h1"));
    mapping().resolve(UNKNOWN).forEach(ours::add);
    assertThat(TestCluster.locations(ours.nodes)).hasSize(4);
    UniformBlockPlacementPolicy policy = ours.ours();
    for (int i = 0; i < 50; i++) {
      List<DatanodeDescriptor> nodes =
          TestCluster.nodesOf(TestCluster.choose(policy, 4, ours.nodes.get(i % 4)));
      assertThat(TestCluster.locations(nodes)).hasSize(4);
    }
  }

  /** Locations of different depth: stock's topology takes them, the mapping does not. */
  @Test
  void mixedDepths_areTakenByStockAndEvenedByTheMapping() {
    List<String> mixed = List.of("/r1/n1", "/dc1/r1/n2", "/r1/n3");
    assertThatCode(() -> located(mixed)).doesNotThrowAnyException();
    FakeSite.TABLE.put("10.0.1.1", "/dc1/r1/n2");
    FakeSite.TABLE.put("10.0.1.2", "/r9");
    List<String> locations = mapping().resolve(List.of("10.0.0.1", "10.0.1.1", "10.0.1.2"));
    assertThat(locations)
        .allMatch(location -> location.chars().filter(c -> c == '/').count() == 2)
        .doesNotHaveDuplicates();
  }

  /** Should such a topology exist all the same, hosts are told apart by full paths. */
  @Test
  void mixedDepths_inTheTopology_breakNoRule() {
    TestCluster cluster =
        located(List.of("/r1/n1", "/r1/n1", "/dc1/r1/n1", "/dc1/r1/n2", "/r2/n1", "/r2/n1"));
    UniformBlockPlacementPolicy policy = cluster.ours();
    for (int i = 0; i < 50; i++) {
      List<DatanodeDescriptor> nodes =
          TestCluster.nodesOf(TestCluster.choose(policy, 4, cluster.nodes.get(i % 6)));
      assertThat(TestCluster.locations(nodes)).hasSize(4);
    }
  }
}
