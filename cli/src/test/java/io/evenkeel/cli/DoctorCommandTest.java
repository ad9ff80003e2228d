package io.evenkeel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.evenkeel.common.json.Json;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whom {@code evenkeel doctor} asks, how often, and what it says when it cannot. */
class DoctorCommandTest {
  private static final String NAMENODE = "Hadoop:service=NameNode,name=";
  private static final String DATANODE = "Hadoop:service=DataNode,name=";

  @TempDir Path dir;

  private final List<AutoCloseable> started = new ArrayList<>();
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final Map<String, String> environment = new HashMap<>();
  private final AtomicLong nanos = new AtomicLong();
  private final AtomicInteger pauses = new AtomicInteger();
  private Runnable atPause = () -> {};
  private long roundSeconds = 10;

  @AfterEach
  void stop() throws Exception {
    for (AutoCloseable each : started) {
      each.close();
    }
  }

  private FakeDaemon keep(FakeDaemon daemon) {
    started.add(daemon);
    return daemon;
  }

  private FakeDaemon dataNode() throws IOException {
    return keep(FakeDaemon.start())
        .bean(DATANODE + "DataNodeInfo", Map.of("SoftwareVersion", "3.4.3"))
        .bean(DATANODE + "DataNodeActivity-dn-9866", Map.of("BytesWritten", 1));
  }

  private FakeDaemon nameNode(String state, FakeDaemon... live) throws IOException {
    return keep(FakeDaemon.nameNode(state, live))
        .bean(NAMENODE + "FSNamesystem", Map.of("MissingBlocks", 0))
        .conf("dfs.replication", "3");
  }

  private int doctor(Object... arguments) {
    DoctorCommand command =
        new DoctorCommand(
            environment::get,
            new ByteArrayInputStream(new byte[0]),
            nanos::get,
            seconds -> {
              assertThat(seconds).isEqualTo(10);
              pauses.incrementAndGet();
              nanos.addAndGet(TimeUnit.SECONDS.toNanos(roundSeconds));
              atPause.run();
            });
    List<String> words = new ArrayList<>(List.of("doctor"));
    for (Object each : arguments) {
      words.add(each.toString());
    }
    return Evenkeel.run(
        Evenkeel.commandLine(command).setOut(new PrintWriter(out)).setErr(new PrintWriter(err)),
        words.toArray(new String[0]));
  }

  @Test
  void doctor_healthyCluster_saysItsLoadAndEachRound() throws IOException {
    FakeDaemon nn = nameNode("active", dataNode(), dataNode());
    assertThat(doctor(nn.url(), "--minutes", 1)).isZero();
    assertThat(err.toString())
        .contains("asking " + nn.url() + " and 2 DataNodes for 1 min: at most ")
        .contains("round 1 of 7: 2 of 2 DataNodes answered\n")
        .contains("round 7 of 7: 2 of 2 DataNodes answered\n");
    assertThat(pauses).hasValue(6);
    assertThat(out.toString()).doesNotContain("configuration of the NameNode");
  }

  @Test
  void doctor_slowRounds_endWithTheMinutes() throws IOException {
    FakeDaemon nn = nameNode("active", dataNode());
    roundSeconds = 25;
    assertThat(doctor(nn.url(), "--minutes", 1)).isZero();
    assertThat(pauses).hasValue(3);
  }

  /** Three DataNodes that write 100 MiB between rounds. */
  private int doctorByDefault(int millisOfTheThird) throws IOException {
    FakeDaemon[] nodes = {dataNode(), dataNode(), dataNode()};
    atPause =
        () -> {
          int round = pauses.get();
          for (int i = 0; i < nodes.length; i++) {
            long millis = i == 2 ? millisOfTheThird : 300 + i;
            nodes[i].bean(
                DATANODE + "DataNodeActivity-dn-9866",
                Map.of(
                    "BytesWritten",
                    round * 100L << 20,
                    "TotalWriteTime",
                    round * millis + (i * 31 + round * 17) % 23));
          }
        };
    return doctor(nameNode("active", nodes).url());
  }

