package io.evenkeel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class TopologyCheckCommandTest {
  private static final String GOOD = "a /r1/n1\nb /r1/n2\nc /r1/n3\nd /r2/n4\ne /r2/n5\nf /r2/n6\n";
  private static final String INFO = "Hadoop:service=NameNode,name=NameNodeInfo";

  @TempDir Path dir;
  private final List<FakeDaemon> started = new ArrayList<>();
  private final EvenkeelRunner cli = new EvenkeelRunner();

  @AfterEach
  void stop() {
    started.forEach(FakeDaemon::close);
  }

  private Map<?, ?> json() {
    return (Map<?, ?>) Json.parse(cli.out());
  }

  @Test
  void check_goodTopology_hasNoFinding() {
    assertThat(cli.input(GOOD).run("topology", "check", "--topology", "-")).isZero();
    assertThat(cli.out())
        .isEqualTo(
            "Topology: standard input\n6 DataNodes on 6 hosts in 2 racks; a node group is a host\n"
                + "\nNo findings.\n");
  }

  @Test
  void check_plainRacks_saysThatThereAreNoNodeGroups() {
    cli.input("h1:1 /r1\nh2:1 /r1\nh3:1 /r2\nh4:1 /r2\n")
        .run("topology", "check", "--topology", "-");
    assertThat(cli.out()).contains("4 DataNodes on 4 hosts in 2 racks; no node groups\n");
  }

  @ParameterizedTest
  @CsvSource({"info, 2", "warning, 2", "error, 0"})
  void check_warning_decidesTheExitCodeByItsSeverity(String failOn, int code) {
    cli.input("a /r1/n1\nb /r1/n2\nc /r2/n3\n");
    assertThat(cli.run("topology", "check", "--topology", "-", "--fail-on", failOn))
        .isEqualTo(code);
    assertThat(cli.out()).contains("Finding (warning, no-spare-host): 3 hosts for 3 replicas");
  }

  @ParameterizedTest
  @CsvSource({"info, 2", "warning, 0"})
  void check_infoOnly_isNoFailure(String failOn, int code) {
    StringBuilder text = new StringBuilder("h99 /r0/n99\n");
    for (int h = 0; h < 40; h++) {
      text.append("h").append(h).append(" /r").append(h % 4).append("/n").append(h).append('\n');
    }
    cli.input(text.toString());
    assertThat(cli.run("topology", "check", "--topology", "-", "--fail-on", failOn))
        .isEqualTo(code);
    assertThat(cli.out()).contains("Finding (info, unequal-racks)");
  }

  @Test
  void check_errorsComeFirst_andEnd2EvenWhenOnlyErrorsFail() {
    cli.input("a:1 /r1/n1\na:2 /r1/n1\nb:1 /r2/n2\nb:2 /r2/n2\n");
    assertThat(
            cli.run(
                "topology",
                "check",
                "--topology",
                "-",
                "--fail-on",
                "error",
                "--ec",
                "rs-3-2-1024k"))
        .isEqualTo(2);
    assertThat(cli.out())
        .contains("Finding (error, few-hosts)")
        .contains(
            "Finding (error, ec-host-loss): RS-3-2 puts 3 of 5 internal blocks on one"
                + " of 2 hosts");
  }

  @Test
  void check_json_isReadAgainAsATopology() throws IOException {
    cli.input("vm1:1 /r1/n1 weight=2 types=DISK,SSD\nvm2:1 /r2/n2\nvm3:1 /r2/n3\nvm4:1 /r1/n4\n");
    cli.run("topology", "check", "--topology", "-", "--json");
    Map<?, ?> json = json();
    assertThat(json.keySet().stream().map(String::valueOf))
        .containsExactly(
            "schema",
            "evenkeel",
            "exitCode",
            "source",
            "nodeGroups",
            "racks",
            "hosts",
            "replication",
            "findings",
            "dataNodes");
    assertThat(json.get("schema")).isEqualTo("evenkeel.topology/2");
    Path saved = Files.writeString(dir.resolve("t.json"), cli.out());
    EvenkeelRunner again = new EvenkeelRunner();
    again.run("topology", "check", "--topology", saved, "--json");
    Map<?, ?> second = (Map<?, ?>) Json.parse(again.out());
    assertThat(second.get("dataNodes")).isEqualTo(json.get("dataNodes"));
  }

  @Test
  void check_emptyTopology_nothingToDo() {
    assertThat(cli.input("#\n").run("topology", "check", "--topology", "-")).isEqualTo(3);
    assertThat(cli.out()).contains("No DataNode.");
  }

  private FakeDaemon nameNode(String state, String live) throws IOException {
    FakeDaemon daemon = FakeDaemon.nameNode(state).bean(INFO, Map.of("LiveNodes", live));
    started.add(daemon);
    return daemon;
  }

  private static String live(Object... locationsAndCapacities) {
    Map<String, Object> nodes = new LinkedHashMap<>();
    for (int i = 0; i < locationsAndCapacities.length; i += 2) {
      nodes.put(
          "vm" + i + ":9866",
          Map.of(
              "location",
              locationsAndCapacities[i],
              "xferaddr",
              "10.0.0." + i + ":9866",
              "capacity",
              locationsAndCapacities[i + 1],
              "adminState",
              "In Service"));
    }
    return Json.compact(nodes);
  }

  private static List<Double> weights(Map<?, ?> json) {
    List<Double> weights = new ArrayList<>();
    for (Object node : (List<?>) json.get("dataNodes")) {
      weights.add(((Number) ((Map<?, ?>) node).get("weight")).doubleValue());
    }
    return weights;
  }

  @Test
  void check_liveCluster_asksTheActiveNameNode() throws IOException {
    FakeDaemon standby = nameNode("standby", live("/r9/n9", 1));
    FakeDaemon active = nameNode("active", live("/r1/n1", 100, "/r1/n2", 100, "/r2/n3", 200));
    cli.run("topology", "check", "--namenode", standby.url(), "--namenode", active.url(), "--json");
    Map<?, ?> json = json();
    assertThat(json.get("hosts")).isEqualTo(3L);
    assertThat(json.get("source")).isEqualTo("addresses given");
    assertThat(weights(json)).containsExactly(0.75, 0.75, 1.5);
  }

  @Test
  void check_equalWeights_onRequest() throws IOException {
    FakeDaemon active = nameNode("active", live("/r1/n1", 100, "/r1/n2", 300));
    cli.run("topology", "check", "--namenode", active.url(), "--weight", "equal", "--json");
    assertThat(weights(json())).containsExactly(1.0, 1.0);
  }

  @Test
  void check_nameNodeWithoutLocations_saysTheWayOut() throws IOException {
    FakeDaemon old = nameNode("active", "{\"vm1:9866\":{\"xferaddr\":\"10.0.0.1:9866\"}}");
    assertThat(cli.run("topology", "check", "--namenode", old.url())).isEqualTo(1);
    assertThat(cli.err())
        .contains("it does not say where its DataNodes are, and blocks could not be read: ")
        .contains("run 'hdfs dfsadmin -printTopology > FILE' and give --topology FILE");
  }

  private FakeDaemon withoutLocations(int copies) throws IOException {
    FakeNamespace files = new FakeNamespace();
    for (int i = 0; i < copies; i++) {
      files.file("/d" + i % 10 + "/p" + i % 150 + "/f" + i, "/r1/n1/10.0.0.1:9866");
    }
    files.file("/x/y", "/r2/n2/10.0.0.2:9866, /r1/n1/10.0.0.1:9866");
    FakeDaemon daemon = FakeDaemon.nameNode("active");
    started.add(daemon);
    files.nameNode(daemon);
    return daemon.bean(
        INFO,
        Map.of(
            "LiveNodes",
            "{\"vm1:9866\":{\"xferaddr\":\"10.0.0.1:9866\"},"
                + "\"vm2:9866\":{\"xferaddr\":\"10.0.0.2:9866\"}}"));
  }

  /** Hadoop before 3.3. */
  @Test
  void check_nameNodeWithoutLocations_findsThemByBlocks() throws IOException {
    cli.run("topology", "check", "--namenode", withoutLocations(3).url(), "--json");
    Map<?, ?> json = json();
    assertThat(json.get("source")).isEqualTo("addresses given, locations by fsck");
    assertThat(json.get("dataNodes").toString())
        .contains("name=vm1:9866")
        .contains("location=/r1/n1")
        .contains("location=/r2/n2");
  }

  @Test
  void check_manyBlocksWithoutLocations_drawsFiles() throws IOException {
    FakeDaemon daemon = withoutLocations(30);
    daemon.bean("Hadoop:service=NameNode,name=FSNamesystemState", Map.of("BlocksTotal", 1_000_000));
    cli.run("topology", "check", "--namenode", daemon.url(), "--json");
    assertThat(json().get("hosts")).isEqualTo(2L);
  }

  @Test
  void check_dataNodeWithoutBlockOrLocation_saysTheWayOut() throws IOException {
    FakeDaemon daemon = withoutLocations(1);
    daemon.bean(INFO, Map.of("LiveNodes", "{\"vm7:9866\":{\"xferaddr\":\"10.0.0.7:9866\"}}"));
    assertThat(cli.run("topology", "check", "--namenode", daemon.url())).isEqualTo(1);
    assertThat(cli.err())
        .contains("does not say where vm7:9866 is, and no block of it was found; run 'hdfs")
        .contains("-printTopology > FILE' and give --topology FILE");
  }

  @Test
  void check_noNameNodeAnswers_couldNotRun() throws IOException {
    FakeDaemon gone = nameNode("active", "{}");
    gone.close();
    assertThat(cli.run("topology", "check", "--namenode", gone.url())).isEqualTo(1);
    assertThat(cli.err()).startsWith("evenkeel: no NameNode answered: ");
  }

  private static String listing(String... places) {
    StringBuilder text = new StringBuilder("FSCK started by x for path / at now\n");
    for (int i = 0; i < places.length; i++) {
      text.append("/f").append(i);
      text.append(" 2048 bytes, replicated: replication=2, 1 block(s):  OK\n0. BP-1-h-1:blk_");
      text.append(i).append("_1 len=2048 Live_repl=2 [").append(places[i]).append("]\n\n");
    }
    return text + "Status: HEALTHY\n";
  }

  @Test
  void canStop_everyBlockElsewhereToo_isZero() {
    cli.input(listing("/r1/n1/a:1, /r2/n2/b:1", "/r1/n3/c:1, /r2/n2/b:1"));
    assertThat(cli.run("topology", "check", "--can-stop", "n1", "--fsck", "-")).isZero();
    assertThat(cli.out())
        .isEqualTo(
            "Host /r1/n1 has 1 of 2 blocks of standard input\n"
                + "1 block would be left without a spare replica or internal block\n"
                + "/r1/n1 can be stopped.\n");
  }

  @Test
  void canStop_blockLost_namesFileAndBytes() {
    cli.input(listing("/r1/n1/a:1, /r1/n1/b:1", "/r1/n3/c:1, /r2/n2/b:1"));
    assertThat(cli.run("topology", "check", "--can-stop", "/r1/n1", "--fsck", "-")).isEqualTo(2);
    assertThat(cli.out())
        .contains("1 block would be lost (2 KiB)\n")
        .contains("First files:\n  /f0\n")
        .endsWith("/r1/n1 must not be stopped.\n");
  }

  @Test
  void canStop_json_hasTheDocumentedShape() {
    cli.input(listing("/r1/n1/a:1, /r1/n1/b:1"));
    assertThat(cli.run("topology", "check", "--can-stop", "n1", "--fsck", "-", "--json"))
        .isEqualTo(2);
    Map<?, ?> json = json();
    assertThat(json.keySet().stream().map(String::valueOf))
        .containsExactly(
            "schema",
            "evenkeel",
            "exitCode",
            "source",
            "host",
            "canStop",
            "complete",
            "blocks",
            "onHost",
            "lost",
            "lostBytes",
            "belowMinimum",
            "unsure",
            "withoutSpare",
            "missingAlready",
            "unknownLocations",
            "paths");
    assertThat(json.get("canStop")).isEqualTo(false);
    assertThat(json.get("lost")).isEqualTo(1L);
  }

  @Test
  void canStop_minimumOfTwo_isAFinding() {
    cli.input(listing("/r1/n1/a:1, /r2/n2/b:1"));
    assertThat(
            cli.run("topology", "check", "--can-stop", "n1", "--fsck", "-", "--min-replication", 2))
        .isEqualTo(2);
    assertThat(cli.out()).contains("1 block would fall below the minimum of replicas");
  }

  @Test
  void canStop_brokenOffListing_cannotSayYes() {
    String text = listing("/r1/n1/a:1, /r2/n2/b:1").replace("Status: HEALTHY\n", "");
    assertThat(cli.input(text).run("topology", "check", "--can-stop", "n1", "--fsck", "-"))
        .isEqualTo(2);
    assertThat(cli.out()).contains("ends without the summary of fsck");
  }

  @Test
  void canStop_addresses_withTheTopologyOfALiveCluster() throws IOException {
    FakeDaemon active = nameNode("active", live("/r1/n1", 1, "/r1/n1", 1, "/r2/n2", 1));
    cli.input(listing("10.0.0.0:9866, 10.0.0.2:9866", "10.0.0.0:9866, 10.0.0.4:9866"));
    assertThat(
            cli.run(
                "topology",
                "check",
                "--can-stop",
                "vm2",
                "--fsck",
                "-",
                "--namenode",
                active.url()))
        .isEqualTo(2);
    assertThat(cli.out())
        .contains("Host /r1/n1 has 2 of 2 blocks")
        .contains("1 block would be lost");
  }

  @Test
  void canStop_locationNobodyKnows_cannotSayYes() {
    cli.input(listing("/r1/n1/a:1, /r2/n2/b:1", "c:1, d:1"));
    assertThat(cli.run("topology", "check", "--can-stop", "n1", "--fsck", "-")).isEqualTo(2);
    assertThat(cli.out()).contains("Nobody knows the host of c:1, d:1\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--can-stop n1 | 64 | --can-stop and --fsck belong together",
        "--fsck - | 64 | --can-stop and --fsck belong together",
        "--can-stop n1 --fsck - --topology - | 64 | --topology and --fsck cannot both be standard"
            + " input",
        "--can-stop n2 --fsck - | 64 | n2 may be one of /r1/n2, /r2/n2; name one of them",
        "--can-stop n7 --fsck - | 1 | no block of standard input is on a host called n7; it holds"
            + " none, or the name is wrong: give /rack/nodegroup",
        "--can-stop n1 --fsck /no/file | 4 | /no/file: no such file",
        "--can-stop n1 --fsck - --ec RS-6-3 | 64 | --ec cannot be used with --can-stop",
        "--can-stop n1 --fsck - --fail-on error | 64 | --fail-on cannot be used with --can-stop",
        "--topology - --min-replication 1 | 64 | --min-replication needs --can-stop",
        "--topology - --weight equal | 64 | --weight cannot be used with --topology",
        "--topology - --namenode http://a:1 | 64 | --namenode cannot be used with --topology",
        "--topology - --ec RS | 64 | --ec: 'RS' is no erasure coding schema; write RS-6-3",
        "--topology - --replication 0 | 64 | --replication = 0 is not allowed; use 1..512",
        "--topology - --layers both | 64 | Invalid value for option '--layers'"
      })
  void check_misuse_isToldInOneLine(String arguments, int code, String message) {
    cli.input(listing("/r1/n1/a:1, /r1/n2/b:1", "/r2/n2/c:1, /r1/n1/a:1"));
    List<String> all = new ArrayList<>(List.of("topology", "check"));
    all.addAll(List.of(arguments.split(" ")));
    assertThat(cli.run(all.toArray())).isEqualTo(code);
    assertThat(cli.err()).startsWith("evenkeel: " + message);
  }

  @Test
  void canStop_listingWithoutRacks_saysWhatIsMissing() {
    cli.input(listing("a:1, b:1"));
    assertThat(cli.run("topology", "check", "--can-stop", "a", "--fsck", "-")).isEqualTo(1);
    assertThat(cli.err())
        .isEqualTo(
            "evenkeel: standard input does not say which host its DataNodes are on; run fsck with"
                + " -racks, or give --topology FILE\n");
  }

  @Test
  void topology_alone_isUsage() {
    assertThat(cli.run("topology")).isEqualTo(64);
    assertThat(cli.err()).contains("Usage: evenkeel topology").contains("check");
  }

  /** The topology is right, and the policy in force does not look at it. */
  @Test
  void check_policyInForceKnowsNoHosts_isAnError() throws IOException {
    FakeDaemon daemon =
        nameNode("active", live("/r1/n1", 1, "/r1/n1", 1, "/r2/n3", 1, "/r2/n4", 1))
            .conf("dfs.replication", "3");
    assertThat(cli.run("topology", "check", "--namenode", daemon.url())).isEqualTo(2);
    assertThat(cli.out())
        .contains(
            "Finding (error, policy): 1 of 3 hosts have several DataNodes, and the policy in"
                + " force, BlockPlacementPolicyDefault, does not keep replicas apart by host");
  }

  @Test
  void check_policyInForceKnowsHosts_isNoFinding() throws IOException {
    FakeDaemon daemon =
        nameNode("active", live("/r1/n1", 1, "/r1/n1", 1, "/r2/n3", 1, "/r2/n4", 1))
            .conf(
                "dfs.block.replicator.classname",
                "org.apache.hadoop.hdfs.server.blockmanagement"
                    + ".BlockPlacementPolicyWithNodeGroup",
                "net.topology.impl",
                "org.apache.hadoop.net.NetworkTopologyWithNodeGroup",
                "dfs.use.dfs.network.topology",
                "false");
    cli.run("topology", "check", "--namenode", daemon.url());
    assertThat(cli.out()).doesNotContain("policy)");
    daemon.bean(
        "io.evenkeel:type=Plugin,module=placement,class=UniformBlockPlacementPolicy",
        Map.of(
            "PluginClass",
            "io.evenkeel.placement.UniformBlockPlacementPolicy",
            "State",
            "observe"));
    cli.run("topology", "check", "--namenode", daemon.url());
    assertThat(cli.out()).contains("stock (observe), does not keep replicas apart");
  }
}
