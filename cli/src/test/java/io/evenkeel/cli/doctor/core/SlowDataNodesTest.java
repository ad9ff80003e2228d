package io.evenkeel.cli.doctor.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.evenkeel.cli.doctor.core.Diagnosis.Kind;
import io.evenkeel.cli.doctor.core.SimulatedCluster.Fault;
import io.evenkeel.cli.doctor.core.SimulatedCluster.Limits;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Clusters that {@link SimulatedCluster} draws: faults must be named with the right DataNode or
 * host, and healthy clusters must have none. {@code -Devenkeel.doctor.clusters=1000} draws that
 * many of each kind, of 4 to 1000 DataNodes, and prints the counts; without it few and smaller ones
 * are drawn, so that the bars leave room for a bad draw.
 */
class SlowDataNodesTest {
  private static final int CLUSTERS = Integer.getInteger("evenkeel.doctor.clusters", 0);
  private static final Limits WATCHED = CLUSTERS > 0 ? Limits.ALL : Limits.ALL.upTo(60);

  static List<Diagnosis> examine(SimulatedCluster cluster) {
    List<Diagnosis> found = new ArrayList<>(SlowDataNodes.find(cluster.history()));
    found.addAll(BusyDataNodes.find(cluster.history()));
    return found;
  }

  static boolean right(SimulatedCluster cluster, Diagnosis each) {
    Kind kind =
        switch (cluster.fault()) {
          case NONE -> Kind.KEYS;
          case SLOW_DATANODE -> Kind.SLOW_DATANODE;
          case SLOW_HOST -> Kind.SLOW_HOST;
          case BUSY_DATANODE, BUSY_HOST -> Kind.BUSY;
        };
    return each.kind() == kind && each.subject().equals(cluster.victim());
  }

  /** What is busy may be slow as well, and DataNodes of a busy host are busy. */
  static boolean wrong(SimulatedCluster cluster, Diagnosis each) {
    boolean busy = cluster.fault() == Fault.BUSY_DATANODE || cluster.fault() == Fault.BUSY_HOST;
    return !right(cluster, each) && !(busy && cluster.isVictim(each.subject()));
  }

  /** Clusters with a fault, and those in which it was named; the same from the double on. */
  private record Counts(int planted, int named, int large, int largeNamed, List<String> wrong) {
    void holds() {
      assertThat(planted).isPositive();
      if (CLUSTERS > 0) {
        assertThat(named).isGreaterThanOrEqualTo((int) (0.95 * planted));
      }
      assertThat(named).isGreaterThanOrEqualTo((int) (0.9 * planted));
      assertThat(largeNamed).isGreaterThanOrEqualTo((int) (0.98 * large));
      assertThat(wrong).hasSizeLessThanOrEqualTo(Math.max(1, planted / 100));
    }
  }

  private static Counts draw(Fault fault, int few, Limits limits) {
    int planted = 0;
    int named = 0;
    int large = 0;
    int largeNamed = 0;
    List<String> wrong = new ArrayList<>();
    for (int seed = 1; seed <= (CLUSTERS > 0 ? CLUSTERS : few); seed++) {
      SimulatedCluster cluster = new SimulatedCluster(seed, fault, limits);
      if (cluster.fault() != fault) {
        continue;
      }
      boolean found = false;
      for (Diagnosis each : examine(cluster)) {
        found |= right(cluster, each);
        if (wrong(cluster, each)) {
          wrong.add(seed + " " + cluster + ": " + each.json());
        }
      }
      boolean isLarge = cluster.factor() >= 2;
      planted++;
      named += found ? 1 : 0;
      large += isLarge ? 1 : 0;
      largeNamed += isLarge && found ? 1 : 0;
    }
    Counts counts = new Counts(planted, named, large, largeNamed, wrong);
    if (CLUSTERS > 0) {
      System.out.println(fault + ": " + counts);
    }
    return counts;
  }

  @Test
  void find_healthyClusters_findsNothing() {
    Counts counts = draw(Fault.NONE, 100, WATCHED);
    assertThat(counts.wrong).hasSizeLessThanOrEqualTo(Math.max(1, counts.planted / 100));
  }