  @Test
  void doctor_byDefaultAndNobodySlow_watchesForTenMinutes() throws IOException {
    assertThat(doctorByDefault(302)).isZero();
    assertThat(pauses).hasValue(60);
    assertThat(err.toString())
        .contains("3 DataNodes for 2 to 10 min: at most 82 requests to each DataNode")
        .containsOnlyOnce("nobody is slow beyond doubt yet: watching on, up to 10 min in all\n")
        .contains("round 61 of 61: 3 of 3 DataNodes answered\n");
  }

  @Test
  void doctor_byDefaultAndOneSlow_endsAfterTwoMinutes() throws IOException {
    assertThat(doctorByDefault(900)).isEqualTo(2);
    assertThat(pauses).hasValue(13);
    assertThat(out.toString()).contains("slow-datanode");
    assertThat(err.toString())
        .doesNotContain("watching on")
        .endsWith("round 14 of 61: 3 of 3 DataNodes answered\n");
  }

  @Test
  void doctor_byDefaultAndNoLoad_endsAfterTwoMinutes() throws IOException {
    doctor(nameNode("active", dataNode(), dataNode(), dataNode()).url());
    assertThat(pauses).hasValue(13);
  }

  @Test
  void doctor_standbyFirst_asksTheActive() throws IOException {
    FakeDaemon standby = nameNode("standby");
    FakeDaemon active = nameNode("active", dataNode());
    assertThat(doctor("--namenode", standby.url(), "--namenode", active.url())).isZero();
    assertThat(err.toString()).contains("asking " + active.url() + " and 1 DataNodes");
    assertThat(out.toString()).doesNotContain("no active NameNode");
  }

  @Test
  void doctor_onlyAStandby_isAskedAndSaid() throws IOException {
    FakeDaemon standby = nameNode("standby", dataNode());
    doctor(standby.url(), "--minutes", 1);
    assertThat(out.toString())
        .contains("no active NameNode answered; asked " + standby.url())
        .contains("which is standby");
  }

  @Test
  void doctor_failover_goesOnWithTheOtherNameNode() throws IOException {
    String status = NAMENODE + "NameNodeStatus";
    FakeDaemon first = nameNode("active", dataNode()).bean(status, Map.of("HostAndPort", "nn1:1"));
    FakeDaemon second =
        nameNode("standby", dataNode()).bean(status, Map.of("HostAndPort", "nn2:1"));
    atPause =
        () -> {
          if (pauses.get() == 2) {
            first.close();
          }
          if (pauses.get() == 3) {
            second.bean(status, Map.of("State", "active"));
            second.bean(NAMENODE + "NameNodeInfo", Map.of("Safemode", "Safe mode is ON."));
          }
        };
    assertThat(doctor(first.url(), second.url(), "--minutes", 1)).isEqualTo(2);
    assertThat(out.toString())
        .contains("active one after the other: nn1:1, nn2:1")
        .contains("it is in safe mode")
        .contains("no answer in 1 of 7 rounds");
  }

  @Test
  void doctor_nobodyAnswers_couldNotRun() throws IOException {
    FakeDaemon nn = nameNode("active");
    nn.close();
    assertThat(doctor(nn.url())).isEqualTo(1);
    assertThat(err.toString()).startsWith("evenkeel: no NameNode answered: " + nn.url());
    assertThat(pauses).hasValue(0);
  }

  @Test
  void doctor_nameNodeStarting_couldNotRun() throws IOException {
    FakeDaemon nn =
        keep(FakeDaemon.start()).bean(NAMENODE + "NameNodeStatus", Map.of("State", "standby"));
    assertThat(doctor(nn.url())).isEqualTo(1);
    assertThat(err.toString()).isEqualTo("evenkeel: " + nn.url() + " is still starting\n");
  }

  @Test
  void doctor_silentDataNodes_areOneLinePerReason() throws IOException {
    FakeDaemon gone = dataNode();
    FakeDaemon other = dataNode();
    FakeDaemon noDataNode = keep(FakeDaemon.start());
    FakeDaemon nn = nameNode("active", dataNode(), gone, other, noDataNode);
    gone.close();
    other.close();
    doctor(nn.url(), "--minutes", 1);
    assertThat(err.toString()).contains("round 1 of 7: 1 of 4 DataNodes answered");
    assertThat(out.toString())
        .containsPattern("2 DataNodes dn1:\\d+, dn2:\\d+: no answer in any round: .*ref")
        .containsPattern("DataNode dn3:\\d+: .*: it answers, but is no DataNode\n");
  }

