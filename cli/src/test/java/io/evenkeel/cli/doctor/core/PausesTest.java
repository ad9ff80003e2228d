package io.evenkeel.cli.doctor.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PausesTest {
  private static Map<String, Object> pauses(long stoodMillis, long collectedMillis) {
    return Map.of(
        "name",
        "Hadoop:service=DataNode,name=JvmMetrics",
        "GcTotalExtraSleepTime",
        stoodMillis,
        "GcTimeMillis",
        collectedMillis);
  }

  private static List<Diagnosis> find(Map<String, Object> before, Map<String, Object> after) {
    List<Reading> rounds = List.of(Reading.of(0, List.of(before)), Reading.of(100, List.of(after)));
    DataNodeHistory node = new DataNodeHistory("dn3", "h", "/r", true, rounds);
    return Doctor.examine(new Given().dataNode(node).cluster());
  }

  @Test
  void find_dataNodeThatIsStoppedAgainAndAgain_isNamed() {
    List<Diagnosis> found = find(pauses(500, 700), pauses(60_500, 700));
    assertThat(found).extracting(Diagnosis::subject).containsExactly("dn3");
    assertThat(found.get(0).evidence())
        .startsWith("its JVM stood still for at least 1m0s of 1m40s (60 %)");
    assertThat(found.get(0).stock()).startsWith("The cause is outside the JVM");
  }

  @Test
  void find_garbage_isTheHeap() {
    assertThat(find(pauses(0, 0), pauses(20_000, 19_000)).get(0).stock())
        .startsWith("Its heap is too small");
  }

  @Test
  void find_whatHealthyDataNodesStandStill_isNoFinding() {
    assertThat(find(pauses(500, 700), pauses(1200, 900))).isEmpty();
  }

  @Test
  void find_startedAgain_isNoFinding() {
    assertThat(find(pauses(90_000, 700), pauses(100, 300))).isEmpty();
  }

  @Test
  void find_nameNodeThatStandsStill_isNamed() {
    Given given =
        new Given()
            .nameNode("GcTotalExtraSleepTime", 0, 40_000)
            .nameNode("GcTimeMillis", 0, 39_000);
    List<Diagnosis> found = Pauses.find(given.cluster());
    assertThat(found).extracting(Diagnosis::subject).containsExactly("NameNode");
    assertThat(found.get(0).stock()).contains("HDFS_NAMENODE_OPTS");
    given.nameNode("HostAndPort", "nn1:8020", "nn2:8020");
    assertThat(Pauses.find(given.cluster())).isEmpty();
  }

  @Test
  void find_onlyOneRound_isNoFinding() {
    Given given = new Given().answering("dn1", true, false);
    assertThat(Pauses.find(given.cluster())).isEmpty();
  }
}
