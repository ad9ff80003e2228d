package io.evenkeel.cli.doctor.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.evenkeel.cli.doctor.core.Given.Disk;
import io.evenkeel.common.cli.ExitCode;
import io.evenkeel.common.json.Json;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DoctorReportTest {
  private static DoctorReport report(Given given, String... unseen) {
    ClusterHistory cluster = given.cluster();
    return new DoctorReport(
        "2026-01-02T03:04:05Z",
        "http://nn:9870",
        cluster,
        Doctor.examine(cluster),
        List.of(unseen));
  }

  @Test
  void text_nothingFound_saysWhatWasWatched() {
    DoctorReport report = report(new Given().dataNode("dn1", Disk.of("/1", 1, 9)));
    assertThat(report.text())
        .isEqualTo(
            "2026-01-02T03:04:05Z, http://nn:9870, Hadoop 3.4.3, 1 live DataNode on 1 host, watched"
                + " for 2m0s\nNothing is found to be wrong at the moment.\n");
    assertThat(report.exitCode()).isEqualTo(ExitCode.OK);
  }

  @Test
  void text_findings_areATableAndThenInFull() {
    DoctorReport report =
        report(new Given().dataNode("dn1", Disk.of("/1", 98, 2)), "/conf: 403 of http://nn:9870");
    assertThat(report.text())
        .contains("2 things are wrong, or may be.\n")
        .contains("1  full-soon  certain    volumes, DISK\n")
        .contains("\n1. full-soon: volumes, DISK\n   seen:          1 of 1 volumes")
        .contains("\n   with Evenkeel: evenkeel.placement.weight=remaining")
        .endsWith("\nNot looked at:\n  /conf: 403 of http://nn:9870\n");
    assertThat(report.text().lines()).allMatch(line -> line.length() <= 100);
    assertThat(report.exitCode()).isEqualTo(ExitCode.FINDING);
  }

  @Test
  void json_findings_areWords() {
    Object json = report(new Given().dataNode("dn1", Disk.of("/1", 98, 2))).json();
    assertThat(Json.compact(json))
        .contains("\"schema\":\"evenkeel.doctor/1\"", "\"exitCode\":2", "\"kind\":\"full-soon\"");
  }

  @Test
  void html_roundsWithoutTheNameNode_staysWhereTheDataNodesWere() {
    Given given = new Given().answering("dn1", true, true, true, true).unanswered(2);
    String page = DoctorPage.html(report(given));
    assertThat(page.split("<svg ", -1)).hasSize(6);
    assertThat(page).contains("30 s");
  }

  @Test
  void html_typeThatEmpties_isNeverLessThanEmpty() {
    Given given =
        new Given()
            .nameNode("name", "Hadoop:service=NameNode,name=BlockStats")
            .nameNode("StorageTypeStats", type(90), type(10));
    assertThat(DoctorPage.html(report(given))).doesNotContainPattern("[-\u2212][0-9.,]+ ?%");
  }

  private static List<Object> type(long used) {
    return List.of(
        Map.of(
            "key", "DISK", "value", Map.of("capacityUsed", used, "capacityRemaining", 100 - used)));
  }

  @Test
  void html_nothingAtAll_isAPage() {
    assertThat(DoctorPage.html(report(new Given()))).endsWith("</html>\n");
  }

  @Test
  void html_anyCluster_hasItsFindingsAndFivePictures() {
    String page = DoctorPage.html(report(new Given().dataNode("dn<1>", Disk.of("/1", 98, 2))));
    assertThat(page).contains("dn&lt;1&gt; /1 (98 %)").doesNotContain("dn<1>");
    assertThat(page.split("<svg ", -1)).hasSize(6);
  }

  @Test
  void exitCode_hintsAlone_areNoFinding() {
    DoctorReport report =
        report(new Given().dataNode("dn1", Disk.of("/1", 1, 9), Disk.of("/2", 1, 9)));
    assertThat(report.text()).contains("known-defect  possible");
    assertThat(report.exitCode()).isEqualTo(ExitCode.OK);
  }

  @Test
  void text_standingRisks_standLastAndAreNoFinding() {
    Given given =
        new Given()
            .nodeGroups("")
            .conf("dfs.replication", "3")
            .dataNode("dn1", "h", Map.of("SlowDisks", "[\"/data/3\"]"), Disk.of("/1", 1, 9));
    DoctorReport report = report(given);
    assertThat(report.text())
        .contains("1 thing is wrong, or may be. 1 standing risk of configuration and release.\n")
        .containsPattern("1 +slow-volume +likely")
        .containsPattern("2 +keys +likely");
    assertThat(report.exitCode()).isEqualTo(ExitCode.FINDING);
    DoctorReport risk = report(new Given().nodeGroups("").conf("dfs.replication", "3"));
    assertThat(risk.text()).contains("Nothing is found to be wrong at the moment. 1 standing risk");
    assertThat(risk.exitCode()).isEqualTo(ExitCode.OK);
  }

  @Test
  void examine_slowDataNodeThatStandsStill_isOneFinding() {
    List<DataNodeHistory> nodes = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      List<Reading> rounds = new ArrayList<>();
      for (int t = 0; t <= 12; t++) {
        Map<String, Object> writes = new HashMap<>();
        writes.put("name", "Hadoop:service=DataNode,name=DataNodeActivity-dn" + i);
        writes.put("BytesWritten", t * 100L << 20);
        writes.put("TotalWriteTime", t * (i == 3 ? 900L : 300L + i));
        Map<String, Object> jvm = new HashMap<>();
        jvm.put("name", "Hadoop:service=DataNode,name=JvmMetrics");
        jvm.put("GcTotalExtraSleepTime", i == 3 ? t * 4000L : 0L);
        jvm.put("GcTimeMillis", 0L);
        rounds.add(Reading.of(10 * t, List.of(writes, jvm)));
      }
      nodes.add(new DataNodeHistory("dn" + i, "h" + i, "/r", true, rounds));
    }
    List<Diagnosis> found = Doctor.examine(new Given().cluster(nodes));
    assertThat(found)
        .extracting(Diagnosis::kind, Diagnosis::subject)
        .contains(tuple(Diagnosis.Kind.PAUSES, "dn3"))
        .doesNotContain(tuple(Diagnosis.Kind.SLOW_DATANODE, "dn3"));
    assertThat(found)
        .anyMatch(each -> each.evidence().contains("; so it is slow as well: writes: "));
  }
}