  @Test
  void doctor_dataNodeGoneMidway_isNoUnseenLine() throws IOException {
    FakeDaemon leaving = dataNode();
    FakeDaemon nn = nameNode("active", dataNode(), leaving);
    atPause =
        () -> {
          if (pauses.get() == 3) {
            leaving.close();
          }
        };
    doctor(nn.url(), "--minutes", 1);
    assertThat(err.toString())
        .contains("round 3 of 7: 2 of 2 DataNodes", "round 7 of 7: 1 of 2 DataNodes");
    assertThat(out.toString()).doesNotContain("no answer in any round");
  }

  @Test
  void doctor_dataNodeThatIsDeadByNow_isNotCalledLive() throws IOException {
    FakeDaemon leaving = dataNode();
    FakeDaemon nn = nameNode("active", dataNode(), leaving);
    atPause =
        () -> {
          leaving.close();
          nn.bean(
              NAMENODE + "NameNodeInfo",
              Map.of("DeadNodes", "{\"dn1:9866\":{\"decommissioned\":false}}"));
        };
    assertThat(doctor(nn.url(), "--minutes", 1)).isEqualTo(2);
    assertThat(out.toString())
        .contains("the NameNode has given up dn1:9866")
        .doesNotContain("the NameNode calls them live");
  }

  @Test
  void doctor_nameNodeGoneMidway_isNamedAndKeepsItsRelease() throws IOException {
    FakeDaemon nn = nameNode("active", dataNode());
    atPause =
        () -> {
          if (pauses.get() == 3) {
            nn.close();
          }
        };
    assertThat(doctor(nn.url(), "--minutes", 1)).isEqualTo(2);
    assertThat(out.toString())
        .contains("Hadoop 3.4.3")
        .contains("no answer in 4 of 7 rounds")
        .containsOnlyOnce("the NameNode in round");
  }

  @Test
  void doctor_nameNodeShowsNoConfiguration_isSaid() throws IOException {
    FakeDaemon nn = keep(FakeDaemon.nameNode("active", dataNode()));
    assertThat(doctor(nn.url(), "--minutes", 1)).isZero();
    assertThat(out.toString())
        .contains("the configuration of the NameNode: ")
        .contains("answered 404");
  }

  @Test
  void doctor_threads_areAskedInEveryThirdRound() throws IOException {
    AtomicInteger asked = new AtomicInteger();
    FakeDaemon open = countingThreads(asked);
    FakeDaemon closed =
        dataNode()
            .servlet(
                "/stacks",
                (path, query) -> {
                  throw new FakeDaemon.Refused(403, "Unauthorized");
                });
    doctor(nameNode("active", open, closed).url(), "--minutes", 1);
    assertThat(asked).hasValue(3);
    assertThat(err.toString())
        .contains(
            "at most 10 requests to each DataNode (3 of them for its threads, which it also writes to"
                + " its log), 20 to all of them, and 33 to the NameNode");
    assertThat(out.toString())
        .containsPattern(
            "DataNode dn1:\\d+: its threads: /stacks answered 403: this user may not see it")
        .doesNotContain("DataNode dn0");
  }

  private static String volumes(long usedOfOther) {
    String volume = "{\"storageType\":\"DISK\",\"usedSpace\":%d,\"numBlocks\":5}";
    return "{\"/hung\":"
        + volume.formatted(7)
        + ",\"/other\":"
        + volume.formatted(usedOfOther)
        + "}";
  }

