package io.evenkeel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.volume.VolumeReport;
import io.evenkeel.volume.VolumesMXBean;
import java.beans.Introspector;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is said of the DataNodes given. */
class VolumesCommandTest extends VolumesCommandFixture {
  /** The plugin's own class says what its bean shows; this test would lie with other names. */
  @Test
  void volume_ofTheseTests_hasTheAttributesOfThePlugin() {
    assertThat(volume("/d").keySet())
        .containsExactlyInAnyOrderElementsOf(
            Arrays.stream(VolumeReport.class.getMethods())
                .filter(method -> method.getDeclaringClass() == VolumeReport.class)
                .map(method -> Introspector.decapitalize(method.getName().substring(3)))
                .toList());
    assertThat(bean(List.of()).keySet())
        .containsExactlyInAnyOrderElementsOf(
            Arrays.stream(VolumesMXBean.class.getMethods())
                .map(method -> method.getName().substring(3))
                .toList());
  }

  @Test
  void volumes_allInUse_isATableAndNoFinding() throws IOException {
    FakeDaemon dn = dataNode(List.of(volume("/data/1", "deviceClass", "nvme"), volume("/data/2")));
    assertThat(volumes(dn.url())).isZero();
    assertThat(out.toString())
        .startsWith("DataNodes: addresses given\n\nDataNode " + dn.address() + "\n")
        .containsPattern(
            "VOLUME +TYPE +CLASS +HEALTH +SHARE +RECENT +IN FLIGHT +SCORE +LATENCY +EJECTIONS"
                + " +FREE +SIGNAL\n")
        .containsPattern(
            "/data/1 +DISK +nvme +in use +25\\.0% +12\\.5% +3 +1\\.5 +12\\.5 ms +2"
                + " +1\\.5 TiB 38% +references, device 8:16\n")
        .containsPattern("/data/2 +DISK +- +in use")
        .contains("Total: active, 400 choices, 3 out of space, 1 rescued\n")
        .doesNotContain("Not in use")
        .endsWith("No findings.\n");
  }

  @Test
  void volumes_notInUse_areAFindingWithReasonAndTime() throws IOException {
    FakeDaemon dn =
        dataNode(
            List.of(
                volume("/data/1"),
                volume("/data/2", "health", "hung", "healthSeconds", 192.4, "reason", "no answer"),
                volume("/data/3", "health", "ejected", "healthSeconds", 12.0, "reason", "slow"),
                volume("/data/4", "health", "probation", "healthSeconds", 1.0),
                volume("/data/5", "health", "failing", "reason", "I/O error")));
    assertThat(volumes(dn.url())).isEqualTo(2);
    assertThat(out.toString())
        .containsPattern("/data/2 +DISK +- +hung 3m12s ")
        .contains("Not in use: /data/2: hung 3m12s: no answer\n")
        .contains("Not in use: /data/3: ejected 12 s: slow\n")
        .contains("Not in use: /data/4: probation 1 s\n")
        .contains("Not in use: /data/5: failing: I/O error\n")
        .endsWith(
            "Finding (failing): /data/5 on "
                + dn.address()
                + "\nFinding (hung): /data/2 on "
                + dn.address()
                + "\nFinding (ejected): /data/3 on "
                + dn.address()
                + ", /data/4 on "
                + dn.address()
                + "\n");
  }

  @Test
  void volumes_blocksDoNotArrive_isALineAndNoFinding() throws IOException {
    String reason = "the latest 3 blocks sent there did not arrive";
    FakeDaemon dn = dataNode(List.of(volume("/data/1"), volume("/data/2", "reason", reason)));
    assertThat(volumes(dn.url())).isZero();
    assertThat(out.toString())
        .containsPattern("/data/2 +DISK +- +in use ")
        .contains("In doubt: /data/2: " + reason + "\n")
        .doesNotContain("Not in use")
        .endsWith("No findings.\n");
  }

