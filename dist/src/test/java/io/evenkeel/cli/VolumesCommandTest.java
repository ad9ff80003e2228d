package io.evenkeel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.json.Json;
import io.evenkeel.volume.VolumeReport;
import io.evenkeel.volume.VolumesMXBean;
import java.beans.Introspector;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The command against web servers that answer as a DataNode's /jmx does. */
@Timeout(60)
class VolumesCommandTest {
  private static final String BEAN = "io.evenkeel:type=Volumes,module=volume";
  private static final Clock CLOCK =
      Clock.fixed(Instant.parse("2026-03-04T05:06:07.8Z"), ZoneOffset.UTC);

  @TempDir private Path dir;
  private final List<FakeDaemon> started = new ArrayList<>();
  private final Map<String, String> environment = new HashMap<>();
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final FakeScreen screen = new FakeScreen();

  @AfterEach
  void stop() {
    started.forEach(FakeDaemon::close);
  }

  private static final class FakeScreen implements Screen {
    private final List<Integer> pauses = new ArrayList<>();
    private boolean terminal;
    private boolean gone;
    private Runnable whilePausing = () -> {};

    @Override
    public boolean isTerminal() {
      return terminal;
    }

    @Override
    public boolean isGone() {
      return gone;
    }

    @Override
    public void pause(int seconds) {
      pauses.add(seconds);
      whilePausing.run();
    }
  }

  private FakeDaemon keep(FakeDaemon daemon) {
    started.add(daemon);
    return daemon;
  }

  /** A DataNode with stock classes. */
  private FakeDaemon stock() throws IOException {
    return keep(FakeDaemon.start())
        .bean("Hadoop:service=DataNode,name=DataNodeInfo", Map.of("Version", "3.4.3"));
  }

  private FakeDaemon dataNode(List<Map<String, Object>> volumes) throws IOException {
    return stock().bean(BEAN, bean(volumes)).volume(plugin(""));
  }

  private static Map<String, Object> plugin(String reason) {
    return Map.of(
        "PluginClass", "io.evenkeel.volume.LatencyAwareVolumeChoosingPolicy", "Reason", reason);
  }

  private static Map<String, Object> bean(List<Map<String, Object>> volumes) {
    Map<String, Object> bean = new LinkedHashMap<>();
    bean.put("State", "active");
    bean.put("Choices", 400);
    bean.put("OutOfSpace", 3);
    bean.put("Rescued", 1);
    bean.put("WouldDiffer", 0);
    bean.put("Volumes", volumes);
    return bean;
  }

  /** A volume in use; pairs of attribute and value replace the usual ones. */
  private static Map<String, Object> volume(String directory, Object... different) {
    Map<String, Object> volume = new LinkedHashMap<>();
    volume.put("directory", directory);
    volume.put("storageType", "DISK");
    volume.put("deviceClass", "");
    volume.put("weight", 1.0);
    volume.put("health", "in_use");
    volume.put("healthSeconds", 0.0);
    volume.put("reason", "");
    volume.put("choices", 100);
    volume.put("share", 0.25);
    volume.put("recentShare", 0.125);
    volume.put("wouldHaveChosen", 0);
    volume.put("inFlight", 3.0);
    volume.put("score", 1.5);
    volume.put("latencyMillis", 12.5);
    volume.put("ejections", 2);
    volume.put("probes", 4);
    volume.put("availableBytes", 3L << 39);
    volume.put("capacityBytes", 4L << 40);
    volume.put("sampleAgeSeconds", 0.5);
    volume.put("signal", "references, device 8:16");
    for (int i = 0; i < different.length; i += 2) {
      volume.put((String) different[i], different[i + 1]);
    }
    return volume;
  }

