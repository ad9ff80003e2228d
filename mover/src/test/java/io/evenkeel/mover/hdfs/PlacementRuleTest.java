package io.evenkeel.mover.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicyDefault;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicyWithUpgradeDomain;
import org.junit.jupiter.api.Test;

/** What stock's policies say of a move, asked as stock's movers ask them. */
class PlacementRuleTest {
  private static DatanodeInfo node(int number, String rack, String upgradeDomain) {
    DatanodeInfo node =
        new DatanodeInfo.DatanodeInfoBuilder()
            .setNodeID(new DatanodeID("1.2.3." + number, "h" + number, "n" + number, 1, 2, 3, 4))
            .setNetworkLocation(rack)
            .build();
    node.setUpgradeDomain(upgradeDomain);
    return node;
  }

  private static PlacementRule withUpgradeDomains() {
    Configuration conf = new Configuration(false);
    conf.set(
        "dfs.block.replicator.classname", BlockPlacementPolicyWithUpgradeDomain.class.getName());
    return new PlacementRule(conf);
  }

  private static boolean isMovable(PlacementRule rule, String source, String target) {
    return rule.isMovable(false, List.of("n1", "n2", "n3"), source, target);
  }

  @Test
  void upgradeDomains_twoReplicasInOneWouldBeFewerDomains_refused() {
    PlacementRule rule = withUpgradeDomains();
    rule.update(
        List.of(
            node(1, "/r", "a"),
            node(2, "/r", "b"),
            node(3, "/r", "c"),
            node(4, "/r", "a"),
            node(5, "/r", "d")));

    assertThat(isMovable(rule, "n1", "n4")).as("within a domain").isTrue();
    assertThat(isMovable(rule, "n2", "n5")).as("to a domain without a replica").isTrue();
    assertThat(isMovable(rule, "n2", "n4")).as("to the domain of another replica").isFalse();
  }

  @Test
  void upgradeDomain_isChanged_theNewOneCounts() {
    PlacementRule rule = withUpgradeDomains();
    DatanodeInfo a = node(1, "/r", "a");
    DatanodeInfo b = node(2, "/r", "b");
    DatanodeInfo c = node(3, "/r", "c");
    rule.update(List.of(a, b, c, node(4, "/r", "b")));
    assertThat(isMovable(rule, "n2", "n4")).isTrue();

    rule.update(List.of(a, b, c, node(4, "/r", "a")));

    assertThat(isMovable(rule, "n2", "n4")).isFalse();
    assertThat(isMovable(rule, "n1", "n4")).isTrue();
  }

  /** Stock's policy for node groups looks at no racks: it agrees to the second move, too. */
  @Test
  void nodeGroups_twoRacksWouldBecomeOne_refused() {
    Configuration conf = new Configuration(false);
    conf.set("net.topology.impl", "org.apache.hadoop.net.NetworkTopologyWithNodeGroup");
    conf.set(
        "dfs.block.replicator.classname",
        "org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicyWithNodeGroup");
    PlacementRule rule = new PlacementRule(conf);
    rule.update(
        List.of(
            node(1, "/r/a", null),
            node(2, "/s/b", null),
            node(3, "/s/c", null),
            node(4, "/r/d", null),
            node(5, "/s/d", null),
            node(6, "/s/c", null)));

    assertThat(isMovable(rule, "n1", "n4")).as("within its rack").isTrue();
    assertThat(isMovable(rule, "n1", "n5")).as("to the only other rack").isFalse();
    assertThat(isMovable(rule, "n2", "n5")).as("from a rack with two").isTrue();
    assertThat(isMovable(rule, "n2", "n6")).as("to the node group of another").isFalse();
  }

  /**
   * Fails once, as a policy of somebody's own may, and then answers as stock's default does not.
   */
  public static final class FailsOnce extends BlockPlacementPolicyDefault {
    private boolean failed;

    @Override
    public boolean isMovable(
        Collection<DatanodeInfo> replicas, DatanodeInfo source, DatanodeInfo target) {
      if (!failed) {
        failed = true;
        throw new IllegalStateException("once");
      }
      return target.getDatanodeUuid().equals("n4");
    }
  }

  @Test
  void policyFailsOnce_itIsAskedAgain() {
    Configuration conf = new Configuration(false);
    conf.set("dfs.block.replicator.classname", FailsOnce.class.getName());
    PlacementRule rule = new PlacementRule(conf);
    List<DatanodeInfo> nodes = new ArrayList<>();
    for (int i = 1; i <= 5; i++) {
      nodes.add(node(i, "/r", null));
    }
    rule.update(nodes);

    assertThat(isMovable(rule, "n1", "n5")).as("the racks alone decide").isTrue();
    assertThat(isMovable(rule, "n1", "n5")).isFalse();
    assertThat(isMovable(rule, "n1", "n4")).isTrue();
  }
}
