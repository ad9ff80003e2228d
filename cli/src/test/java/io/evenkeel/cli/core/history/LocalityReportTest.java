package io.evenkeel.cli.core.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.cli.core.Finding;
import io.evenkeel.terasort.core.locality.HostMap;
import io.evenkeel.terasort.core.locality.Locality;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LocalityReportTest {
  private static final HostMap NODE_GROUPS =
      new HostMap(
          Map.of(
              "a1", "/r1/n1", "a2", "/r1/n1", "b1", "/r1/n2", "b2", "/r1/n2", "c1", "/r2/n3", "c2",
              "/r2/n3"),
          HostMap.Layers.AUTO);

  private final Map<String, String> job = new HashMap<>();
  private final Map<String, String> cluster = new HashMap<>();

  private LocalityReport report(Events events, HostMap topology) {
    return new LocalityReport(events.read(), topology, new JobSettings(job::get, cluster::get));
  }

  private static List<String> kinds(LocalityReport report) {
    return report.findings().stream().map(Finding::kind).toList();
  }

  private static String message(LocalityReport report, String kind) {
    return report.findings().stream()
        .filter(finding -> finding.kind().equals(kind))
        .map(Finding::message)
        .findFirst()
        .orElseThrow();
  }

  private static long[] tasks(LocalityReport report) {
    long[] tasks = new long[Locality.values().length];
    for (Locality locality : Locality.values()) {
      tasks[locality.ordinal()] = report.row(locality).tasks();
    }
    return tasks;
  }

  @Test
  void rows_oneTaskEach_haveTheirBytesAndTimes() {
    LocalityReport report =
        report(
            new Events()
                .submitted(6)
                .map(0, "a1,c1", "a1", "/x", 10, 20)
                .map(1, "a1,c1", "a2", "/x", 10, 30)
                .map(2, "a1", "b1", "/x", 10, 40)
                .map(3, "a1", "c2", "/x", 10, 50)
                .map(4, "z9", "c2", "/x", 10, 60)
                .started(5, "a1")
                .finished(),
            NODE_GROUPS);
    assertThat(tasks(report)).containsExactly(1, 1, 1, 1, 1);
    assertThat(report.row(Locality.SAME_RACK).bytes()).isEqualTo(300);
    assertThat(report.row(Locality.OFF_RACK).millis()).isEqualTo(40);
    assertThat(report.bytes()).isEqualTo(1500);
    assertThat(report.tasks()).isEqualTo(5);
    assertThat(report.withoutEnd()).isEqualTo(1);
  }

  @Test
  void bytes_withoutCounter_areToldAsMissing() {
    LocalityReport report =
        report(
            new Events()
                .submitted(1)
                .started(0, "a1")
                .attempt(0, 0, "a1", "", 1)
                .succeeded(0, 0, "a1", "/r1", 2, -1)
                .finished(),
            NODE_GROUPS);
    assertThat(report.row(Locality.SAME_VM).withoutCounters()).isEqualTo(1);
    assertThat(report.bytes()).isZero();
  }

  @Test
  void siblings_namedByNodeGroupSplits_areSameHost() {
    Events events =
        new Events()
            .submitted(3)
            .map(0, "a1,b1,a2,b2", "a2", "/r1+n1", 1, 2)
            .map(1, "a1,b1,a2,b2", "b1", "/r1+n2", 1, 2)
            .map(2, "a2", "a2", "/r1+n1", 1, 2)
            .finished();
    job.put("mapreduce.job.inputformat.class", "io.evenkeel.terasort.NodeGroupInputFormat");
    job.put("evenkeel.terasort.locality.replicas", "2x2,0x1");
    assertThat(tasks(report(events, NODE_GROUPS))).containsExactly(1, 2, 0, 0, 0);
    assertThat(tasks(report(events, null))).containsExactly(1, 2, 0, 0, 0);
    assertThat(kinds(report(events, null))).isEmpty();

    job.remove("evenkeel.terasort.locality.replicas");
    assertThat(tasks(report(events, NODE_GROUPS))).containsExactly(3, 0, 0, 0, 0);
    assertThat(kinds(report(events, NODE_GROUPS))).containsExactly("replicas-not-told");
  }

  @Test
  void noTopology_racksOfTheHistory_areUsed() {
    LocalityReport report =
        report(
            new Events()
                .submitted(2)
                .map(0, "b1", "a1", "/r1", 1, 2)
                .map(1, "a1", "b1", "/r1", 1, 2)
                .finished(),
            null);
    assertThat(tasks(report)).containsExactly(0, 0, 2, 0, 0);
    assertThat(kinds(report)).contains("no-node-groups").doesNotContain("no-racks");
  }

  private static Events asTheMasterSaw(String locality, String rack) {
    return new Events()
        .submitted(1)
        .started(0, "x1")
        .attempt(0, 0, "a1", locality, 1)
        .succeeded(0, 0, "a1", rack, 2, 5)
        .finished();
  }

  @Test
  void noTopology_replicaRanNoTask_isWhatTheMasterSaw() {
    assertThat(tasks(report(asTheMasterSaw("RACK_LOCAL", "/r1"), null)))
        .containsExactly(0, 0, 1, 0, 0);
    assertThat(tasks(report(asTheMasterSaw("RACK_LOCAL", "/r1+n1"), null)))
        .containsExactly(0, 1, 0, 0, 0);
    assertThat(tasks(report(asTheMasterSaw("OFF_SWITCH", "/r1"), null)))
        .containsExactly(0, 0, 0, 1, 0);
    assertThat(tasks(report(asTheMasterSaw("OFF_SWITCH", "/r1+n1"), null)))
        .containsExactly(0, 0, 0, 0, 1);
    assertThat(tasks(report(asTheMasterSaw("RACK_LOCAL", "/default-rack"), null)))
        .containsExactly(0, 0, 0, 0, 1);
    assertThat(report(asTheMasterSaw("RACK_LOCAL", "/r1"), null).toldByMaster()).isEqualTo(1);
    assertThat(kinds(report(asTheMasterSaw("RACK_LOCAL", "/default-rack"), null)))
        .containsExactly("no-racks");
  }

  @Test
  void findings_allLocal_areNone() {
    Events events = new Events().submitted(1).map(0, "a1,b1", "a1", "/r1", 1, 2).finished();
    assertThat(report(events, NODE_GROUPS).findings()).isEmpty();
  }

  private static Events away() {
    return new Events()
        .submitted(3)
        .map(0, "a1", "a2", "/x", 100, 200)
        .map(1, "a1", "c1", "/x", 150, 300)
        .map(2, "a1,a2,b1,b2", "c2", "/x", 200, 300)
        .finished();
  }

  @Test
  void findings_tasksAway_nameWhatCostIt() {
    LocalityReport report = report(away(), NODE_GROUPS);
    assertThat(kinds(report))
        .containsExactly("one-replica", "siblings-not-named", "host-in-use", "rack-delay");
    assertThat(message(report, "one-replica")).startsWith("1 ");
    assertThat(message(report, "siblings-not-named")).startsWith("1 ");
    // at 150 a2 ran; at 200 it had just ended
    assertThat(message(report, "host-in-use")).startsWith("1 of 2 ");
    assertThat(message(report, "rack-delay")).contains("not set (-1)").contains("2 tasks");
  }

  @Test
  void findings_delays_followTheSchedulersSettings() {
    cluster.put("yarn.scheduler.capacity.rack-locality-additional-delay", "20");
    assertThat(kinds(report(away(), NODE_GROUPS))).doesNotContain("rack-delay", "node-delay");
    cluster.put("yarn.scheduler.capacity.node-locality-delay", "-1");
    assertThat(kinds(report(away(), NODE_GROUPS))).contains("node-delay");
    cluster.put("yarn.scheduler.capacity.rack-locality-additional-delay", "-1");
    assertThat(message(report(away(), NODE_GROUPS), "rack-delay")).contains(" is -1:");
    cluster.put("yarn.resourcemanager.scheduler.class", "x.FairScheduler");
    assertThat(kinds(report(away(), NODE_GROUPS))).doesNotContain("rack-delay", "node-delay");
  }

  @Test
  void findings_settingsNotReadable_sayNothingOfThem() {
    LocalityReport report =
        new LocalityReport(away().read(), NODE_GROUPS, new JobSettings(null, null));
    assertThat(kinds(report)).contains("no-job-conf").doesNotContain("rack-delay");
  }

  @Test
  void findings_fullLists_mayHaveBeenCut() {
    job.put("mapreduce.job.max.split.locations", "4");
    assertThat(message(report(away(), NODE_GROUPS), "locations-cut")).startsWith("1 ");
    job.put("mapreduce.job.max.split.locations", "5");
    assertThat(kinds(report(away(), NODE_GROUPS))).doesNotContain("locations-cut");
  }

  @Test
  void findings_unfinishedOrUber_areTold() {
    assertThat(kinds(report(new Events().submitted(1), NODE_GROUPS))).contains("incomplete");
    assertThat(kinds(report(new Events().uber().finished(), NODE_GROUPS))).containsExactly("uber");
  }

  @Test
  void replicaCounts_forAnotherNumberOfTasks_areNotUsed() {
    job.put("evenkeel.terasort.locality.replicas", "1x9,2x1");
    Events events = new Events().submitted(1).map(0, "a1,a2", "a2", "/r", 1, 2).finished();
    assertThat(tasks(report(events, NODE_GROUPS))).containsExactly(1, 0, 0, 0, 0);
  }
}