  @Test
  void doctor_volumeThatHangsThroughout_isNamed() throws IOException {
    String stack =
        "Process Thread Dump: \n1 active threads\nThread 6 (DataXceiver):\n  State: RUNNABLE\n"
            + "  Blocked count: 1\n  Waited count: 2\n  Stack:\n"
            + "    java.io.UnixFileSystem.rename0(Native Method)\n"
            + "    org.apache.hadoop.hdfs.server.datanode.DataXceiver.run(D.java:1)\n";
    FakeDaemon dn = dataNode().servlet("/stacks", (path, query) -> stack);
    dn.bean(DATANODE + "DataNodeInfo", Map.of("VolumeInfo", volumes(0)));
    atPause = () -> dn.bean(DATANODE + "DataNodeInfo", Map.of("VolumeInfo", volumes(pauses.get())));
    assertThat(doctor(nameNode("active", dn).url(), "--minutes", 1)).isEqualTo(2);
    assertThat(out.toString())
        .containsPattern("hung-volume +likely")
        .containsPattern("too:\\s+/hung\\s+\\(DISK,\\s+5\\s+blocks\\)\n");
  }

  private FakeDaemon countingThreads(AtomicInteger asked) throws IOException {
    return dataNode()
        .servlet(
            "/stacks",
            (path, query) -> {
              asked.incrementAndGet();
              return "Process Thread Dump: \n0 active threads\n";
            });
  }

  @Test
  void doctor_threadsWithoutAnEndOfLine_areNotKept() throws IOException {
    String endless = "x".repeat(17 << 20);
    FakeDaemon dn = dataNode().servlet("/stacks", (path, query) -> endless);
    assertThat(doctor(nameNode("active", dn).url(), "--minutes", 1)).isZero();
    assertThat(out.toString()).contains("broke off: a line of more than 16777216 characters");
  }

  @Test
  void doctor_noThreads_areNotAskedFor() throws IOException {
    AtomicInteger asked = new AtomicInteger();
    FakeDaemon dn = countingThreads(asked);
    assertThat(doctor(nameNode("active", dn).url(), "--minutes", 1, "--no-threads")).isZero();
    assertThat(asked).hasValue(0);
    assertThat(err.toString()).contains("at most 7 requests to each DataNode (0 of them for its");
    assertThat(out.toString()).doesNotContain("its threads");
  }

  @Test
  void doctor_noLocations_saysTheWayOut() throws IOException {
    doctor(nameNode("active", dataNode()).url(), "--minutes", 1);
    assertThat(out.toString())
        .contains("the racks of all DataNodes: the NameNode does not say them")
        .contains("--map FILE", "--script");
  }

  @Test
  void doctor_racksInRooms_areNoHostsWithLayersRack() throws IOException {
    FakeDaemon nn = nameNode("active");
    String node = "{\"infoAddr\":\"127.0.0.1:1\",\"location\":\"/room1/rack1\"}";
    String live = "{\"a:1\":" + node + ",\"b:1\":" + node + "}";
    nn.bean(NAMENODE + "NameNodeInfo", Map.of("LiveNodes", live));
    doctor(nn.url(), "--minutes", 1);
    assertThat(out.toString()).contains("2 live DataNodes on 1 host", "say --layers rack");
    out.getBuffer().setLength(0);
    doctor(nn.url(), "--minutes", 1, "--layers", "rack");
    assertThat(out.toString()).contains("2 live DataNodes on 2 hosts").doesNotContain("keys");
  }

  @Test
  void doctor_fsckThatIsNone_doesNotTakeTheOtherFindingsWithIt() throws IOException {
    Path fsck = Files.writeString(dir.resolve("fsck"), "Connection refused\n");
    FakeDaemon nn = nameNode("active", dataNode());
    nn.bean(NAMENODE + "NameNodeInfo", Map.of("Safemode", "Safe mode is ON."));
    assertThat(doctor(nn.url(), "--minutes", 1, "--fsck", fsck)).isEqualTo(2);
    assertThat(out.toString()).contains("is no output of hdfs fsck").contains("safe mode");
  }

  private static final String GOOD = "/r1/n1/a:1, /r1/n2/b:1, /r2/n3/c:1";
  private static final String BAD = "/r1/n1/a:1, /r1/n1/d:1, /r2/n3/c:1";

