package io.evenkeel.bench.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.evenkeel.bench.cluster.MoverProcesses.Ended;
import io.evenkeel.bench.cluster.MoverProcesses.Launch;
import io.evenkeel.bench.cluster.MoverProcesses.Running;
import io.evenkeel.bench.cluster.MoverTestCluster.Types;
import io.evenkeel.bench.cluster.MoverTestCluster.View;
import io.evenkeel.common.testing.Await;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Movers and daemons as processes, killed with -9 at random moments of their work and started
 * again: nothing is asked for twice, and in the end every replica is where it belongs, once. Killed
 * both where replicas move inside their DataNodes and where they go to others.
 *
 * <p>The system property {@code evenkeel.mover.crash.seed} fixes when is killed, though not at
 * which instruction.
 */
@Tag("slow")
@Timeout(value = 30, unit = TimeUnit.MINUTES)
class MoverCrashIT {
  private static final String HADOOP = System.getProperty("evenkeel.hadoop.version");
  private static final long SEED =
      Long.getLong("evenkeel.mover.crash.seed", System.currentTimeMillis());
  private static final int KILLS = 5;
  private static final int BLOCKS = 3;
  private static final Duration LIMIT = Duration.ofMinutes(3);

  private static final Duration SETTLED = Duration.ofMillis(500);
  private static final Duration HELD = Duration.ofSeconds(30);
  private static final Path KEPT = Path.of("target", "kept");

  private final Random random = new Random(SEED);
  @TempDir private Path temp;
  private MoverTestCluster cluster;

  private void start(Types types) throws IOException {
    cluster = MoverTestCluster.start(HADOOP, temp, types);
  }

  @AfterEach
  void endEverything() throws IOException {
    cluster.close();
  }

  @ParameterizedTest
  @EnumSource(Types.class)
  void command_killedAtRandomMoments_goesOnAtOnceAndFinishes(Types types) throws Exception {
    start(types);
    int files = 200;
    cluster.mkdirs("/d", "HOT");
    cluster.writeAll("/d", files, BLOCKS);
    cluster.fs().setStoragePolicy(MoverTestCluster.path("/d"), "ALL_SSD");
    String[] command = {"--throttle", "8m", "/d"};
    List<String> told = new ArrayList<>();
    for (int kill = 1; kill <= KILLS; kill++) {
      Running running = cluster.movers().start(Launch.PLAIN, command);
      double first = secondsToFirstMove("/d");
      Await.pause(random.nextInt(1500));
      assertThat(running.process().isAlive()).as("killed while it works").isTrue();
      running.kill();
      told.add(String.format(Locale.ROOT, "%.1f s, %d", first, cluster.view("/d").ssd()));
    }
    Running last = cluster.movers().start(Launch.PLAIN, command);
    double first = secondsToFirstMove("/d");
    Ended ended = last.await(LIMIT);
    System.out.println(ended.all());
    assertThat(ended.code()).as(ended.all()).isZero();
    System.out.printf(
        Locale.ROOT,
        "Hadoop %s, types %s, seed %d: start to first move and replicas on SSD at each kill: %s;"
            + " last start %.1f s, then all%n",
        HADOOP,
        types,
        SEED,
        String.join("; ", told),
        first);
    checkAll("/d", files);
  }

  @ParameterizedTest
  @EnumSource(Types.class)
  void daemon_killedAtRandomMoments_finishesWhatWasRenamedBefore(Types types) throws Exception {
    start(types);
    int files = 100;
    prepareRename(files);
    Running daemon = daemon("a", "3m");
    awaitActive(daemon);
    rename(cluster.fs());
    List<String> told = new ArrayList<>();
    double first =
        MoverTestCluster.await("it moves", LIMIT, () -> cluster.view("/hot/d").ssd() > 0);
    for (int kill = 1; kill <= KILLS; kill++) {
      Await.pause(random.nextInt(600));
      daemon.kill();
      int before = cluster.view("/hot/d").ssd();
      told.add(String.format(Locale.ROOT, "%.1f s, %d", first, before));
      assertThat(before).as("killed while it works").isLessThan(files * BLOCKS * 3);
      daemon = daemon("a", "3m");
      first = secondsToFirstMove("/hot/d");
    }
    awaitAll("/hot/d", files);
    System.out.printf(
        Locale.ROOT,
        "Hadoop %s, types %s, seed %d, daemon: start (rename for the first) to first move and"
            + " replicas on SSD at each kill: %s; last start %.1f s, then all%n",
        HADOOP,
        types,
        SEED,
        String.join("; ", told),
        first);
    checkAll("/hot/d", files);
  }

