package io.evenkeel.cli.doctor.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.evenkeel.cli.doctor.core.Diagnosis.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MembershipTest {
  private static List<Diagnosis> find(Given given) {
    return Membership.find(given.cluster());
  }

  @Test
  void find_healthyCluster_findsNothing() {
    Given given =
        new Given()
            .nameNode("LiveNodes", "{\"dn1:9866\":{\"version\":\"3.4.3\"}}")
            .nameNode("DeadNodes", "{\"dn9:9866\":{\"decommissioned\":true}}")
            .nameNode("DecomNodes", "{}")
            .nameNode("Safemode", "")
            .nameNode("NumberOfMissingBlocks", 0L)
            .dataNode("dn1", "h1", Map.of("NumFailedVolumes", 0L));
    assertThat(find(given)).isEmpty();
  }

  @Test
  void find_deadSilentAndSafeMode_areIncomplete() {
    Given given =
        new Given()
            .nameNode("DeadNodes", "{\"dn9:9866\":{\"decommissioned\":false}}")
            .nameNode("Safemode", "Safe mode is ON.\n The reported blocks 0")
            .silent("dn2:9864");
    assertThat(find(given))
        .extracting(Diagnosis::kind, Diagnosis::subject)
        .containsExactly(
            tuple(Kind.DEAD_DATANODE, "dn9:9866"),
            tuple(Kind.INCOMPLETE, "dn2:9864"),
            tuple(Kind.INCOMPLETE, "NameNode"));
  }

  @Test
  void find_missingBlocks_areCounted() {
    Given given =
        new Given()
            .nameNode("NumberOfMissingBlocks", 7L)
            .nameNode("NumberOfMissingBlocksWithReplicationFactorOne", 2L);
    assertThat(find(given))
        .extracting(Diagnosis::evidence)
        .containsExactly("7 blocks have no live replica, 2 of them in files with one replica");
  }

  @Test
  void find_failedVolume_namesItsDataNode() {
    Given given = new Given().dataNode("dn3", "h", Map.of("NumFailedVolumes", 2L));
    assertThat(find(given))
        .extracting(Diagnosis::evidence)
        .containsExactly("failed volumes of dn3 (2)");
  }

  @Test
  void find_decommissionThatGetsOn_isNoFinding() {
    Given given =
        new Given()
            .nameNode(
                "DecomNodes",
                "{\"dn1\":{\"underReplicatedBlocks\":50}}",
                "{\"dn1\":{\"underReplicatedBlocks\":20}}");
    assertThat(find(given)).isEmpty();
  }

  @Test
  void find_decommissionOfOpenFiles_saysSo() {
    String nodes = "{\"dn1\":{\"underReplicatedBlocks\":5,\"underReplicateInOpenFiles\":5}}";
    assertThat(find(new Given().nameNode("DecomNodes", nodes)))
        .extracting(Diagnosis::evidence)
        .containsExactly(
            "decommission: 5 blocks left, no fewer after 2m0s; 5 blocks are of files that are"
                + " open");
  }

  @Test
  void find_decommissionWithoutAnyCopy_blamesTheRules() {
    String nodes = "{\"dn1\":{\"underReplicatedBlocks\":5}}";
    Given given = new Given().nameNode("DecomNodes", nodes);
    given.nameNode("ScheduledReplicationBlocks", 0L).nameNode("PendingReplicationBlocks", 0L);
    assertThat(find(given).get(0).evidence()).contains("there is no place that keeps the rules");
  }

  @Test
  void find_decommissionAcrossAFailoverOrByAStandby_isNotJudged() {
    Given given = new Given().nameNode("DecomNodes", "{\"dn1\":{\"underReplicatedBlocks\":5}}");
    assertThat(find(given)).hasSize(1);
    given.nameNode("HostAndPort", "nn1:8020", "nn2:8020");
    assertThat(find(given)).extracting(Diagnosis::kind).containsExactly(Kind.FAILOVER);
    given.nameNode("HostAndPort", "nn1:8020").nameNode("State", "standby");
    assertThat(find(given)).isEmpty();
  }

  @Test
  void find_twoReleases_areTold() {
    Given given =
        new Given()
            .nameNode(
                "LiveNodes", "{\"dn1\":{\"version\":\"3.4.3\"},\"dn2\":{\"version\":\"3.3.6\"}}");
    assertThat(find(given))
        .extracting(Diagnosis::evidence)
        .containsExactly("3.3.6: dn2; 3.4.3: dn1, NameNode; no rolling upgrade is under way");
  }

  @Test
  void find_twoReleasesInARollingUpgrade_areRight() {
    Given given =
        new Given()
            .nameNode("RollingUpgradeStatus", Map.of("finalizeTime", 0L))
            .nameNode("LiveNodes", "{\"dn2\":{\"version\":\"3.3.6\"}}");
    assertThat(find(given)).isEmpty();
  }

  @Test
  void find_slowDiskByStocksOwnDetector_isPassedOn() {
    Given given = new Given().dataNode("dn1", "h", Map.of("SlowDisks", "[\"/data/3\"]"));
    assertThat(find(given)).extracting(Diagnosis::subject).containsExactly("dn1 /data/3");
  }

  @Test
  void find_oneClockApart_namesIt() {
    List<DataNodeHistory> dataNodes = new ArrayList<>();
    double[] ahead = {0.4, -0.3, -61, 1.2};
    for (int i = 0; i < ahead.length; i++) {
      List<Reading> rounds = List.of(Reading.of(0, List.of()), Reading.of(60, List.of()));
      dataNodes.add(new DataNodeHistory("dn" + i, "h" + i, "/r", true, rounds).withClock(ahead[i]));
    }
    List<Diagnosis> found = Membership.find(new Given().cluster(dataNodes));
    assertThat(found).extracting(Diagnosis::subject).containsExactly("dn2");
    assertThat(found.get(0).evidence())
        .isEqualTo("dn2 is 1m1s behind, compared with the median clock");
  }

  @Test
  void find_dataNodeThatStopsAnswering_isNamed() {
    Given given = new Given();
    given.nameNode("LiveNodes", "{\"dn1\":{\"lastContact\":1},\"dn2\":{\"lastContact\":78}}");
    given.dataNode("dn1").answering("dn2", true, true, false, false);
    assertThat(find(given))
        .extracting(Diagnosis::kind, Diagnosis::subject)
        .containsExactly(tuple(Kind.INCOMPLETE, "dn2"));
    assertThat(find(given).get(0).evidence())
        .contains("dn2 (no answer in 2 of 4 rounds, no heartbeat for 1m18s)");
  }

  @Test
  void find_oneRoundWithoutAnswerInTheMiddle_isNoFinding() {
    assertThat(find(new Given().answering("dn2", true, false, true, true))).isEmpty();
  }

  @Test
  void find_dataNodeThatAnswersButSendsNoHeartbeat_isNamed() {
    Given given = new Given().nameNode("LiveNodes", "{\"dn2\":{\"lastContact\":45}}");
    assertThat(find(given.dataNode("dn2")))
        .extracting(Diagnosis::subject, Diagnosis::evidence)
        .containsExactly(
            tuple(
                "dn2",
                "they answer, but the NameNode waits for their heartbeats: dn2 (no heartbeat for"
                    + " 45 s)"));
  }

  @Test
  void find_deadDataNode_isNotCalledLiveAsWell() {
    Given given = new Given().nameNode("DeadNodes", "{\"dn2\":{\"decommissioned\":false}}");
    assertThat(find(given.answering("dn2", true, false, false))).hasSize(1);
  }

  @Test
  void find_deadWhileInMaintenance_isMeant() {
    String nodes = "{\"dn9\":{\"decommissioned\":false,\"adminState\":\"In Maintenance\"}}";
    assertThat(find(new Given().nameNode("DeadNodes", nodes))).isEmpty();
  }

  @Test
  void find_noLiveDataNode_isTold() {
    Given given = new Given().nameNode("LiveNodes", "{}").nameNode("DeadNodes", "{}");
    assertThat(find(given))
        .extracting(Diagnosis::evidence)
        .containsExactly("it knows no live DataNode");
  }

  @Test
  void find_nameNodeThatStopsAnswering_isNamed() {
    Given given = new Given().answering("dn1", true, true, true, true, true).unanswered(3);
    assertThat(find(given))
        .extracting(Diagnosis::subject, Diagnosis::evidence)
        .containsExactly(tuple("NameNode", "no answer in 3 of 5 rounds"));
  }

  @Test
  void find_decommissionNotSeenAgain_isNotJudged() {
    Given given = new Given().nameNode("DecomNodes", "{\"dn1\":{\"underReplicatedBlocks\":5}}");
    assertThat(Membership.find(given.clusterWhoseNameNodeStops())).isEmpty();
  }

  @Test
  void find_nameNodeThatStops_keepsWhatItSaidOfItsDataNodes() {
    Given given = new Given().nameNode("DeadNodes", "{\"dn9\":{\"decommissioned\":false}}");
    ClusterHistory cluster = given.clusterWhoseNameNodeStops();
    assertThat(Membership.find(cluster)).extracting(Diagnosis::subject).containsExactly("dn9");
    assertThat(cluster.last().version()).isEqualTo("3.4.3");
  }

  @ParameterizedTest
  @CsvSource({
    "It was turned on manually., Somebody turned it on",
    "Resources are low on NN. Please add, Free space",
    "The reported blocks 0 needs additional 9 blocks, Start the DataNodes that are missing"
  })
  void find_safeMode_saysTheWayOutOfThisOne(String reason, String remedy) {
    Given given = new Given().nameNode("Safemode", "Safe mode is ON. " + reason);
    assertThat(find(given).get(0).stock()).startsWith(remedy);
  }

  @Test
  void find_decommission_isCalledAsElsewhere() {
    List<Reading> rounds = List.of(Reading.of(0, List.of()), Reading.of(120, List.of()));
    DataNodeHistory dataNode = new DataNodeHistory("dn1:9864", "h", "/r", false, rounds);
    Given given =
        new Given()
            .nameNode("DecomNodes", "{\"dn1:9866\":{\"underReplicatedBlocks\":5}}")
            .dataNode(dataNode.registeredAs("dn1:9866"));
    assertThat(find(given)).extracting(Diagnosis::subject).containsExactly("dn1:9864");
  }

  @Test
  void find_decommissionOfAClusterThatGetsOn_isNoFinding() {
    String nodes = "{\"dn1\":{\"underReplicatedBlocks\":5}}";
    Given given = new Given().nameNode("DecomNodes", nodes);
    assertThat(find(given.nameNode("UnderReplicatedBlocks", 900L, 400L))).isEmpty();
    assertThat(find(given.nameNode("UnderReplicatedBlocks", 900L, 900L))).hasSize(1);
  }

  @Test
  void find_decommissionWithCopiesUnderWay_isAHint() {
    String nodes = "{\"dn1\":{\"underReplicatedBlocks\":5}}";
    Given given =
        new Given().nameNode("DecomNodes", nodes).nameNode("PendingReplicationBlocks", 3L);
    assertThat(find(given))
        .extracting(Diagnosis::certainty)
        .containsExactly(Diagnosis.Certainty.POSSIBLE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"In Maintenance", "Decommissioned"})
  void find_stoppedOnPurpose_isNoFinding(String state) {
    String node = "{\"dn2\":{\"lastContact\":240,\"adminState\":\"" + state + "\"}}";
    Given given = new Given().nameNode("LiveNodes", node);
    assertThat(find(given.answering("dn2", true, false, false, false))).isEmpty();
  }

  @Test
  void find_noAnswerInTheLastRoundOnly_isNoFindingWhileItSendsHeartbeats() {
    Given given = new Given().nameNode("LiveNodes", "{\"dn2\":{\"lastContact\":1}}");
    assertThat(find(given.answering("dn2", true, true, true, false))).isEmpty();
  }

  @Test
  void find_dataNodeThatRefusesUs_isNoFinding() {
    List<Reading> none = Arrays.asList(null, null, null);
    DataNodeHistory node = new DataNodeHistory("dn2", "h", "/r", true, none);
    Given given = new Given().nameNode("LiveNodes", "{\"dn2\":{\"lastContact\":1}}");
    assertThat(find(given.dataNode(node.refusing(true)))).isEmpty();
  }

  @Test
  void find_twoClocksApart_namesTheOneAhead() {
    List<DataNodeHistory> dataNodes = new ArrayList<>();
    double[] ahead = {0.1, 9.4};
    for (int i = 0; i < ahead.length; i++) {
      List<Reading> rounds = List.of(Reading.of(0, List.of()), Reading.of(60, List.of()));
      dataNodes.add(new DataNodeHistory("dn" + i, "h" + i, "/r", true, rounds).withClock(ahead[i]));
    }
    assertThat(Membership.find(new Given().cluster(dataNodes)))
        .extracting(Diagnosis::subject)
        .containsExactly("dn1");
  }
}