  @Test
  void doctor_sampleOfFewBlocks_readsAllAndNamesWhatIsWrong() throws IOException {
    FakeNamespace files =
        new FakeNamespace().file("/a/f", GOOD).file("/a/g", BAD).coldFile("/a/h", GOOD);
    FakeDaemon nn = files.nameNode(nameNode("active"));
    assertThat(doctor(nn.url(), "--minutes", 1, "--sample", 1000, "--user", "me")).isEqualTo(2);
    assertThat(err.toString())
        .contains("then asking the NameNode for about 1,000 blocks, one request at a time")
        .contains("reading a sample of the blocks");
    assertThat(out.toString())
        .containsPattern("two-on-host\\s+certain\\s+1 of 3 blocks\\n")
        .contains("a switch to it copies 1 replica (100 B)")
        .containsPattern("wrong-storage\\s+certain\\s+1 of 3 blocks\\n")
        .containsPattern("COLD\\s+on DISK:3 \\(1\\)");
    assertThat(files.checked).containsExactly("/");
  }

  @Test
  void doctor_sampleOfManyBlocks_saysThatItIsOne() throws IOException {
    FakeNamespace files = new FakeNamespace();
    for (int i = 0; i < 4000; i++) {
      String path = "/d" + i % 80 + "/f" + i;
      files = i % 2 == 0 ? files.file(path, BAD) : files.coldFile(path, GOOD);
    }
    FakeDaemon nn = files.nameNode(nameNode("active"));
    assertThat(doctor(nn.url(), "--minutes", 1, "--sample", 1000)).isEqualTo(2);
    assertThat(files.checked).hasSizeLessThan(1000);
    assertThat(out.toString())
        .containsPattern(
            "two-on-host\\s+certain\\s+[\\d,]+ of [\\d,]+ blocks, a sample of 4,000\\n")
        .containsPattern(
            "copies about [\\d,]+ replicas \\(95 % confidence: [\\d,]+\\s+to [\\d,]+; ")
        .containsPattern(
            "COLD\\s+on\\s+DISK:3 \\([\\d,]+\\);\\s+for\\s+example\\s+below\\s+/d\\d+");
  }

  @Test
  void doctor_sampleThatIsDenied_doesNotTakeTheOtherFindingsWithIt() throws IOException {
    FakeDaemon nn = nameNode("active", dataNode());
    nn.bean(NAMENODE + "NameNodeInfo", Map.of("Safemode", "Safe mode is ON."));
    nn.bean(NAMENODE + "FSNamesystemState", Map.of("BlocksTotal", 5));
    nn.servlet(
        "/fsck",
        (path, query) ->
            "FSCK started by me\nFSCK ended at now in 1 milliseconds\nPermission denied: user=me\n"
                + "\n\nFsck on path '/' FAILED");
    assertThat(doctor(nn.url(), "--minutes", 1, "--sample", 1000, "--user", "me")).isEqualTo(2);
    assertThat(out.toString())
        .contains("--sample: " + nn.url())
        .containsPattern("Permission denied: user=me; asked as\\s+me, give a --user")
        .contains("safe mode");
  }

  private FakeDaemon nodeManager(Map<String, Object> numbers) throws IOException {
    return keep(FakeDaemon.start())
        .bean("Hadoop:service=NodeManager,name=NodeManagerMetrics", numbers);
  }

  private FakeDaemon resourceManager(Object nodes) throws IOException {
    return keep(FakeDaemon.start())
        .bean(
            "Hadoop:service=ResourceManager,name=RMNMInfo",
            Map.of("LiveNodeManagers", Json.compact(nodes)))
        .bean("Hadoop:service=ResourceManager,name=ClusterMetrics", Map.of("NumLostNMs", 2));
  }

  private static Map<String, Object> node(FakeDaemon daemon, String state) {
    return Map.of(
        "HostName", "h", "NodeHTTPAddress", daemon.address(), "State", state, "HealthReport", "");
  }

