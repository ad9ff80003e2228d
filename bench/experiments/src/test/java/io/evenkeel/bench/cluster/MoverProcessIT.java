package io.evenkeel.bench.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.bench.cluster.MoverProcesses.Ended;
import io.evenkeel.bench.cluster.MoverProcesses.Launch;
import io.evenkeel.bench.cluster.MoverProcesses.Running;
import io.evenkeel.bench.cluster.MoverTestCluster.Types;
import io.evenkeel.bench.cluster.MoverTestCluster.View;
import io.evenkeel.common.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.SafeModeAction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Movers as operators run them: processes of their own, against processes of the same release. */
@Tag("slow")
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class MoverProcessIT {
  private static final String HADOOP = System.getProperty("evenkeel.hadoop.version");
  private static final int BLOCKS = 10;
  private static final int REPLICAS = BLOCKS * MoverTestCluster.REPLICATION;
  private static final Duration LIMIT = Duration.ofMinutes(2);

  @TempDir private Path temp;

  @ParameterizedTest
  @ValueSource(strings = {"3.1.4", "3.3.6", "3.4.3", "3.5.0"})
  void move_fileFromDiskToSsd_oursMovesAllAndSaysSo_stockFailsSince34(String hadoop)
      throws Exception {
    try (MoverTestCluster cluster = MoverTestCluster.start(hadoop, temp)) {
      cluster.write("/stock", BLOCKS, "ALL_SSD");
      cluster.write("/ours", BLOCKS, "ALL_SSD");

      Ended stock = cluster.movers().stock("-p", "/stock");
      View afterStock = cluster.view("/stock");
      long start = System.nanoTime();
      Ended ours = cluster.movers().ours("-p", "/ours");
      double seconds = (System.nanoTime() - start) / 1e9;
      View afterOurs = cluster.view("/ours");

      System.out.printf(
          "Hadoop %s: hdfs mover exit %d, %d of %d on SSD; ours exit %d, %d of %d, process %.1f s%n",
          hadoop,
          stock.code(),
          afterStock.ssd(),
          REPLICAS,
          ours.code(),
          afterOurs.ssd(),
          REPLICAS,
          seconds);
      assertThat(ours.code()).as(ours.all()).isZero();
      assertThat(afterOurs).isEqualTo(new View(REPLICAS, REPLICAS, true));
      boolean aborts = hadoop.startsWith("3.4") || hadoop.startsWith("3.5");
      assertThat(stock.code()).as(stock.all()).isEqualTo(aborts ? 255 : 0);
      assertThat(afterStock.ssd() < REPLICAS).as("stock leaves replicas behind").isEqualTo(aborts);
    }
  }

  /**
   * Two processes, unlike two movers in one JVM, do not know of each other; with moves inside
   * DataNodes they take turns.
   */
  @ParameterizedTest
  @EnumSource(Types.class)
  void twoProcesses_sameFilesAtTheSameTime_allOnTargetOnce(Types types) throws Exception {
    int files = 50;
    int blocks = 3;
    int all = files * blocks * MoverTestCluster.REPLICATION;
    View wanted = new View(all, all, true);
    try (MoverTestCluster cluster = MoverTestCluster.start(HADOOP, temp, types)) {
      cluster.mkdirs("/d", "HOT");
      cluster.writeAll("/d", files, blocks);
      cluster.fs().setStoragePolicy(MoverTestCluster.path("/d"), "ALL_SSD");
      // slow, so that both are at work, and not too slow for who has half of the turns
      String rate = types == Types.TOGETHER ? "2m" : "512k";
      String[] command = {"--throttle", rate, "--json", "/d"};
      Running one = cluster.movers().start(Launch.PLAIN, command);
      Running two = cluster.movers().start(Launch.PLAIN, command);
      MoverTestCluster.await("something moves", LIMIT, () -> cluster.view("/d").ssd() > 0);
      assertThat(one.process().isAlive() && two.process().isAlive()).as("both run").isTrue();
      for (Ended ended : List.of(one.await(LIMIT), two.await(LIMIT))) {
        System.out.printf("one of two: exit %d%n%s%n", ended.code(), ended.all());
        assertThat(ended.code()).as(ended.all()).isZero();
        assertThat(moved((Map<?, ?>) Json.parse(ended.out()))).as(ended.out()).isPositive();
      }
      Processes.await(Duration.ofSeconds(30), () -> cluster.view("/d").equals(wanted));
      assertThat(cluster.view("/d")).as("the NameNode after 30 s").isEqualTo(wanted);
      assertThat(cluster.changed("/d", files, blocks)).isEmpty();
    }
  }

  private static long moved(Map<?, ?> report) {
    return number(report, "localReplicas") + number(report, "remoteReplicas");
  }

  /** A command line that must not end with 0. */
  private record Bad(String what, int code, String named, Launch launch, List<String> args) {
    Bad(String what, int code, String named, String... args) {
      this(what, code, named, Launch.PLAIN, List.of(args));
    }

    Bad as(String user) {
      return new Bad(what, code, named, Launch.PLAIN.user(user), args);
    }
  }

  @Test
  void move_badInput_neverEndsWithZeroAndNamesIt() throws Exception {
    try (MoverTestCluster cluster = MoverTestCluster.start(HADOOP, temp)) {
      cluster.write("/f", 1, "ALL_SSD");
      cluster.write("/archived", 1, "COLD");
      writeInSnapshotOnly(cluster);
      writeStriped(cluster);
      Path empty = Files.writeString(temp.resolve("empty-list"), "# nothing\n\n");
      List<String> wrong = new ArrayList<>();
      try (var out = cluster.fs().create(MoverTestCluster.path("/open"))) {
        out.write(new byte[3 * MoverTestCluster.BLOCK / 2]);
        out.hflush();
        cluster.fs().setStoragePolicy(MoverTestCluster.path("/open"), "ALL_SSD");
        check(
            cluster,
            wrong,
            new Bad("missing path", 4, "/nope", "/nope"),
            new Bad("missing among others", 2, "/nope", "/nope", "/archived"),
            new Bad("glob without match", 4, "/nope/*", "/nope/*"),
            new Bad("unknown authority", 1, "other:8020", "hdfs://other:8020/x"),
            new Bad("unknown option", 64, "-x", "-x", "/f"),
            new Bad("relative path", 64, "f", "f"),
            new Bad("no path", 64, "no path"),
            new Bad("bad key", 64, "evenkeel.mover.attempts", "-Devenkeel.mover.attempts=x", "/f"),
            new Bad("empty list", 64, empty.toString(), "-f", empty.toString()),
            new Bad("missing list", 4, "/no/list", "-f", "/no/list"),
            new Bad("open file", 2, "/open", "/open"),
            new Bad("no storage of the type", 2, "/archived", "/archived"),
            new Bad("deleted, in a snapshot only", 4, "/snap/f", "/snap/f"),
            new Bad("EC with WARM", 2, "/ec/f", "/ec/f"),
            new Bad("EC with WARM in a tree", 2, "/ec/f", "/ec"),
            new Bad("unprivileged user", 5, "nobody", "/f").as("nobody"));
      }
      Ended snapshots = cluster.movers().ours("--snapshots", "/snap");
      assertThat(snapshots.code()).as(snapshots.all()).isZero();
      assertThat(cluster.view("/snap/.snapshot/s/f").ssd()).isEqualTo(MoverTestCluster.REPLICATION);

      safeMode(cluster, SafeModeAction.SAFEMODE_ENTER);
      Ended safe = cluster.movers().ours("/f");
      // A DataNode moves inside itself and the NameNode takes note of it in safe mode too.
      boolean moved = cluster.view("/f").ssd() == MoverTestCluster.REPLICATION;
      assertThat(safe.code()).as(safe.all()).isEqualTo(moved ? 0 : 2);
      safeMode(cluster, SafeModeAction.SAFEMODE_LEAVE);

      cluster.processes().kill("nn");
      check(cluster, wrong, new Bad("NameNode down", 1, "hdfs://", "/f"));
      cluster.processes().revive("nn");
      assertThat(wrong).isEmpty();
    }
  }

  private static void check(MoverTestCluster cluster, List<String> wrong, Bad... cases)
      throws Exception {
    for (Bad bad : cases) {
      long start = System.nanoTime();
      Ended ended =
          cluster.movers().start(bad.launch(), bad.args().toArray(new String[0])).await(LIMIT);
      System.out.printf(
          "%s: exit %d after %.1f s%n%s%n",
          bad.what(), ended.code(), (System.nanoTime() - start) / 1e9, ended.all().indent(4));
      boolean named = ended.all().lines().anyMatch(line -> line.contains(bad.named()));
      if (ended.code() != bad.code() || !named || ended.all().contains("\tat ")) {
        wrong.add(bad + " ended with " + ended);
      }
    }
  }

  private static void writeInSnapshotOnly(MoverTestCluster cluster) throws IOException {
    cluster.mkdirs("/snap", "HOT");
    cluster.write("/snap/f", 1);
    cluster.fs().setStoragePolicy(MoverTestCluster.path("/snap"), "ALL_SSD");
    cluster.fs().allowSnapshot(MoverTestCluster.path("/snap"));
    cluster.fs().createSnapshot(MoverTestCluster.path("/snap"), "s");
    cluster.fs().delete(MoverTestCluster.path("/snap/f"), false);
  }

  private static void writeStriped(MoverTestCluster cluster) throws IOException {
    cluster.mkdirs("/ec", "WARM");
    cluster.fs().enableErasureCodingPolicy("XOR-2-1-1024k");
    cluster.fs().setErasureCodingPolicy(MoverTestCluster.path("/ec"), "XOR-2-1-1024k");
    try (var out =
        cluster.fs().create(MoverTestCluster.path("/ec/f"), true, 4096, (short) 1, 1 << 20)) {
      out.write(new byte[1 << 20]);
    }
  }

  private static void safeMode(MoverTestCluster cluster, SafeModeAction action) throws IOException {
    cluster.fs().getClient().getNamenode().setSafeMode(action, false);
  }

  @Test
  void command_inTheHandsOfAnOperator_tellsWhatItDoes() throws Exception {
    try (MoverTestCluster cluster = MoverTestCluster.start(HADOOP, temp)) {
      cluster.mkdirs("/d", "HOT");
      cluster.writeAll("/d", 20, 3);
      cluster.fs().setStoragePolicy(MoverTestCluster.path("/d"), "ALL_SSD");
      int all = 20 * 3 * MoverTestCluster.REPLICATION;

      Ended dry = cluster.movers().ours("--dry-run", "--json", "/d");
      Map<?, ?> plan = (Map<?, ?>) Json.parse(dry.out());
      assertThat(dry.code()).isEqualTo(2);
      assertThat(number(plan, "localReplicas") + number(plan, "remoteReplicas")).isEqualTo(all);
      assertThat(number(plan, "localBytes") + number(plan, "remoteBytes"))
          .isEqualTo((long) all * MoverTestCluster.BLOCK);
      assertThat(cluster.view("/d").ssd()).isZero();

      interruptHalfway(cluster, all);

      Ended json = cluster.movers().ours("--json", "/d");
      Map<?, ?> report = (Map<?, ?>) Json.parse(json.out());
      assertThat(json.code()).as(json.all()).isZero();
      assertThat(report.get("satisfied")).isEqualTo(true);
      assertThat(number(report, "fileCount")).isEqualTo(20);
      assertThat(cluster.view("/d")).isEqualTo(new View(all, all, true));

      watchUntilClosed(cluster);
    }
  }

  private static void interruptHalfway(MoverTestCluster cluster, int all) throws Exception {
    Running slow = cluster.movers().start(Launch.PLAIN, "--throttle", "100k", "/d");
    MoverTestCluster.await("it moves", LIMIT, () -> cluster.view("/d").ssd() > 0);
    slow.interrupt();
    Ended ended = slow.await(LIMIT);
    System.out.printf("Ctrl-C: exit %d%n%s%n", ended.code(), ended.all().indent(4));
    assertThat(ended.code()).isEqualTo(130);
    assertThat(ended.out()).contains("files: ", "cancelled", "replicas moved: ", "not satisfied: ");
    assertThat(ended.err()).contains("interrupted");
    assertThat(cluster.view("/d").ssd()).isBetween(1, all - 1);
  }

  private static void watchUntilClosed(MoverTestCluster cluster) throws Exception {
    Running watch;
    try (var out = cluster.fs().create(MoverTestCluster.path("/w"))) {
      out.write(new byte[MoverTestCluster.BLOCK / 2]);
      out.hflush();
      cluster.fs().setStoragePolicy(MoverTestCluster.path("/w"), "ALL_SSD");
      watch = cluster.movers().start(Launch.PLAIN, "--watch", "--interval", "1s", "/w");
      MoverTestCluster.await(
          "a round ends unsatisfied", LIMIT, () -> err(watch).contains("round 1"));
    }
    Ended ended = watch.await(LIMIT);
    System.out.printf("--watch: exit %d%n%s%n", ended.code(), ended.all().indent(4));
    assertThat(ended.code()).isZero();
    assertThat(cluster.view("/w").ssd()).isEqualTo(MoverTestCluster.REPLICATION);
  }

  private static String err(Running running) {
    try {
      return running.log();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static long number(Map<?, ?> json, String name) {
    return ((Number) json.get(name)).longValue();
  }
}
