package io.evenkeel.bench.gameday.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.bench.cluster.Cluster;
import io.evenkeel.bench.gameday.cluster.ClusterView.LiveDataNode;
import io.evenkeel.bench.gameday.fault.ReplicaLine;
import io.evenkeel.bench.gameday.schedule.Fault;
import io.evenkeel.bench.gameday.schedule.Fault.Kind;
import io.evenkeel.bench.runtime.Layout;
import io.evenkeel.bench.runtime.Trees;
import io.evenkeel.common.json.Json;
import io.evenkeel.common.testing.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/**
 * Each fault once, on 4 DataNodes of 2 hosts with five volumes each. By hand with {@code
 * -Devenkeel.gameday.plugins=false} or {@code -Devenkeel.gameday.hadoop=3.5.0}.
 */
@Tag("slow")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GameClusterIT {
  private static final int BLOCK = 1 << 20;
  private static final String FIRST = "/first";
  private static final boolean PLUGINS =
      Boolean.parseBoolean(System.getProperty("evenkeel.gameday.plugins", "true"));

  private final byte[] data = new byte[3 * BLOCK];
  private Path dir;
  private GameCluster game;
  private ClusterView view;

  @BeforeAll
  void startCluster() throws Exception {
    dir = Files.createTempDirectory(Path.of("target").toAbsolutePath(), "game-it");
    String release =
        System.getProperty(
            "evenkeel.gameday.hadoop", System.getProperty("evenkeel.hadoop.version"));
    game =
        GameCluster.start(
            dir.resolve("game"),
            new ClusterDescription(
                new Layout(2, 2, 2),
                1,
                release,
                List.of("SSD", "DISK", "DISK", "ARCHIVE", "RAM_DISK"),
                PLUGINS,
                PLUGINS ? jars() : null,
                false,
                Map.of()),
            line -> {});
    view = game.view();
    new Random(1).nextBytes(data);
    try (FileSystem fs = client("dn1")) {
      for (String policy : List.of("ALL_SSD", "HOT", "LAZY_PERSIST")) {
        org.apache.hadoop.fs.Path directory = path("/" + policy);
        fs.mkdirs(directory);
        fs.setStoragePolicy(directory, policy);
      }
      try (FSDataOutputStream out = create(fs, FIRST, 3)) {
        out.write(data);
      }
    }
  }

  @AfterEach
  void calmAndReadable() throws Exception {
    game.calm();
    assertThat(game.lasting()).isEmpty();
    assertThat(view.safeMode()).isFalse();
    assertThat(read(FIRST)).isEqualTo(data);
  }

  @AfterAll
  void stopCluster() throws Exception {
    if (game != null) {
      game.close();
    }
    Trees.delete(dir);
  }

  private Path jars() throws IOException {
    return jars(Files.createDirectories(dir.resolve("jars")));
  }

  /** Copies our jars there, as an operator does. */
  static Path jars(Path jars) throws IOException {
    for (String module : List.of("placement", "volume-policy", "datanode-locking")) {
      Path target = Path.of("..", "..", module, "target");
      try (Stream<Path> files = Files.list(target)) {
        Path jar =
            files
                .filter(f -> f.getFileName().toString().matches("evenkeel-" + module + ".*\\.jar"))
                .filter(f -> !f.toString().matches(".*-(sources|javadoc|tests)\\.jar"))
                .findFirst()
                .orElseThrow(() -> new IOException("no jar in " + target + "; run mvnw package"));
        Files.copy(jar, jars.resolve(jar.getFileName()));
      }
    }
    return jars;
  }

  private static org.apache.hadoop.fs.Path path(String name) {
    return new org.apache.hadoop.fs.Path(name);
  }

  private DistributedFileSystem client(String dataNode) throws IOException {
    Configuration conf = view.client(dataNode);
    return (DistributedFileSystem) FileSystem.newInstance(view.rpc(), conf);
  }

  private static FSDataOutputStream create(FileSystem fs, String name, int replication)
      throws IOException {
    return fs.create(path(name), true, 4096, (short) replication, BLOCK);
  }

  private byte[] read(String name) throws IOException {
    try (FileSystem fs = FileSystem.newInstance(view.rpc(), view.client());
        var in = fs.open(path(name))) {
      return in.readAllBytes();
    }
  }

  private static Fault fault(Kind kind, String target) {
    return new Fault(kind, target, "", 0);
  }

  /**
   * A file of which one byte is acknowledged, so that its first replica is known to be somewhere.
   */
  private final class OpenFile {
    final DistributedFileSystem fs;
    final FSDataOutputStream out;
    final String node; // the first one of its pipeline

    OpenFile(String name, int replication) throws IOException {
      this(client("dn1"), name, replication);
    }

    OpenFile(DistributedFileSystem client, String name, int replication) throws IOException {
      fs = client;
      out = create(fs, name, replication);
      out.write(data, 0, 1);
      out.hflush();
      String address =
          fs.getClient()
              .getLocatedBlocks(name, 0)
              .getLastLocatedBlock()
              .getLocations()[0]
              .getXferAddr();
      node =
          view.dataNodes().stream()
              .filter(n -> address.equals(n.address() + ":" + n.port()))
              .findFirst()
              .orElseThrow()
              .name();
    }

    DataNodeState state() throws IOException {
      return view.state(node);
    }

    /** Writes the rest in a thread of its own. */
    CompletableFuture<Void> finish() {
      return CompletableFuture.runAsync(
          () -> {
            try (fs;
                out) {
              out.write(data, 1, data.length - 1);
            } catch (IOException e) {
              throw new IllegalStateException(e);
            }
          });
    }
  }

  private LiveDataNode live(String name) throws IOException {
    return view.live().get(name);
  }

  private long startTime(String process) throws IOException {
    Object start = view.jmx(process).bean("java.lang:type=Runtime").get("StartTime");
    return ((Number) start).longValue();
  }

  private boolean ourDataset(String dataNode) throws IOException {
    return !view.jmx(dataNode).query("io.evenkeel:type=Plugin,module=locking,*").isEmpty();
  }

  @Test
  void killDataNode_endsAndIsBack() throws Exception {
    Fault kill = fault(Kind.KILL_DATANODE, "dn2");
    game.begin(kill);
    assertThat(view.running("dn2")).isFalse();
    Await.until("the NameNode misses it", () -> live("dn2") == null);
    game.end(kill);
    assertThat(live("dn2")).isNotNull();
  }

  @Test
  void pauseDataNode_isSilentAndGoesOn() throws Exception {
    Fault pause = fault(Kind.PAUSE_DATANODE, "dn2");
    game.begin(pause);
    assertThat(view.running("dn2")).isTrue();
    Await.until("no heartbeat comes", () -> live("dn2") == null || live("dn2").lastContact() > 3);
    game.end(pause);
    assertThat(live("dn2").lastContact()).isLessThanOrEqualTo(2);
  }

  @Test
  void killHost_whileOneOfItsDataNodesShallStayDead_startsTheOther() throws Exception {
    Fault kill = fault(Kind.KILL_DATANODE, "dn3");
    Fault host = fault(Kind.KILL_HOST, "host2");
    game.begin(kill);
    game.begin(host);
    assertThat(view.dataNodesByHost().get("host2")).noneMatch(view::running);
    game.end(host);
    assertThat(view.running("dn3")).isFalse();
    assertThat(view.running("dn4")).isTrue();
    game.end(kill);
    assertThat(view.running("dn3")).isTrue();
  }

  @Test
  void killNameNode_whileAVolumeIsTakenOut_bothAreBack() throws Exception {
    Fault kill = fault(Kind.KILL_NAMENODE, "nn");
    game.begin(kill);
    assertThat(view.running("nn")).isFalse();
    game.begin(fault(Kind.DECOMMISSION, "dn4"));
    game.end(kill);
    assertThat(view.live()).hasSize(4);
    assertThat(live("dn4").adminState()).startsWith("Decommission");
  }

  @Test
  void failover_ofOneNameNode_isRefusedAndDoesNotLast() {
    assertThatThrownBy(() -> game.begin(fault(Kind.FAILOVER, "nn")))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(game.lasting()).isEmpty();
  }

  @Test
  void hangVolume_operationsWaitUntilItsEnd() throws Exception {
    OpenFile file = new OpenFile("/ALL_SSD/hang", 1);
    Fault hang = new Fault(Kind.HANG_VOLUME, file.node, "SSD", 0);
    game.begin(hang);
    CompletableFuture<Void> writer = file.finish();
    Await.until("an operation hangs", () -> file.state().waiting() > 0);
    assertThat(file.state().volumes())
        .filteredOn(v -> v.name().equals("ssd"))
        .allSatisfy(v -> assertThat(v.references()).isPositive());
    new OpenFile("/HOT/beside", 1).finish().join(); // on another volume
    assertThat(writer).isNotDone();
    game.end(hang);
    writer.join();
    assertThat(file.state().waiting()).isZero();
    assertThat(read("/ALL_SSD/hang")).isEqualTo(data);
  }

  @Test
  void slowVolume_operationsAreDelayed() throws Exception {
    OpenFile file = new OpenFile("/ALL_SSD/slow", 1);
    Fault slow = new Fault(Kind.SLOW_VOLUME, file.node, "SSD", 200);
    game.begin(slow);
    CompletableFuture<Void> writer = file.finish();
    Await.until("an operation is delayed", () -> file.state().waiting() > 0);
    game.end(slow);
    writer.join();
    assertThat(read("/ALL_SSD/slow")).isEqualTo(data);
  }

  @Test
  void fullVolume_hasNoSpaceAndWritersGoElsewhere() throws Exception {
    OpenFile file = new OpenFile("/ALL_SSD/full", 2);
    Fault full = new Fault(Kind.FULL_VOLUME, file.node, "SSD", 0);
    long met = file.state().met();
    game.begin(full);
    Await.until("it has no space to offer", () -> freeSpace(file.node, "ssd") == 0);
    file.finish().join();
    assertThat(file.state().met()).isGreaterThan(met);
    game.end(full);
    Await.until("it has space again", () -> freeSpace(file.node, "ssd") > 0);
    assertThat(read("/ALL_SSD/full")).isEqualTo(data);
  }

  /** Bytes that a DataNode says are free on a volume. */
  private long freeSpace(String dataNode, String volume) throws IOException {
    Object text =
        view.jmx(dataNode).bean("Hadoop:service=DataNode,name=DataNodeInfo").get("VolumeInfo");
    for (Map.Entry<?, ?> entry : ((Map<?, ?>) Json.parse(text.toString())).entrySet()) {
      if (entry.getKey().toString().endsWith("/" + volume)) {
        return ((Number) ((Map<?, ?>) entry.getValue()).get("freeSpace")).longValue();
      }
    }
    throw new IOException("no " + volume + " in " + text);
  }

  @Test
  void failVolume_isGivenUpAndComesBack() throws Exception {
    OpenFile file = new OpenFile("/ALL_SSD/fail", 2);
    Fault fail = new Fault(Kind.FAIL_VOLUME, file.node, "SSD", 0);
    game.begin(fail);
    file.finish().join();
    Await.until("the volume is given up", () -> !file.state().volumeNames().contains("ssd"));
    Await.until("the NameNode is told", () -> live(file.node).failedVolumes() == 1);
    game.end(fail);
    assertThat(file.state().volumeNames()).hasSize(5);
    assertThat(read("/ALL_SSD/fail")).isEqualTo(data);
  }

  @Test
  void removeVolume_isGoneAndPutBack() throws Exception {
    Fault remove = new Fault(Kind.REMOVE_VOLUME, "dn1", "disk2", 0);
    game.begin(remove);
    assertThat(view.state("dn1").volumeNames())
        .containsExactly("archive", "disk", "ramdisk", "ssd");
    game.end(remove);
    assertThat(view.state("dn1").volumeNames()).hasSize(5);
  }

  @Test
  void removeVolume_whileItHangs_isGoneWhenTheHangEnds() throws Exception {
    OpenFile file = new OpenFile("/ALL_SSD/removed", 2);
    Fault hang = new Fault(Kind.HANG_VOLUME, file.node, "SSD", 0);
    Fault remove = new Fault(Kind.REMOVE_VOLUME, file.node, "SSD", 0);
    game.begin(hang);
    CompletableFuture<Void> writer = file.finish();
    Await.until("an operation hangs", () -> file.state().waiting() > 0);
    game.begin(remove);
    game.end(hang);
    writer.join();
    assertThat(file.state().volumeNames()).doesNotContain("ssd");
    Await.until(
        "nothing refers to it", () -> file.state().volumes().stream().noneMatch(v -> v.removed()));
    game.end(remove);
    assertThat(file.state().volumeNames()).contains("ssd");
    assertThat(read("/ALL_SSD/removed")).isEqualTo(data);
  }

  @Test
  void adminStates_beginAndEnd() throws Exception {
    for (Kind kind : List.of(Kind.DECOMMISSION, Kind.MAINTENANCE)) {
      game.begin(fault(kind, "dn4"));
      assertThat(live("dn4").adminState())
          .matches(kind == Kind.DECOMMISSION ? "Decommission.*" : ".*Maintenance");
      assertThat(live("dn3").adminState()).isEqualTo("In Service");
      game.end(fault(kind, "dn4"));
      assertThat(live("dn4").adminState()).isEqualTo("In Service");
    }
  }

  @Test
  void restartDataNode_all_areNewProcesses() throws Exception {
    long before = startTime("dn1");
    game.begin(fault(Kind.RESTART_DATANODE, ""));
    assertThat(startTime("dn1")).isGreaterThan(before);
    assertThat(view.live()).hasSize(4);
    game.end(fault(Kind.RESTART_DATANODE, ""));
  }

  @Test
  void restartWithStock_hasStocksDatasetUntilItsEnd() throws Exception {
    assertThat(ourDataset("dn2")).isEqualTo(PLUGINS);
    Fault stock = fault(Kind.RESTART_WITH_STOCK, "dn2");
    game.begin(stock);
    assertThat(ourDataset("dn2")).isFalse();
    game.begin(new Fault(Kind.HANG_VOLUME, "dn2", "SSD", 0)); // its hook is in place with stock
    game.calm();
    assertThat(ourDataset("dn2")).isEqualTo(PLUGINS);
  }

  @Test
  void pausedThenKilledWithAHangingDisk_calmEndsAll() throws Exception {
    game.begin(new Fault(Kind.HANG_VOLUME, "dn2", "DISK", 0));
    game.begin(fault(Kind.PAUSE_DATANODE, "dn2"));
    game.begin(fault(Kind.KILL_DATANODE, "dn2"));
    game.begin(new Fault(Kind.REMOVE_VOLUME, "dn2", "ARCHIVE", 0));
    game.end(fault(Kind.KILL_DATANODE, "dn2"));
    game.calm();
    assertThat(view.state("dn2").volumeNames()).hasSize(5);
    assertThat(view.state("dn2").waiting()).isZero();
  }

  @Test
  void processThatEndedByItselfBeforeItWasKilled_isTold() throws Exception {
    Cluster behind = Cluster.in(dir.resolve("game").resolve("cluster"));
    behind.kill("dn3");
    game.begin(fault(Kind.KILL_DATANODE, "dn3"));
    game.end(fault(Kind.KILL_DATANODE, "dn3"));
    behind.kill("nn");
    game.begin(fault(Kind.KILL_NAMENODE, "nn"));
    game.end(fault(Kind.KILL_NAMENODE, "nn"));
    assertThatThrownBy(game::calm)
        .isInstanceOf(IOException.class)
        .hasMessage("dn3 has ended by itself; see its log; nn has ended by itself; see its log");
    game.calm();
  }

  @Test
  void replicas_ofEachDataNode_areListedAndCounted() throws Exception {
    DistributedFileSystem elsewhere = // as the load's, on no DataNode
        (DistributedFileSystem) FileSystem.newInstance(view.rpc(), view.client());
    OpenFile memory = new OpenFile(elsewhere, "/LAZY_PERSIST/memory", 3);
    memory.finish().join();
    int replicas = 0;
    for (DataNodePlace node : view.dataNodes()) {
      List<ReplicaLine> lines = game.replicas(node.name());
      long counted = view.replicaCounts(node.name()).values().stream().mapToLong(n -> n).sum();
      assertThat(lines).hasSize((int) counted);
      replicas += lines.size();
      assertThat(view.threads(node.name())).isGreaterThan(10);
      assertThat(view.state(node.name()).threads()).isNotEmpty();
      assertThat(view.log(node.name())).isNotEmptyFile();
    }
    assertThat(replicas).isGreaterThanOrEqualTo(9);
    String storage =
        memory.state().volumes().stream()
            .filter(v -> v.type().equals("RAM_DISK"))
            .findFirst()
            .orElseThrow()
            .storage();
    assertThat(game.replicas(memory.node)).anyMatch(r -> r.storage().equals(storage));
  }
}