  @Test
  void doctor_resourceManagers_theOneWithNodeManagersIsAsked() throws IOException {
    FakeDaemon good = nodeManager(Map.of("BadLocalDirs", 3));
    FakeDaemon gone = nodeManager(Map.of());
    FakeDaemon standby = resourceManager(List.of());
    FakeDaemon active = resourceManager(List.of(node(good, "RUNNING"), node(gone, "RUNNING")));
    gone.close();
    FakeDaemon nn = nameNode("active", dataNode());
    int code =
        doctor(
            nn.url(),
            "--minutes",
            1,
            "--resourcemanager",
            standby.url(),
            "--resourcemanager",
            active.url());
    assertThat(code).isEqualTo(2);
    assertThat(err.toString())
        .contains("three to " + active.url() + " and two to each of its 2 NodeManagers\n");
    assertThat(out.toString())
        .contains(", 2 NodeManagers, watched")
        .contains("2 NodeManagers\n", "the ResourceManager calls them lost")
        .contains("failed-volume  certain    " + good.address())
        .contains("incomplete     certain    " + gone.address());
  }

  @Test
  void doctor_nodeManagersWhoseNamesAreNotKnownHere_areNoFinding() throws IOException {
    Map<String, Object> node =
        Map.of("HostName", "x", "NodeHTTPAddress", "nm1.invalid:8042", "State", "RUNNING");
    FakeDaemon rm = keep(resourceManager(List.of(node)));
    rm.bean("Hadoop:service=ResourceManager,name=ClusterMetrics", Map.of("NumLostNMs", 0));
    FakeDaemon nn = nameNode("active", dataNode());
    assertThat(doctor(nn.url(), "--minutes", 1, "--resourcemanager", rm.url())).isZero();
    assertThat(out.toString())
        .contains("NodeManagers nm1.invalid:8042: their hosts are not known here");
  }

  @Test
  void doctor_resourceManagerThatIsNone_leavesYarnOut() throws IOException {
    FakeDaemon nn = nameNode("active", dataNode());
    assertThat(doctor(nn.url(), "--minutes", 1, "--resourcemanager", nn.url())).isZero();
    assertThat(out.toString())
        .contains(
            "YARN: no ResourceManager answered: "
                + nn.url()
                + " answers, but is no ResourceManager");
  }

  @Test
  void doctor_resourceManagerGoneMidway_leavesYarnOut() throws IOException {
    FakeDaemon rm = resourceManager(List.of());
    atPause = rm::close;
    FakeDaemon nn = nameNode("active", dataNode());
    assertThat(doctor(nn.url(), "--minutes", 1, "--resourcemanager", rm.url())).isZero();
    assertThat(out.toString()).contains("YARN: no ResourceManager answered: ");
  }

  @Test
  void doctor_resourceManagerFailsOver_asksTheOther() throws IOException {
    FakeDaemon node = nodeManager(Map.of("BadLocalDirs", 1));
    FakeDaemon first = resourceManager(List.of(node(node, "RUNNING")));
    FakeDaemon second = resourceManager(List.of());
    String info = "Hadoop:service=ResourceManager,name=RMNMInfo";
    atPause =
        () -> {
          first.bean(info, Map.of("LiveNodeManagers", "[]"));
          String nodes = Json.compact(List.of(node(node, "RUNNING")));
          second.bean(info, Map.of("LiveNodeManagers", nodes));
        };
    FakeDaemon nn = nameNode("active", dataNode());
    String[] both = {"--resourcemanager", first.url(), "--resourcemanager", second.url()};
    assertThat(doctor(nn.url(), "--minutes", 1, both[0], both[1], both[2], both[3])).isEqualTo(2);
    assertThat(out.toString()).contains(", 1 NodeManager, ", node.address());
  }

  @Test
  void doctor_nameNodeStartsAgain_isNoAnswer() throws IOException {
    FakeDaemon nn = nameNode("active", dataNode());
    atPause =
        () -> {
          if (pauses.get() == 3) {
            nn.answering("{\"beans\":[]}");
          }
        };
    assertThat(doctor(nn.url(), "--minutes", 1)).isEqualTo(2);
    assertThat(out.toString()).contains("no answer in 4 of 7 rounds", "it is still starting");
  }

  @Test
  void doctor_dataNodesThatAskForKerberos_areOnlyNotLookedAt() throws IOException {
    FakeDaemon nn = nameNode("active", dataNode().refusing(401), dataNode().refusing(401));
    assertThat(doctor(nn.url(), "--minutes", 1)).isZero();
    assertThat(out.toString())
        .contains("Nothing is found to be wrong")
        .containsPattern("2 DataNodes dn0:\\d+, dn1:\\d+: no answer in any round: .*401");
  }

