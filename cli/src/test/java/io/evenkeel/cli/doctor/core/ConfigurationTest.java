package io.evenkeel.cli.doctor.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.cli.doctor.core.Given.Disk;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ConfigurationTest {
  private static final String POLICY = "dfs.block.replicator.classname";

  @Test
  void find_noConfiguration_saysNothing() {
    assertThat(Configuration.find(new Given().nodeGroups("").cluster())).isEmpty();
  }

  @Test
  void find_nodeGroupsWithDefaultPolicy_isHalfEnabled() {
    Given given = new Given().nodeGroups("").conf("dfs.replication", "3");
    assertThat(Configuration.find(given.cluster()))
        .extracting(Diagnosis::evidence)
        .containsExactly(
            "network locations have two parts or more, and BlockPlacementPolicyDefault takes the"
                + " last one, the node group, for the rack (where the last part is a rack, as in"
                + " /room/rack, say --layers rack)");
  }

  @Test
  void find_nodeGroupsWhereOneLayoutKeyIsNotKnownYet_areRight() {
    Given given =
        new Given()
            .nodeGroups("")
            .conf("net.topology.impl", "org.apache.hadoop.net.NetworkTopologyWithNodeGroup")
            .conf(POLICY, "x.BlockPlacementPolicyWithNodeGroup");
    assertThat(Configuration.find(given.cluster())).isEmpty();
  }

  @Test
  void find_adviceForStock_namesAllKeysThatBelongTogether() {
    Given hosts =
        new Given()
            .conf("dfs.replication", "3")
            .dataNode("dn1", "h1", Map.of(), Disk.of("/1", 1, 9))
            .dataNode("dn2", "h1", Map.of(), Disk.of("/1", 1, 9));
    Given groups = new Given().nodeGroups("").conf("dfs.replication", "3");
    for (Given each : List.of(hosts, groups)) {
      assertThat(Configuration.find(each.cluster()).get(0).stock())
          .contains("org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicyWithNode")
          .contains("org.apache.hadoop.net.NetworkTopologyWithNodeGroup")
          .contains("dfs.use.dfs.network.topology to false");
    }
  }

  @Test
  void find_nodeGroupsWithOurPolicyActive_isRight() {
    Given given =
        new Given()
            .nodeGroups("active")
            .conf(POLICY, "io.evenkeel.placement.UniformBlockPlacementPolicy");
    assertThat(Configuration.find(given.cluster())).isEmpty();
  }

  @Test
  void find_nodeGroupsWithStocksPolicyForThem_isRight() {
    Given given =
        new Given()
            .nodeGroups("")
            .conf("net.topology.impl", "org.apache.hadoop.net.NetworkTopologyWithNodeGroup")
            .conf("dfs.use.dfs.network.topology", "false")
            .conf(POLICY, "x.BlockPlacementPolicyWithNodeGroup");
    assertThat(Configuration.find(given.cluster())).isEmpty();
  }

  @Test
  void find_hostsWithSeveralDataNodesOnRacks_isTold() {
    Given given =
        new Given()
            .conf("dfs.replication", "3")
            .dataNode("dn1", "h1", Map.of(), Disk.of("/1", 1, 9))
            .dataNode("dn2", "h1", Map.of(), Disk.of("/1", 1, 9));
    assertThat(Configuration.find(given.cluster()))
        .extracting(Diagnosis::evidence)
        .containsExactly(
            "hosts have several DataNodes, and BlockPlacementPolicyDefault knows racks only");
  }

  @Test
  void find_topologyThatIsNotRead_isTold() {
    Given given =
        new Given()
            .conf("net.topology.impl", "org.apache.hadoop.net.NetworkTopologyWithNodeGroup")
            .conf("dfs.use.dfs.network.topology", "true");
    assertThat(Configuration.find(given.cluster()))
        .extracting(Diagnosis::subject)
        .containsExactly("net.topology.impl");
  }

  @Test
  void find_exclusionWithoutMeasuring_hasNoEffect() {
    Given given =
        new Given()
            .conf("dfs.datanode.max.slowdisks.to.exclude", "1")
            .conf("dfs.datanode.fileio.profiling.sampling.percentage", "0")
            .conf("dfs.namenode.block-placement-policy.exclude-slow-nodes.enabled", "true")
            .conf("dfs.datanode.peer.stats.enabled", "false");
    assertThat(Configuration.find(given.cluster()))
        .extracting(Diagnosis::subject)
        .containsExactly(
            "dfs.datanode.max.slowdisks.to.exclude",
            "dfs.namenode.block-placement-policy.exclude-slow-nodes.enabled");
  }

  @Test
  void find_defectsOfOlderAndNewerReleases_areTheirOwn() {
    assertThat(defects("2.7.7")).containsExactly("HDFS-9608", "HDFS-9668, HDFS-15382");
    assertThat(defects("3.3.6")).containsExactly("HDFS-9668, HDFS-15382");
    assertThat(defects("3.4.3-vendor-7")).containsExactly("HDFS-16819");
    assertThat(defects("")).isEmpty();
    assertThat(defects("20261129000000.1")).isEmpty();
  }

  private static String[] defects(String version) {
    Given given =
        new Given()
            .nameNode("SoftwareVersion", version)
            .dataNode("dn1", Disk.of("/1", 1, 9), Disk.of("/2", 1, 9));
    return KnownDefects.find(given.cluster()).stream()
        .map(Diagnosis::subject)
        .toArray(String[]::new);
  }

  @Test
  void find_defectOfTypesJudgedTogether_needsBothItsKeys() {
    Given given = new Given().dataNode("dn1", Disk.of("/1", 1, 9), Disk.of("/2", 1, 9).on("SSD"));
    assertThat(KnownDefects.find(given.cluster()))
        .extracting(Diagnosis::subject)
        .doesNotContain("HDFS-17936, HDFS-17681");
    given.conf("dfs.datanode.max.slowdisks.to.exclude", "2");
    assertThat(KnownDefects.find(given.cluster()))
        .extracting(Diagnosis::subject)
        .contains("HDFS-17936, HDFS-17681");
  }

  @Test
  void find_defectThatOurDatasetCures_isNotTold() {
    Given given =
        new Given()
            .conf("dfs.datanode.fsdataset.factory", "io.evenkeel.locking.FineGrainedDatasetFactory")
            .dataNode("dn1", Disk.of("/1", 1, 9), Disk.of("/2", 1, 9));
    assertThat(KnownDefects.find(given.cluster())).isEmpty();
  }
}