  @Test
  void daemon_killedBetweenRenameAndItsFirstMove_losesNothing() throws Exception {
    start(Types.TOGETHER);
    int files = 20;
    prepareRename(files);
    Running daemon = daemon("a", "0");
    awaitActive(daemon);
    daemon.kill();
    rename(cluster.fs());
    long start = System.nanoTime();
    daemon("a", "0");
    awaitAll("/hot/d", files);
    System.out.printf(
        Locale.ROOT,
        "Hadoop %s: renamed while no daemon ran, all moved %.1f s after the restart%n",
        HADOOP,
        (System.nanoTime() - start) / 1e9);
    checkAll("/hot/d", files);
  }

  @Test
  void standby_takesOverAndMovesWhatWasRenamedMeanwhile() throws Exception {
    start(Types.TOGETHER);
    int files = 100;
    prepareRename(files);
    Running active = daemon("a", "0");
    awaitActive(active);
    Running standby = daemon("b", "0");
    MoverTestCluster.await(
        "the standby is up", LIMIT, () -> has(standby, "module=mover", "Follower"));
    Await.pause(3_000);
    assertThat(isActive(standby)).as("two active daemons").isFalse();

    active.kill();
    long killed = System.nanoTime();
    rename(cluster.fs());
    awaitActive(standby);
    double takeover = (System.nanoTime() - killed) / 1e9;
    awaitAll("/hot/d", files);
    System.out.printf(
        Locale.ROOT,
        "Hadoop %s: standby active %.1f s after kill -9, all that was renamed meanwhile moved"
            + " after %.1f s%n",
        HADOOP,
        takeover,
        (System.nanoTime() - killed) / 1e9);
    checkAll("/hot/d", files);
  }

  /**
   * Three processes with moves inside the same DataNodes, of which the one that may hold their
   * lease is killed: the others wait for what it has begun, and then share the rest.
   */
  @Test
  void activeDaemon_killedBesideACommandAndAStandby_theyFinishAndNoReplicaIsMovedTwice()
      throws Exception {
    start(Types.TOGETHER);
    int files = 100;
    prepareRename(files);
    Running active = daemon("a", "2m");
    awaitActive(active);
    Running standby = daemon("b", "2m");
    MoverTestCluster.await(
        "the standby is up", LIMIT, () -> has(standby, "module=mover", "Follower"));
    rename(cluster.fs());
    MoverTestCluster.await("it moves", LIMIT, () -> cluster.view("/hot/d").ssd() > 0);
    Running command = cluster.movers().start(Launch.PLAIN, "--throttle", "2m", "--json", "/hot");
    Await.pause(3_000 + random.nextInt(6_000));
    active.kill();
    int before = cluster.view("/hot/d").ssd();
    assertThat(before).as("killed while it works").isLessThan(files * BLOCKS * 3);
    long killed = System.nanoTime();
    Ended ended = command.await(LIMIT);
    awaitAll("/hot/d", files);
    double all = (System.nanoTime() - killed) / 1e9;
    awaitActive(standby);
    System.out.printf(
        Locale.ROOT,
        "Hadoop %s, seed %d: active daemon killed beside a command at %d replicas, all moved after"
            + " %.1f s%n%s%n",
        HADOOP,
        SEED,
        before,
        all,
        ended.all());
    assertThat(ended.code()).as(ended.all()).isZero();
    checkAll("/hot/d", files);
  }

  /** How the DataNode beside the active daemon goes with it. */
  private enum Loss {
    /** Its port refuses connections, as after kill -9. */
    ENDED,
    /** It takes connections and says nothing, as a machine that hangs. */
    HANGS
  }