  @Test
  void doctor_federation_isNoFailoverAndTold() throws IOException {
    FakeDaemon first = nameNode("active", dataNode());
    FakeDaemon other = keep(FakeDaemon.start()).nameNodeBeans("active", "BP-2");
    atPause =
        () -> {
          if (pauses.get() == 3) {
            first.close();
          }
        };
    doctor(first.url(), other.url(), "--minutes", 1);
    assertThat(out.toString())
        .contains(other.url() + " is active, too: its namespace is not looked at")
        .contains("no answer in 4 of 7 rounds")
        .doesNotContain("active one after the other");
  }

  @Test
  void doctor_listOfDataNodesThatIsNone_couldNotRun() throws IOException {
    FakeDaemon nn = nameNode("active");
    nn.bean(NAMENODE + "NameNodeInfo", Map.of("LiveNodes", "{\"dn1"));
    assertThat(doctor(nn.url())).isEqualTo(1);
    assertThat(err.toString()).contains(nn.url() + " lists its DataNodes in no JSON");
  }

  @Test
  void doctor_controlCharactersOfTheCluster_doNotReachTheTerminal() throws IOException {
    FakeDaemon nn = nameNode("active", dataNode());
    String bad = "Safe mode\u001b]0;owned\u0007\u001b[2J is \u202eON";
    nn.bean(NAMENODE + "NameNodeInfo", Map.of("Safemode", bad));
    doctor(nn.url(), "--minutes", 1);
    assertThat(out.toString()).contains("Safe mode?]0;owned??[2J is ?ON");
  }

  @Test
  void doctor_map_namesSomeDataNodes() throws IOException {
    Path map = Files.writeString(dir.resolve("map"), "dn0 /r1\n");
    doctor(nameNode("active", dataNode(), dataNode()).url(), "--minutes", 1, "--map", map);
    assertThat(out.toString())
        .contains("the racks of 1 DataNodes (dn1:9866): the file of --map does not");
  }

  @Test
  void doctor_script_isRunWithAddresses() throws IOException {
    Path script = dir.resolve("script");
    Files.writeString(script, "#!/bin/sh\necho \"$@\" >> " + dir + "/asked\necho /r1/ /r2\n");
    assertThat(script.toFile().setExecutable(true)).isTrue();
    FakeDaemon nn = keep(FakeDaemon.nameNode("active"));
    String live =
        "{\"a:1\":{\"infoAddr\":\"127.0.0.1:1\",\"xferaddr\":\"10.0.0.1:9866\"},"
            + "\"b:1\":{\"infoAddr\":\"127.0.0.1:1\",\"xferaddr\":\"10.0.0.2:9866\"}}";
    nn.bean(NAMENODE + "NameNodeInfo", Map.of("LiveNodes", live));
    doctor(nn.url(), "--minutes", 1, "--script", script);
    assertThat(Files.readString(dir.resolve("asked"))).isEqualTo("10.0.0.1 10.0.0.2\n");
    assertThat(out.toString()).doesNotContain("racks");
  }

  @ParameterizedTest
  @CsvSource({
    "echo /r1 /r2, printed 2 locations for 1 addresses",
    "exit 0, printed 0 locations for 1 addresses",
    "echo /r1; exit 3, ended with 3",
    "echo r1, 'printed ''r1'', which is no network location'",
    "exec sleep 600, 'did not end within 4,000 ms'"
  })
  void doctor_badScript_couldNotRun(String body, String reason) throws IOException {
    Path script = Files.writeString(dir.resolve("script"), "#!/bin/sh\n" + body + "\n");
    assertThat(script.toFile().setExecutable(true)).isTrue();
    assertThat(doctor(nameNode("active", dataNode()).url(), "--script", script, "--timeout", 1))
        .isEqualTo(1);
    assertThat(err.toString()).isEqualTo("evenkeel: --script " + script + " " + reason + "\n");
  }

