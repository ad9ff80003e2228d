package io.evenkeel.mover.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
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
}