  /**
   * The journal's last segment has a replica on each of the three DataNodes. Where the NameNode
   * knows that one is dead, what is there is all there is to move; the scan finds what comes back.
   */
  @ParameterizedTest
  @EnumSource(Loss.class)
  void standby_machineOfTheActiveIsLost_movesWhatIsThereAndTheRestLater(Loss loss)
      throws Exception {
    start(Types.TOGETHER);
    int files = 30;
    prepareRename(files);
    String scans = "-Devenkeel.mover.follow.scan-interval=10s";
    Running active = daemon("a", "0", scans);
    awaitActive(active);
    Running standby = daemon("b", "0", scans);
    MoverTestCluster.await(
        "the standby is up", LIMIT, () -> has(standby, "module=mover", "Follower"));
    Await.pause(3_000);

    active.kill();
    lose(loss, true);
    long lost = System.nanoTime();
    rename(cluster.fs());
    awaitActive(standby);
    double takeover = (System.nanoTime() - lost) / 1e9;
    int there = files * BLOCKS * (MoverTestCluster.REPLICATION - 1);
    MoverTestCluster.await(
        "what is there is moved", LIMIT, () -> cluster.view("/hot/d").ssd() >= there);
    double moved = (System.nanoTime() - lost) / 1e9;
    lose(loss, false);
    awaitAll("/hot/d", files);
    System.out.printf(
        Locale.ROOT,
        "Hadoop %s: machine of the active daemon lost, its DataNode %s: standby active after"
            + " %.1f s, what is there moved after %.1f s%n",
        HADOOP,
        loss,
        takeover,
        moved);
    checkAll("/hot/d", files);
  }

  private void lose(Loss loss, boolean lost) throws Exception {
    String node = "dn1";
    if (loss == Loss.HANGS) {
      cluster.hold(node, lost);
    } else if (lost) {
      cluster.processes().kill(node);
    } else {
      cluster.processes().revive(node);
    }
  }

  private void prepareRename(int files) throws IOException {
    cluster.mkdirs("/cold", "HOT");
    cluster.mkdirs("/hot", "ALL_SSD");
    cluster.fs().mkdirs(MoverTestCluster.path("/cold/d"));
    cluster.writeAll("/cold/d", files, BLOCKS);
  }

  private static void rename(DistributedFileSystem fs) throws IOException {
    assertThat(fs.rename(MoverTestCluster.path("/cold/d"), MoverTestCluster.path("/hot/d")))
        .isTrue();
  }

  private Running daemon(String instance, String rate, String... more) throws IOException {
    List<String> arguments = new ArrayList<>(List.of(more));
    arguments.add("-Devenkeel.mover.follow.prefixes=/hot");
    arguments.add("-Devenkeel.mover.follow.instance=" + instance);
    arguments.add("-Devenkeel.mover.follow.replicas-per-second=0");
    arguments.add("-Devenkeel.mover.bandwidth-per-datanode=" + rate);
    arguments.add("--follow");
    Launch launch = Launch.PLAIN.jvm(cluster.verboseLog());
    return cluster.movers().start(launch, arguments.toArray(new String[0]));
  }

  private static void awaitActive(Running daemon) throws Exception {
    MoverTestCluster.await("the daemon is active", LIMIT, () -> isActive(daemon));
  }

  private static boolean isActive(Running daemon) {
    return has(daemon, " is active: ");
  }

  private static boolean has(Running daemon, String... anyOf) {
    try {
      assertThat(daemon.process().isAlive()).as(daemon.log()).isTrue();
      String log = daemon.log();
      for (String text : anyOf) {
        if (log.contains(text)) {
          return true;
        }
      }
      return false;
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * From the start of a process to the first move of its own: what the killed one had begun is
   * still done by the DataNodes, and is over before a JVM is up.
   */
  private double secondsToFirstMove(String dir) throws Exception {
    long start = System.nanoTime();
    int[] before = {cluster.view(dir).ssd()};
    while (Processes.await(SETTLED, () -> cluster.view(dir).ssd() != before[0])) {
      before[0] = cluster.view(dir).ssd();
    }
    MoverTestCluster.await("something moves", LIMIT, () -> cluster.view(dir).ssd() > before[0]);
    return (System.nanoTime() - start) / 1e9;
  }

  private void awaitAll(String dir, int files) throws Exception {
    MoverTestCluster.await(
        "all are moved", LIMIT, () -> cluster.view(dir).ssd() == files * BLOCKS * 3);
  }

  /** Every byte is as written, and every replica is where it belongs, once, and stays there. */
  private void checkAll(String dir, int files) throws IOException {
    int all = files * BLOCKS * MoverTestCluster.REPLICATION;
    assertThat(cluster.changed(dir, files, BLOCKS)).isEmpty();
    View wanted = new View(all, all, true);
    Processes.await(HELD, () -> cluster.view(dir).equals(wanted));
    if (!cluster.view(dir).equals(wanted)) {
      fail(
          "The NameNode after 30 s: %s, %s; logs in %s",
          cluster.view(dir), cluster.shares(dir), cluster.keepLogs(KEPT));
    }
    assertThat(Processes.await(HELD, () -> !cluster.view(dir).equals(wanted)))
        .as("changed later: %s", cluster.view(dir))
        .isFalse();
  }
}