  @Test
  void doctor_out_writesJsonAndAPage() throws IOException {
    Path reports = dir.resolve("a/b");
    FakeDaemon nn = nameNode("active", dataNode());
    assertThat(doctor(nn.url(), "--minutes", 1, "--out", reports, "--json")).isZero();
    assertThat(Files.readString(reports.resolve("doctor.json"))).isEqualTo(out.toString());
    assertThat(((Map<?, ?>) Json.parse(out.toString())).get("notLookedAt"))
        .isInstanceOf(List.class);
    assertThat(reports.resolve("doctor.html")).content().startsWith("<!DOCTYPE html>");
  }

  @ParameterizedTest
  @CsvSource({
    "--minutes 0, 64, --minutes = 0 is not allowed; use 1..60",
    "--minutes 61, 64, --minutes = 61 is not allowed; use 1..60",
    "--map a --script b, 64, --map and --script cannot be used together",
    "--map - --fsck -, 64, --map and --fsck cannot both be standard input",
    "--resourcemanager x, 64, '--resourcemanager: ''x'' is not an address'",
    "--sample 999, 64, --sample = 999 is not allowed; use 1000..10000000",
    "--sample 5000 --fsck a, 64, --sample and --fsck cannot be used together",
    "--user me, 64, --user needs --sample",
    "--fsck /no/file, 4, /no/file: no such file",
    "--map /no/file, 4, /no/file: no such file",
    "--namenode http://b:1, 64, 'give addresses of NameNodes or name a cluster, not both'",
    "--out /dev/null/a, 1, --out /dev/null/a cannot be written: a file is in the way",
    "--script /no/file, 1, --script /no/file cannot be run: "
  })
  void doctor_misuse_isToldBeforeTheWork(String words, int code, String why) throws IOException {
    List<Object> all = new ArrayList<>(List.of(nameNode("active", dataNode()).url()));
    all.addAll(List.of(words.split(" ")));
    assertThat(doctor(all.toArray())).isEqualTo(code);
    assertThat(err.toString()).startsWith("evenkeel: " + why);
    assertThat(pauses).hasValue(0);
  }

  @Test
  void doctor_interrupted_ends130() throws IOException {
    FakeDaemon nn = nameNode("active", dataNode());
    atPause = () -> Thread.currentThread().interrupt();
    int code = doctor(nn.url(), "--minutes", 1);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(code).isEqualTo(130);
  }

  /** One server stands for all, by the port 1 of a thousand names of the loopback network. */
  @Test
  void doctor_thousandDataNodes_areAskedOnceARound() throws IOException {
    AtomicInteger asked = new AtomicInteger();
    String answer =
        Json.compact(
            Map.of("beans", List.of(Map.of("name", DATANODE + "DataNodeInfo", "Version", "3"))));
    ExecutorService threads = Executors.newCachedThreadPool();
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getByName("0.0.0.0"), 0), 2000);
    server.setExecutor(threads);
    server.createContext(
        "/jmx",
        exchange -> {
          asked.incrementAndGet();
          exchange.sendResponseHeaders(200, 0);
          exchange.getResponseBody().write(answer.getBytes(StandardCharsets.UTF_8));
          exchange.close();
        });
    server.start();
    started.add(threads::shutdownNow);
    started.add(() -> server.stop(0));
    Map<String, Object> live = new LinkedHashMap<>();
    for (int i = 0; i < 1000; i++) {
      String address = "127.0." + (1 + i / 250) + "." + (1 + i % 250);
      String web = address + ":" + server.getAddress().getPort();
      live.put("dn" + i + ":9866", Map.of("infoAddr", web, "infoSecureAddr", address + ":0"));
    }
    FakeDaemon nn = nameNode("active");
    nn.bean(NAMENODE + "NameNodeInfo", Map.of("LiveNodes", Json.compact(live)));
    roundSeconds = 60;
    assertThat(doctor(nn.url(), "--minutes", 1, "--timeout", 60)).isZero();
    assertThat(err.toString())
        .contains("round 1 of 7: 1,000 of 1,000 DataNodes answered")
        .contains("round 2 of 7: 1,000 of 1,000 DataNodes answered");
    assertThat(asked).hasValue(2000);
  }
}
