package io.evenkeel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.json.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

@Timeout(60)
class StatusCommandTest {
  private static final String NAMENODE_INFO = "Hadoop:service=NameNode,name=NameNodeInfo";

  @TempDir private Path dir;
  private final List<FakeDaemon> started = new ArrayList<>();
  private final Map<String, String> environment = new HashMap<>();
  private final VolumesCommandFixture.FakeScreen screen = new VolumesCommandFixture.FakeScreen();
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @AfterEach
  void stop() {
    started.forEach(FakeDaemon::close);
  }

  private FakeDaemon keep(FakeDaemon daemon) {
    started.add(daemon);
    return daemon;
  }

  private FakeDaemon dataNode() throws IOException {
    return keep(FakeDaemon.dataNode());
  }

  private FakeDaemon dataNode(Map<String, Object> different) throws IOException {
    return dataNode().volume(different);
  }

  private FakeDaemon nameNode(FakeDaemon... live) throws IOException {
    return keep(FakeDaemon.nameNode("active", live));
  }

  /** What a DataNode that registered as number N is called. */
  private static String name(int number, FakeDaemon daemon) {
    return "dn" + number + daemon.address().substring(daemon.address().indexOf(':'));
  }

  private int status(String... options) {
    CommandLine line =
        Evenkeel.commandLine(new StatusCommand(environment::get, screen))
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(err));
    List<String> args = new ArrayList<>(List.of("status"));
    args.addAll(List.of(options));
    return Evenkeel.run(line, args.toArray(new String[0]));
  }

  @Test
  void status_allDataNodesTheSame_areOneLineAndNoFinding() throws IOException {
    FakeDaemon nn = nameNode(dataNode(Map.of()), dataNode(Map.of()), dataNode(Map.of()));
    assertThat(status("--namenode", nn.url())).isZero();
    assertThat(out.toString())
        .containsPattern(
            "3 of 3 DataNodes +3\\.4\\.3 +volume PerTypeRoundRobinVolumeChoosingPolicy +0\\.1\\.0"
                + " +active\n")
        .contains(" on 3 of 3 DataNodes: defaults\n")
        .contains("No findings.");
  }

  @Test
  void status_settings_areThoseThatWereSetUnlessAllAreAskedFor() throws IOException {
    Map<String, Object> some =
        Map.of("Settings", List.of("a=1", "b=2"), "ChangedSettings", List.of("b=2"));
    FakeDaemon nn = nameNode(dataNode(some));
    assertThat(status("--namenode", nn.url())).isZero();
    assertThat(out.toString()).contains("  b=2\n").doesNotContain("a=1");
    out.getBuffer().setLength(0);
    assertThat(status("--namenode", nn.url(), "--verbose")).isZero();
    assertThat(out.toString()).contains("  a=1\n  b=2\n");
  }

  @Test
  void status_settingsOfAnOlderJar_areAllShown() throws IOException {
    Map<String, Object> older = Map.of("Settings", List.of("a=1"), "ChangedSettings", "not there");
    assertThat(status("--namenode", nameNode(dataNode(older)).url())).isZero();
    assertThat(out.toString()).contains("  a=1\n");
  }

  @Test
  void status_findings_comeBeforeTheTable() throws IOException {
    FakeDaemon nn = nameNode(dataNode(Map.of()), dataNode());
    assertThat(status("--namenode", nn.url())).isEqualTo(2);
    assertThat(out.toString()).containsSubsequence("Finding (partial)", "DAEMON", "Settings of");
  }

  @Test
  void status_fallbackEverywhere_isAFindingForEachReason() throws IOException {
    Map<String, Object> stock = Map.of("State", "fallback", "Reason", "Hadoop 9.9 was not tested");
    FakeDaemon nn = nameNode(dataNode(stock), dataNode(stock));
    assertThat(status("--namenode", nn.url())).isEqualTo(2);
    assertThat(out.toString())
        .containsOnlyOnce("Finding (")
        .containsPattern(
            "Finding \\(fallback\\): volume \\w+: stock decides on dn0\\S+, dn1\\S+:"
                + " Hadoop 9.9 was not tested\n");
  }

  @Test
  void status_noDataNodeHasRegistered_isAFindingAndNotStockEverywhere() throws IOException {
    FakeDaemon nn = nameNode();
    assertThat(status("--namenode", nn.url())).isEqualTo(2);
    assertThat(out.toString())
        .contains("Finding (no-datanodes): no DataNode has registered, says " + nn.address())
        .doesNotContain("stock everywhere");
  }

  @Test
  void status_nameNodeThatStarts_isNotCalledSomethingElse() throws IOException {
    FakeDaemon nn =
        dataNode()
            .bean("Hadoop:service=NameNode,name=StartupProgress", Map.of("PercentComplete", 0.625));
    assertThat(status("--namenode", nn.url())).isEqualTo(1);
    assertThat(err.toString()).endsWith(": it is still starting (63 % done)\n").hasLineCount(1);
  }

  /** Its web server answers seconds before it loads its dataset, and with that our plugins. */
  @Test
  void status_dataNodeStarts_isNotCalledStock() throws IOException {
    assertThat(status("--namenode", nameNode(dataNode(), keep(FakeDaemon.start())).url()))
        .isEqualTo(2);
    assertThat(out.toString()).contains("it is still starting").doesNotContain("stock everywhere");
  }

  /** Its plugins come one by one. */
  @Test
  void status_dataNodeStartsAndHasOnePlugin_isNotJudged() throws IOException {
    FakeDaemon starting = keep(FakeDaemon.start()).volume(Map.of());
    assertThat(status("--namenode", nameNode(dataNode(Map.of()), starting).url())).isEqualTo(2);
    assertThat(out.toString()).contains("it is still starting");
  }

  /** It may come up between two questions. */
  @Test
  void status_dataNodeLoadsItsPluginWhileItIsAsked_isNotCalledStock() throws IOException {
    FakeDaemon loading = keep(FakeDaemon.dataNode());
    loading.afterFirstAnswer(() -> loading.volume(Map.of()));
    assertThat(status("--namenode", nameNode(dataNode(Map.of()), loading).url())).isZero();
    assertThat(out.toString()).contains("2 of 2 DataNodes");
  }

  @Test
  void status_dataNodes_standInTheOrderOfTheirNames() throws IOException {
    FakeDaemon[] nodes = new FakeDaemon[12];
    for (int i = 0; i < nodes.length; i++) {
      nodes[i] = dataNode(Map.of("Reason", "number " + i));
    }
    assertThat(status("--namenode", nameNode(nodes).url())).isZero();
    assertThat(out.toString())
        .containsSubsequence("number 1\n", "number 2\n", "number 9\n", "number 11\n");
  }

  @Test
  void status_onATerminal_isColoured() throws IOException {
    FakeDaemon nn = nameNode(dataNode());
    screen.terminal = true;
    assertThat(status("--namenode", nn.url())).isZero();
    assertThat(out.toString()).contains("\u001b[32mNo findings.\u001b[0m\n");
    out.getBuffer().setLength(0);
    environment.put("NO_COLOR", "1");
    assertThat(status("--namenode", nn.url())).isZero();
    assertThat(out.toString()).contains("\nNo findings.\n");
  }

  @Test
  void status_noPlugins_saysStockEverywhere() throws IOException {
    FakeDaemon nn = nameNode(dataNode(), dataNode());
    assertThat(status("--namenode", nn.url())).isZero();
    assertThat(out.toString()).contains("stock everywhere").contains("none (stock)");
  }

  @Test
  void status_twoVersions_isAFindingNamingWhere() throws IOException {
    FakeDaemon old = dataNode(Map.of("Version", "0.0.9"));
    FakeDaemon nn = nameNode(dataNode(Map.of()), old);
    assertThat(status("--namenode", nn.url())).isEqualTo(2);
    assertThat(out.toString())
        .contains("Finding (mixed-version)")
        .contains("version 0.0.9 on " + name(1, old));
  }

  @Test
  void status_differentSettings_isAFindingWithOnlyTheDifference() throws IOException {
    FakeDaemon nn =
        nameNode(
            dataNode(Map.of("Settings", List.of("a=1", "b=1"))),
            dataNode(Map.of("Settings", List.of("a=1", "b=2"))));
    assertThat(status("--namenode", nn.url())).isEqualTo(2);
    assertThat(out.toString())
        .containsPattern("Finding \\(mixed-settings\\): volume \\w+: b=[12] on \\S+; b=[12] on");
  }

  @Test
  void status_differentStates_isAFinding() throws IOException {
    FakeDaemon nn =
        nameNode(dataNode(Map.of()), dataNode(Map.of("State", "fallback", "Reason", "Hadoop 9.9")));
    assertThat(status("--namenode", nn.url())).isEqualTo(2);
    assertThat(out.toString()).contains("Finding (mixed-state)").contains("Hadoop 9.9");
  }

  @Test
  void status_pluginOnSomeDataNodesOnly_isAFinding() throws IOException {
    FakeDaemon without = dataNode();
    FakeDaemon nn = nameNode(dataNode(Map.of()), without);
    assertThat(status("--namenode", nn.url())).isEqualTo(2);
    assertThat(out.toString())
        .contains("Finding (partial)")
        .contains("but not on " + name(1, without));
  }

  @Test
  void status_whatAPluginSaysItself_isOneFindingForAllThatSayIt() throws IOException {
    Map<String, Object> says = Map.of("Findings", List.of("the other key is not set"));
    FakeDaemon nn = nameNode(dataNode(says), dataNode(says), dataNode(Map.of()));
    assertThat(status("--namenode", nn.url())).isEqualTo(2);
    assertThat(out.toString())
        .containsOnlyOnce("Finding (")
        .containsPattern(
            "Finding \\(plugin\\): volume \\w+: the other key is not set; on \\S+, \\S+\n");
  }

  @Test
  void status_haNameNodesDiffer_isAFinding() throws IOException {
    FakeDaemon active = nameNode(dataNode()).volume(Map.of());
    FakeDaemon standby = keep(FakeDaemon.nameNode("standby")).volume(Map.of("Version", "0.2.0"));
    assertThat(status("--namenode", active.url(), "--namenode", standby.url())).isEqualTo(2);
    assertThat(out.toString())
        .contains("Finding (ha-differs): mixed-version")
        .contains(standby.address() + " (standby)");
  }

  @Test
  void status_nameNodesOfTwoNamespaces_areNotComparedWithEachOther() throws IOException {
    FakeDaemon one = nameNode(dataNode()).volume(Map.of());
    FakeDaemon two = keep(FakeDaemon.start()).nameNodeBeans("active", "BP-2");
    assertThat(status("--namenode", one.url(), "--namenode", two.url())).isZero();
  }

  @Test
  void status_oneDataNodeGone_isListedAsIncomplete() throws IOException {
    FakeDaemon gone = dataNode();
    FakeDaemon nn = nameNode(dataNode(), gone);
    gone.close();
    assertThat(status("--namenode", nn.url())).isEqualTo(2);
    assertThat(out.toString())
        .contains("no answer")
        .contains("Finding (incomplete): 1 did not answer: " + name(1, gone))
        .doesNotContain("stock everywhere");
  }

  @Test
  void status_dataNodeHangs_endsAfterTheTimeout() throws IOException {
    FakeDaemon nn = nameNode(dataNode(), dataNode().hanging());
    assertThat(status("--namenode", nn.url(), "--timeout", "1")).isEqualTo(2);
    assertThat(out.toString()).contains("no answer").contains("within 1000 ms");
    assertThat(err.toString())
        .startsWith("evenkeel: waiting for 1 of 2, at most")
        .contains(": dn1");
  }

  @Test
  void status_manyHangingDataNodes_areAskedTogether() throws IOException {
    FakeDaemon[] nodes = new FakeDaemon[40];
    for (int i = 0; i < nodes.length; i++) {
      nodes[i] = dataNode().hanging();
    }
    // one after the other this would take 40 s or more and run into the second round's limit
    assertThat(status("--namenode", nameNode(nodes).url(), "--timeout", "1")).isEqualTo(2);
    assertThat(out.toString()).contains("40 of 40 DataNodes").doesNotContain("no complete answer");
  }

  @Test
  void status_nothingAnswers_couldNotRun() throws IOException {
    FakeDaemon gone = nameNode();
    gone.close();
    assertThat(status("--namenode", gone.url())).isEqualTo(1);
    assertThat(out.toString()).contains("No daemon answered.");
  }

  @Test
  void status_nothingAnswers_saysWhyOnStandardErrorToo() throws IOException {
    FakeDaemon gone = nameNode();
    gone.close();
    assertThat(status("--json", "--namenode", gone.url(), "--daemon", gone.url())).isEqualTo(1);
    assertThat(err.toString())
        .startsWith("evenkeel: no daemon answered: NameNode " + gone.address() + ": cannot be re")
        .endsWith(String.format(" (and 1 more)%n"))
        .hasLineCount(1);
    assertThat((Map<?, ?>) Json.parse(out.toString())).isNotEmpty();
  }

  @Test
  void status_oneAnswers_saysNothingOnStandardError() throws IOException {
    FakeDaemon gone = nameNode();
    gone.close();
    assertThat(status("--namenode", gone.url(), "--namenode", nameNode(dataNode()).url()))
        .isEqualTo(2);
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void status_failsBeforeItAsks_isJsonToo() {
    assertThat(status("--json", "--dir", dir.toString())).isEqualTo(4);
    Map<?, ?> json = (Map<?, ?>) Json.parse(out.toString());
    assertThat(new ArrayList<>(json.keySet()))
        .isEqualTo(List.of("schema", "evenkeel", "exitCode", "failure"));
    assertThat(json.get("schema")).isEqualTo("evenkeel.failure/1");
    assertThat(json.get("exitCode")).isEqualTo(4L);
    assertThat(err.toString()).isEqualTo(String.format("evenkeel: %s%n", json.get("failure")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"--dir", "--conf", "--namenode", "--daemon"})
  void status_emptyValue_isMisuse(String option) {
    assertThat(status(option, "")).isEqualTo(64);
    assertThat(err.toString()).startsWith("evenkeel: " + option + " is empty").hasLineCount(2);
  }

  @Test
  void status_deadDataNode_isNamedThoughNotAsked() throws IOException {
    FakeDaemon nn =
        nameNode(dataNode())
            .bean(
                NAMENODE_INFO,
                Map.of(
                    "DeadNodes",
                    "{\"dn9:9866\":{\"decommissioned\":false},"
                        + "\"dn8:9866\":{\"decommissioned\":true}}"));
    assertThat(status("--namenode", nn.url())).isEqualTo(2);
    assertThat(out.toString()).contains("dn9:9866").doesNotContain("dn8:9866");
  }

  @Test
  void status_otherDaemon_tellsItsRoleAndVersion() throws IOException {
    FakeDaemon rm =
        dataNode(Map.of())
            .bean(
                "Hadoop:service=ResourceManager,name=JvmMetrics",
                Map.of("tag.ProcessName", "ResourceManager"));
    assertThat(status("--daemon", rm.url())).isZero();
    assertThat(out.toString()).containsPattern("ResourceManager " + rm.address() + " +3\\.4\\.3");
  }

  @Test
  void status_dataNodeGivenAsNameNode_saysSo() throws IOException {
    assertThat(status("--namenode", dataNode().url())).isEqualTo(1);
    assertThat(out.toString()).contains("is no NameNode");
  }

  @Test
  @SuppressWarnings("unchecked")
  void status_json_followsTheDocumentedSchema() throws IOException {
    FakeDaemon nn = nameNode(dataNode(Map.of()), dataNode());
    assertThat(status("--namenode", nn.url(), "--json")).isEqualTo(2);
    Map<String, Object> json = (Map<String, Object>) Json.parse(out.toString());
    assertThat(json.keySet())
        .containsExactly(
            "schema",
            "evenkeel",
            "exitCode",
            "source",
            "stock",
            "daemons",
            "deadDataNodes",
            "findings");
    assertThat(json).containsEntry("schema", "evenkeel.status/2").containsEntry("exitCode", 2L);
    List<Map<String, Object>> daemons = (List<Map<String, Object>>) json.get("daemons");
    assertThat(daemons).hasSize(3);
    assertThat(daemons.get(0).keySet())
        .containsExactly("role", "name", "url", "error", "hadoopVersion", "haState", "plugins");
    Map<String, Object> plugin =
        daemons.stream()
            .flatMap(daemon -> ((List<Map<String, Object>>) daemon.get("plugins")).stream())
            .findFirst()
            .orElseThrow();
    assertThat(plugin)
        .containsEntry("settings", Map.of("evenkeel.volume.unknown-keys", "fail"))
        .containsOnlyKeys(
            "module",
            "class",
            "version",
            "state",
            "reason",
            "settings",
            "changedSettings",
            "findings");
  }

  @Test
  void status_confDirectory_findsTheNameNode() throws IOException {
    FakeDaemon nn = nameNode(dataNode());
    Files.writeString(dir.resolve("hdfs-site.xml"), site("dfs.namenode.http-address", nn));
    assertThat(status("--conf", dir.toString())).isZero();
    environment.put("HADOOP_CONF_DIR", dir.toString());
    assertThat(status()).isZero();
    assertThat(out.toString()).contains("configuration in " + dir).contains(nn.address());
  }

  private static String site(String key, FakeDaemon daemon) {
    return "<configuration><property><name>"
        + key
        + "</name><value>"
        + daemon.address()
        + "</value></property></configuration>";
  }

  @Test
  void status_localCluster_findsTheNameNode() throws IOException {
    FakeDaemon nn = nameNode(dataNode());
    Files.writeString(
        dir.resolve("cluster.json"), "{\"namenode\":{\"http\":\"" + nn.url() + "\"}}");
    assertThat(status("--dir", dir.toString())).isZero();
    assertThat(out.toString()).contains("local cluster in " + dir).contains(nn.address());
  }

  @Test
  void status_noLocalCluster_saysSo() {
    assertThat(status("--dir", dir.toString())).isEqualTo(4);
    assertThat(err.toString()).contains("cluster.json is not there");
  }

  @Test
  void status_noClusterNamed_saysWhatToDo() {
    assertThat(status()).isEqualTo(1);
    assertThat(err.toString()).contains("give --namenode URL or --conf DIR").hasLineCount(1);
  }

  @Test
  void status_notAnAddress_isMisuse() {
    assertThat(status("--namenode", "nn1")).isEqualTo(64);
    assertThat(err.toString()).contains("'nn1' is not an address; write http://host:port");
  }

  @Test
  void status_timeoutOutOfRange_isMisuse() {
    assertThat(status("--timeout", "0")).isEqualTo(64);
    assertThat(err.toString()).contains("--timeout = 0").contains("1..600");
  }
}