  @Test
  void volumes_unknownNumbers_areHyphens() throws IOException {
    FakeDaemon dn =
        dataNode(
            List.of(volume("/d", "latencyMillis", -1.0, "availableBytes", -1, "capacityBytes", 0)));
    assertThat(volumes(dn.url())).isZero();
    assertThat(out.toString()).containsPattern("/d .* 1\\.5 +- +2 +- +references");
  }

  @Test
  void volumes_beanOfAnOlderPlugin_showsWhatItHas() throws IOException {
    FakeDaemon dn =
        stock()
            .bean(BEAN, Map.of("State", "active", "Volumes", List.of(Map.of("directory", "/d"))));
    assertThat(volumes(dn.url())).isZero();
    assertThat(out.toString())
        .containsPattern("/d( +-){11}\n")
        .contains("Total: active, - choices, - out of space, - rescued\n");
    assertThat(json(dn)).containsEntry("choices", null).containsEntry("reason", "");
  }

  @Test
  void volumes_beanThatMakesNoSense_isNotTheEnd() throws IOException {
    FakeDaemon dn =
        stock().bean(BEAN, Map.of("State", 7, "Choices", "many", "Volumes", List.of("x", 1)));
    assertThat(volumes(dn.url())).isZero();
    assertThat(out.toString()).contains("Total: 7, - choices").contains("No volume yet");
  }

  @Test
  void volumes_noBlockYet_saysSo() throws IOException {
    assertThat(volumes(dataNode(List.of()).url())).isZero();
    assertThat(out.toString()).contains("No volume yet").doesNotContain("VOLUME");
  }

  @Test
  void volumes_observing_showWhatTheyWouldGet() throws IOException {
    FakeDaemon dn =
        dataNode(
                List.of(
                    volume("/a", "wouldHaveChosen", 30),
                    volume("/b", "wouldHaveChosen", 10),
                    volume("/s", "wouldHaveChosen", 7, "storageType", "SSD")))
            .bean(BEAN, Map.of("State", "observe", "WouldDiffer", 17))
            .volume(plugin("the stock round robin decides"));
    assertThat(volumes(dn.url())).isZero();
    assertThat(out.toString())
        .containsPattern("RECENT +WOULD GET +IN FLIGHT")
        .containsPattern("/a +DISK +- +in use +25\\.0% +12\\.5% +75\\.0%")
        .containsPattern("/s +SSD +- +in use +25\\.0% +12\\.5% +100\\.0%")
        .contains(
            "Total: observe (the stock round robin decides), 400 choices, 3 out of space,"
                + " 1 rescued, 17 would differ\n");
  }

  @Test
  void volumes_fallback_isAFinding() throws IOException {
    FakeDaemon dn =
        dataNode(List.of()).bean(BEAN, Map.of("State", "fallback")).volume(plugin("Hadoop 9.9"));
    assertThat(volumes(dn.url())).isEqualTo(2);
    assertThat(out.toString())
        .contains("Total: fallback (Hadoop 9.9), ")
        .contains("Finding (fallback): the stock policy decides on " + dn.address());
  }

  @Test
  void volumes_stockPolicy_saysSoAndThereIsNothingToDo() throws IOException {
    FakeDaemon dn = stock();
    assertThat(volumes(dn.url())).isEqualTo(3);
    assertThat(out.toString())
        .contains(dn.address() + ": no latency-aware policy: a stock policy chooses its volumes\n")
        .endsWith("No DataNode has the latency-aware policy.\n");
  }

  @Test
  void volumes_otherPolicyOfOurs_isNamed() throws IOException {
    assertThat(volumes(stock().volume(Map.of()).url())).isEqualTo(3);
    assertThat(out.toString())
        .contains("policy: PerTypeRoundRobinVolumeChoosingPolicy chooses its volumes");
  }