  private int volumes(String... options) {
    CommandLine line =
        Evenkeel.commandLine(new VolumesCommand(environment::get, screen, CLOCK))
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(err));
    List<String> args = new ArrayList<>(List.of("volumes"));
    args.addAll(List.of(options));
    return Evenkeel.run(line, args.toArray(new String[0]));
  }

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
                + " +PROBES +FREE +SIGNAL\n")
        .containsPattern(
            "/data/1 +DISK +nvme +in use +25\\.0% +12\\.5% +3 +1\\.5 +12\\.5 ms +2 +4"
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
        .contains("Not in use: /data/3: ejected 12s: slow\n")
        .contains("Not in use: /data/4: probation 1s\n")
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
  void volumes_unknownNumbers_areHyphens() throws IOException {
    FakeDaemon dn =
        dataNode(
            List.of(volume("/d", "latencyMillis", -1.0, "availableBytes", -1, "capacityBytes", 0)));
    assertThat(volumes(dn.url())).isZero();
    assertThat(out.toString()).containsPattern("/d .* 1\\.5 +- +2 +4 +- +references");
  }

  @Test
  void volumes_beanOfAnOlderPlugin_showsWhatItHas() throws IOException {
    FakeDaemon dn =
        stock()
            .bean(BEAN, Map.of("State", "active", "Volumes", List.of(Map.of("directory", "/d"))));
    assertThat(volumes(dn.url())).isZero();
    assertThat(out.toString())
        .containsPattern("/d( +-){12}\n")
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
  void volumes_anotherDaemon_saysThatItIsNoDataNode() throws IOException {
    FakeDaemon nn = keep(FakeDaemon.nameNode("active"));
    assertThat(volumes(nn.url())).isEqualTo(1);
    assertThat(out.toString()).contains("no answer: it answers, but is no DataNode");
  }

  @Test
  void volumes_twoDataNodesInOneJvm_areTwoTablesWithoutTheGone() throws IOException {
    FakeDaemon dn =
        dataNode(List.of(volume("/one")))
            .bean(BEAN + ",instance=2", bean(List.of(volume("/two"))))
            .bean(BEAN + ",instance=3", Map.of("State", "gone", "Volumes", List.of()));
    assertThat(volumes(dn.url())).isZero();
    assertThat(out.toString())
        .contains("DataNode " + dn.address() + "\n")
        .contains("DataNode " + dn.address() + " (2)\n")
        .doesNotContain("(3)")
        .contains("/one", "/two");
  }

  @Test
  void volumes_noAddress_asksTheLiveDataNodesOfTheCluster() throws IOException {
    FakeDaemon one = dataNode(List.of(volume("/one")));
    FakeDaemon two = dataNode(List.of(volume("/two")));
    FakeDaemon nn = keep(FakeDaemon.nameNode("active", one, two));
    Files.writeString(
        dir.resolve("hdfs-site.xml"),
        "<configuration><property><name>dfs.namenode.http-address</name><value>"
            + nn.address()
            + "</value></property></configuration>");
    environment.put("HADOOP_CONF_DIR", dir.toString());
    assertThat(volumes()).isZero();
    assertThat(out.toString())
        .startsWith("DataNodes: configuration in " + dir)
        .contains("DataNode " + one.address(), "DataNode " + two.address(), "/one", "/two")
        .doesNotContain("DataNode " + nn.address());
  }

  @Test
  void volumes_nameNodeOption_deadDataNodeAndSilentNameNodeAreIncomplete() throws IOException {
    FakeDaemon standby = keep(FakeDaemon.nameNode("standby"));
    standby.close();
    FakeDaemon nn =
        keep(FakeDaemon.nameNode("active", dataNode(List.of(volume("/d")))))
            .bean(
                "Hadoop:service=NameNode,name=NameNodeInfo",
                Map.of("DeadNodes", "{\"dn9:9866\":{\"decommissioned\":false}}"));
    assertThat(volumes("--namenode", nn.url(), "--namenode", standby.url())).isEqualTo(2);
    assertThat(out.toString())
        .contains("dn9:9866 is dead for the NameNode")
        .contains("NameNode " + standby.address() + " did not answer: cannot be reached");
  }

  @Test
  void volumes_nameNodeGone_couldNotRun() throws IOException {
    FakeDaemon nn = keep(FakeDaemon.nameNode("active"));
    nn.close();
    assertThat(volumes("--namenode", nn.url())).isEqualTo(1);
    assertThat(out.toString()).contains("No DataNode to ask.").contains("did not answer");
  }

  @Test
  void volumes_clusterWithoutDataNodes_nothingToDo() throws IOException {
    assertThat(volumes("--namenode", keep(FakeDaemon.nameNode("active")).url())).isEqualTo(3);
    assertThat(out.toString()).contains("No DataNode to ask.");
  }

  @Test
  void volumes_noClusterNamed_saysWhatToDo() {
    assertThat(volumes()).isEqualTo(1);
    assertThat(err.toString()).contains("give --namenode URL or --conf DIR");
  }

  @Test
  void volumes_misuse_is64AndSaysWhy() {
    assertThat(volumes("dn1")).isEqualTo(64);
    assertThat(volumes("ftp://dn1:9864")).isEqualTo(64);
    assertThat(err.toString()).contains("URL: 'dn1' is not an address; write http://host:port");
    assertThat(volumes("dn1:1", "--watch", "0")).isEqualTo(64);
    assertThat(volumes("dn1:1", "--watch=-3")).isEqualTo(64);
    assertThat(err.toString()).contains("--watch = 0 ", "--watch = -3 ", "1..3600");
    assertThat(volumes("dn1:1", "--watch", "--count", "0")).isEqualTo(64);
    assertThat(err.toString()).contains("--count = 0 ");
    assertThat(volumes("dn1:1", "--count", "2")).isEqualTo(64);
    assertThat(err.toString()).contains("--count is for --watch");
    assertThat(volumes("dn1:1", "--conf", "x")).isEqualTo(64);
    assertThat(err.toString()).contains("not both");
    assertThat(volumes("dn1:1", "--timeout", "601")).isEqualTo(64);
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void watch_twoRounds_areTwoBlocksWithTheirTime() throws IOException {
    FakeDaemon dn = dataNode(List.of(volume("/d")));
    screen.whilePausing =
        () -> dn.bean(BEAN, Map.of("Volumes", List.of(volume("/d", "health", "hung"))));
    assertThat(volumes("--watch", "--count", "2", dn.url())).isEqualTo(2);
    assertThat(screen.pauses).containsExactly(2);
    String[] blocks = out.toString().split("2026-03-04T05:06:07Z  DataNodes: ", -1);
    assertThat(blocks).hasSize(3);
    assertThat(blocks[1]).contains("in use").endsWith("No findings.\n\n");
    assertThat(blocks[2]).contains("Finding (hung): /d").doesNotContain("\u001b");
  }

  @Test
  void watch_addressAfterTheOption_isNotTakenForTheInterval() throws IOException {
    FakeDaemon dn = dataNode(List.of(volume("/d")));
    assertThat(volumes("--count", "2", "--watch", dn.address())).isZero();
    assertThat(volumes("--count", "3", "--watch", "7", dn.address())).isZero();
    assertThat(volumes("--count=2", "--watch=9", dn.address())).isZero();
    assertThat(screen.pauses).containsExactly(2, 7, 7, 9);
  }

  @Test
  void watch_onATerminal_redraws() throws IOException {
    screen.terminal = true;
    assertThat(volumes("--watch", "--count", "2", dataNode(List.of(volume("/d"))).url())).isZero();
    assertThat(out.toString().split("\u001b\\[H\u001b\\[2J2026", -1)).hasSize(3);
  }

  @Test
  void watch_json_isOneLinePerRound() throws IOException {
    screen.terminal = true;
    String url = dataNode(List.of(volume("/d"))).url();
    assertThat(volumes("--watch", "--count", "2", "--json", url)).isZero();
    assertThat(out.toString().lines().toList())
        .hasSize(2)
        .allSatisfy(line -> assertThat(Json.parse(line)).isInstanceOf(Map.class));
  }

  @Test
  void watch_nobodyReadsAnyMore_ends() throws IOException {
    screen.whilePausing = () -> screen.gone = true;
    assertThat(volumes("--watch", dataNode(List.of(volume("/d"))).url())).isZero();
    assertThat(screen.pauses).hasSize(1);
  }

  @Test
  void watch_interrupted_is130() throws IOException {
    screen.whilePausing = () -> Thread.currentThread().interrupt();
    assertThat(volumes("--watch", dataNode(List.of(volume("/d"))).url())).isEqualTo(130);
    assertThat(Thread.interrupted()).isTrue();
  }

  @SuppressWarnings("unchecked")
  private Map<String, Object> json(FakeDaemon dn) {
    out.getBuffer().setLength(0);
    volumes("--json", dn.url());
    Map<String, Object> json = (Map<String, Object>) Json.parse(out.toString());
    return ((List<Map<String, Object>>) json.get("dataNodes")).get(0);
  }

  @Test
  @SuppressWarnings("unchecked")
  void json_aDataNode_followsTheDocumentedSchema() throws IOException {
    FakeDaemon dn = dataNode(List.of(volume("/d", "latencyMillis", -1.0)));
    assertThat(volumes("--json", dn.url(), stock().url())).isEqualTo(2);
    Map<String, Object> json = (Map<String, Object>) Json.parse(out.toString());
    assertThat(json.keySet())
        .containsExactly(
            "schema", "evenkeel", "time", "source", "exitCode", "dataNodes", "findings");
    assertThat(json)
        .containsEntry("schema", "evenkeel.volumes/1")
        .containsEntry("time", "2026-03-04T05:06:07Z")
        .containsEntry("exitCode", 2L);
    List<Map<String, Object>> dataNodes = (List<Map<String, Object>>) json.get("dataNodes");
    assertThat(dataNodes.get(1)).containsEntry("policy", null).containsEntry("volumes", List.of());
    assertThat(dataNodes.get(0).keySet())
        .containsExactly(
            "url",
            "instance",
            "answered",
            "error",
            "policy",
            "state",
            "reason",
            "choices",
            "outOfSpace",
            "rescued",
            "wouldDiffer",
            "volumes");
    assertThat(dataNodes.get(0))
        .containsEntry("url", dn.url())
        .containsEntry("policy", "LatencyAwareVolumeChoosingPolicy")
        .containsEntry("rescued", 1L);
    Map<String, Object> volume =
        ((List<Map<String, Object>>) dataNodes.get(0).get("volumes")).get(0);
    assertThat(volume.keySet()).containsExactlyElementsOf(volume("/d").keySet());
    assertThat(volume).containsEntry("latencyMillis", null).containsEntry("share", 0.25);
    assertThat((List<Map<String, Object>>) json.get("findings"))
        .singleElement()
        .extracting(finding -> finding.get("kind"))
        .isEqualTo("partial");
  }
}