  @Test
  void find_slowDataNode_isNamed() {
    draw(Fault.SLOW_DATANODE, 80, WATCHED).holds();
  }

  @Test
  void find_slowHost_isNamedAndNotItsDataNodes() {
    draw(Fault.SLOW_HOST, 80, WATCHED).holds();
  }

  /** Traffic of healthy DataNodes differs by up to 40 per cent: only far more is told. */
  @Test
  void find_dataNodeWithManyTimesTheTraffic_isBusy() {
    Counts counts = draw(Fault.BUSY_DATANODE, 30, WATCHED.factor(6, 10));
    assertThat(counts.named).isGreaterThanOrEqualTo((int) (0.9 * counts.planted));
    assertThat(counts.wrong).hasSizeLessThanOrEqualTo(Math.max(1, counts.planted / 100));
  }

  @Test
  void find_hostWithManyTimesTheTraffic_isBusyAsAWhole() {
    Counts counts = draw(Fault.BUSY_HOST, 30, WATCHED.sizes(30, 60).factor(6, 10));
    assertThat(counts.named).isGreaterThanOrEqualTo((int) (0.8 * counts.planted));
    assertThat(counts.wrong).hasSizeLessThanOrEqualTo(Math.max(1, counts.planted / 100));
  }

  @Test
  void find_fewIntervals_findsNothing() {
    Limits limits = Limits.ALL.sizes(4, 40).minutes(0.2, 0.3).factor(5, 10);
    assertThat(examine(new SimulatedCluster(1, Fault.SLOW_DATANODE, limits))).isEmpty();
  }

  /** Five of which the fourth takes three times as long. */
  private static List<DataNodeHistory> fourthSlow() {
    return fourthSlow("BytesWritten", "TotalWriteTime");
  }

  private static List<DataNodeHistory> fourthSlow(String bytes, String time) {
    DataNodeHistory[] nodes = new DataNodeHistory[5];
    for (int i = 0; i < nodes.length; i++) {
      List<Reading> rounds = new ArrayList<>();
      long millis = 0;
      for (int t = 0; t <= 12; t++) {
        millis += i == 3 ? 900 : 300 + (i * 31 + t * 17) % 23;
        Map<String, Object> bean = new TreeMap<>();
        bean.put("name", "Hadoop:service=DataNode,name=DataNodeActivity-dn" + i);
        bean.put(bytes, t * 100L << 20);
        bean.put(time, millis);
        rounds.add(Reading.of(10 * t, List.of(bean)));
      }
      nodes[i] = new DataNodeHistory("dn" + i, "h" + i, "/r", true, rounds);
    }
    return List.of(nodes);
  }

  @Test
  void evidence_slowDataNode_hasNumbersAndUnits() {
    List<Diagnosis> found = SlowDataNodes.find(new Given().cluster(fourthSlow()));
    assertThat(found).extracting(Diagnosis::subject).containsExactly("dn3");
    assertThat(found.get(0).evidence())
        .matches(
            "writes: 9.00 ms for a MiB, 2.\\d\\d times the median of 4 peers \\(3.\\d\\d\\); over 2m0s");
  }

  @Test
  void find_slowPeers_areToldOnceByTheNameOfTheDataNode() {
    Given given =
        new Given()
            .nameNode("LiveNodes", "{\"dn3\":{\"xferaddr\":\"10.0.0.3:9866\"}}")
            .nameNode(
                "SlowPeersReport",
                "[{\"SlowNode\":\"10.0.0.3:9866\",\"ReportingNodes\":[\"a\",\"b\"]},{\"SlowNode\":\"dn1\","
                    + "\"SlowPeerLatencyWithReportingNodes\":[{\"ReportingNode\":\"a\"}]}]");
    List<Diagnosis> found = SlowDataNodes.find(given.cluster(fourthSlow()));
    assertThat(found)
        .extracting(Diagnosis::subject, Diagnosis::certainty)
        .containsExactly(
            tuple("dn3", Diagnosis.Certainty.CERTAIN), tuple("dn1", Diagnosis.Certainty.POSSIBLE));
    assertThat(found.get(0).evidence())
        .endsWith("; the NameNode's SlowPeersReport names it, by 2 DataNodes");
    assertThat(found.get(1).evidence())
        .isEqualTo("the NameNode's SlowPeersReport names it, by 1 DataNode");
  }