  @Test
  void volumes_someWithoutThePolicy_isAFinding() throws IOException {
    FakeDaemon without = stock();
    assertThat(volumes(dataNode(List.of(volume("/d"))).url(), without.url())).isEqualTo(2);
    assertThat(out.toString())
        .contains("Finding (partial): no latency-aware policy on " + without.address());
  }

  @Test
  void volumes_oneOfTwoGone_isIncomplete() throws IOException {
    FakeDaemon gone = stock();
    gone.close();
    assertThat(volumes(dataNode(List.of(volume("/d"))).url(), gone.url())).isEqualTo(2);
    assertThat(out.toString())
        .contains("DataNode " + gone.address() + ": no answer: cannot be reached")
        .contains("Finding (incomplete): " + gone.address() + " did not answer")
        .containsPattern("/d +DISK");
  }

  @Test
  void volumes_noneAnswers_couldNotRun() throws IOException {
    FakeDaemon gone = stock();
    gone.close();
    assertThat(volumes(gone.url())).isEqualTo(1);
    assertThat(out.toString()).contains("No DataNode answered.");
  }

  @Test
  void volumes_hangs_endsAfterTheTimeout() throws IOException {
    FakeDaemon hanging = stock().hanging();
    assertThat(volumes(hanging.url(), "--timeout", "1")).isEqualTo(1);
    assertThat(out.toString()).contains("within 1000 ms");
  }

  @Test
  void volumes_noneAnswers_saysWhyOnStandardErrorToo() throws IOException {
    FakeDaemon gone = stock();
    gone.close();
    assertThat(volumes("--json", gone.url())).isEqualTo(1);
    assertThat(err.toString())
        .startsWith("evenkeel: no DataNode answered: " + gone.address() + ": cannot be reached")
        .hasLineCount(1);
  }

  @Test
  void volumes_noNameNodeAnswers_saysWhyOnStandardErrorToo() throws IOException {
    FakeDaemon gone = keep(FakeDaemon.nameNode("active"));
    gone.close();
    assertThat(volumes("--namenode", gone.url())).isEqualTo(1);
    assertThat(err.toString())
        .startsWith("evenkeel: no DataNode to ask: NameNode " + gone.address() + " did not answer")
        .hasLineCount(1);
  }

  @Test
  void volumes_anotherDaemon_saysThatItIsNoDataNode() throws IOException {
    FakeDaemon nn = keep(FakeDaemon.nameNode("active"));
    assertThat(volumes(nn.url())).isEqualTo(1);
    assertThat(out.toString()).contains("no answer: it answers, but is no DataNode");
  }

  @Test
  void volumes_nameWithoutAPort_meansThatOfTheWebServer() {
    assertThat(volumes("no-such-host.invalid", "--timeout", "2")).isEqualTo(1);
    assertThat(out.toString()).contains("DataNode no-such-host.invalid:9864: no answer");
  }

  @Test
  void volumes_misuse_is64AndSaysWhy() {
    assertThat(volumes("ftp://dn1:9864")).isEqualTo(64);
    assertThat(err.toString())
        .contains("DATANODE: 'ftp://dn1:9864' is not an address; write http://host:port");
    assertThat(volumes("dn1:1", "--watch", "0")).isEqualTo(64);
    assertThat(volumes("dn1:1", "--watch=-3")).isEqualTo(64);
    assertThat(err.toString()).contains("--watch = 0 ", "--watch = -3 ", "1..3600");
    assertThat(volumes("dn1:1", "--watch", "--count", "0")).isEqualTo(64);
    assertThat(err.toString()).contains("--count = 0 ");
    assertThat(volumes("dn1:1", "--count", "2")).isEqualTo(64);
    assertThat(err.toString()).contains("--count needs --watch");
    assertThat(volumes("dn1:1", "--conf", "x")).isEqualTo(64);
    assertThat(err.toString()).contains("not both");
    assertThat(volumes("dn1:1", "--timeout", "601")).isEqualTo(64);
    assertThat(out.toString()).isEmpty();
  }
}