  @ParameterizedTest
  @ValueSource(strings = {"xferaddr", "infoAddr", "infoSecureAddr"})
  void find_slowPeerByAnyOfItsAddresses_isTheSameDataNode(String address) {
    Given given =
        new Given()
            .nameNode("LiveNodes", "{\"dn3\":{\"" + address + "\":\"10.0.0.3:9864\"}}")
            .nameNode("SlowPeersReport", "[{\"SlowNode\":\"10.0.0.3:9864\"}]");
    assertThat(SlowDataNodes.find(given.cluster(fourthSlow())))
        .extracting(Diagnosis::subject)
        .containsExactly("dn3");
  }

  @Test
  void find_onlyReadsSlow_looksForSlowReaders() {
    List<Diagnosis> found =
        SlowDataNodes.find(new Given().cluster(fourthSlow("BytesRead", "TotalReadTime")));
    assertThat(found)
        .extracting(Diagnosis::subject, Diagnosis::certainty)
        .containsExactly(tuple("dn3", Diagnosis.Certainty.LIKELY));
    assertThat(found.get(0).harm()).doesNotContain("pipeline");
  }

  /** As the command does by default: from two minutes on, as long as somebody may be named. */
  private static List<Diagnosis> watch(SimulatedCluster cluster) {
    int minutes = 2;
    while (minutes < 10 && Doctor.mayTellMore(cluster.history(minutes))) {
      minutes++;
    }
    return SlowDataNodes.find(cluster.history(minutes));
  }

  @ParameterizedTest
  @EnumSource(names = {"SLOW_DATANODE", "SLOW_HOST"})
  void mayTellMore_faultsOfAQuarterAndMore_areNamedInTheEnd(Fault fault) {
    Limits limits = WATCHED.minutes(10, 10);
    int planted = 0;
    int named = 0;
    int wrong = 0;
    for (int seed = 1; seed <= (CLUSTERS > 0 ? CLUSTERS : 40); seed++) {
      SimulatedCluster slow = new SimulatedCluster(seed, fault, limits);
      if (slow.fault() == fault) {
        List<Diagnosis> found = watch(slow);
        planted++;
        named += found.stream().anyMatch(each -> right(slow, each)) ? 1 : 0;
        wrong += found.stream().anyMatch(each -> wrong(slow, each)) ? 1 : 0;
      }
    }
    if (CLUSTERS > 0) {
      System.out.println(fault + " by default: " + named + " of " + planted + ", wrong " + wrong);
    }
    assertThat(named).isGreaterThanOrEqualTo((int) (0.95 * planted));
    assertThat(wrong).isLessThanOrEqualTo(Math.max(1, planted / 100));
  }

  /**
   * A watch that looks nine times needs more than chance at a look, or it would name healthy ones.
   */
  @Test
  void mayTellMore_healthyClusters_nobodyIsNamedInTheEnd() {
    int clusters = CLUSTERS > 0 ? CLUSTERS : 40;
    int wrong = 0;
    for (int seed = 1; seed <= clusters; seed++) {
      SimulatedCluster well = new SimulatedCluster(seed, Fault.NONE, WATCHED.minutes(10, 10));
      wrong += watch(well).isEmpty() ? 0 : 1;
    }
    if (CLUSTERS > 0) {
      System.out.println("healthy by default: " + wrong + " named of " + clusters);
    }
    assertThat(wrong).isLessThanOrEqualTo(Math.max(1, clusters / 100));
  }

  @Test
  void mayTellMore_slowBeyondDoubt_isOver() {
    assertThat(Doctor.mayTellMore(new Given().cluster(fourthSlow()))).isFalse();
  }

  @Test
  void mayTellMore_noLoad_isOver() {
    assertThat(Doctor.mayTellMore(new Given().cluster(fourthSlow("BytesWritten", "Nothing"))))
        .isFalse();
  }

  @Test
  void mayTellMore_nobodySlow_isNotOver() {
    List<DataNodeHistory> well = new ArrayList<>(fourthSlow());
    well.remove(3);
    assertThat(Doctor.mayTellMore(new Given().cluster(well))).isTrue();
  }
}
