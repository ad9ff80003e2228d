package io.evenkeel.bench.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.bench.cluster.MoverProcesses.Ended;
import io.evenkeel.bench.cluster.MoverProcesses.Launch;
import io.evenkeel.bench.cluster.MoverProcesses.Running;
import io.evenkeel.bench.cluster.MoverTestCluster.View;
import io.evenkeel.bench.cluster.NameNodeWork.Window;
import io.evenkeel.bench.cluster.PairedWaits.Sample;
import io.evenkeel.bench.cluster.PairedWaits.Wait;
import io.evenkeel.common.testing.Await;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * How long other clients wait for the NameNode while replicas move.
 *
 * <p>A mover is let go and halted in turns (SIGCONT, SIGSTOP); each time some seconds of calls are
 * compared with the seconds right after without it. Nobody's pairs say how far two halves differ on
 * this machine when nothing moves. The NameNode and the client that is timed have the first half of
 * the processors for themselves, as in production, where DataNodes and movers run elsewhere. Either
 * nothing else goes on, or a load as of region servers does in both halves ({@link RegionLoad}).
 * Needs {@code taskset}, and without it says more about the scheduler. The system property {@code
 * evenkeel.mover.rpc.pairs} is how many pairs, {@code evenkeel.mover.rpc.arms} which of the {@link
 * Arm}s, with commas, all without it, and {@code evenkeel.mover.rpc.conf} further settings of the
 * cluster, {@code key=value} with commas.
 */
@Tag("slow")
@Timeout(value = 90, unit = TimeUnit.MINUTES)
class MoverRpcIT {
  private static final String HADOOP = System.getProperty("evenkeel.hadoop.version");
  private static final int PAIRS = Integer.getInteger("evenkeel.mover.rpc.pairs", 10);
  private static final String ARMS = System.getProperty("evenkeel.mover.rpc.arms", "");
  private static final String CONF = System.getProperty("evenkeel.mover.rpc.conf", "");
  private static final int FILES = 400;
  private static final int BLOCKS = 10;
  private static final int REPLICAS = FILES * BLOCKS * MoverTestCluster.REPLICATION;
  private static final String DIR = "/d";
  private static final long HALF_NANOS = TimeUnit.SECONDS.toNanos(9);
  private static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(NameNodeWork.WINDOW_SECONDS);

  /** A mover's JVM starts and lists. */
  private static final long START_MILLIS = 3_000;

  /** The windows of the NameNode's percentiles that began before are over, deletions begin. */
  private static final long GO_MILLIS = 3_000;

  /** The last superfluous replicas are ordered away and reported: two rounds of three seconds. */
  private static final long HALT_MILLIS = 7_000;

  private static final Duration LIMIT = Duration.ofMinutes(10);

  @TempDir private Path temp;
  private MoverTestCluster cluster;
  private NameNodeWork work;
  private boolean onSsd;

  /** Who moves while the calls are made, and at most how many replicas a second. */
  private enum Arm {
    NOBODY(0),
    OURS_AT_10_A_SECOND(10),
    OURS_AT_30_A_SECOND(30),
    OURS_AT_100_A_SECOND(100),
    OURS_AT_300_A_SECOND(300),
    STOCK(0),
    OURS(0);

    final int rate;

    Arm(int rate) {
      this.rate = rate;
    }
  }

  @BeforeEach
  void start() throws IOException {
    List<String> conf = new ArrayList<>(NameNodeWork.CONF);
    if (!CONF.isEmpty()) {
      conf.addAll(List.of(CONF.split(",")));
    }
    cluster = MoverTestCluster.start(HADOOP, temp, conf);
  }

  @AfterEach
  void endEverything() throws IOException {
    cluster.close();
  }

  @Test
  void callsOfOthers_whileReplicasMove_areTimed() throws Exception {
    timed(false);
  }

  @Test
  void callsOfOthersBesideRegionServers_whileReplicasMove_areTimed() throws Exception {
    timed(true);
  }

  private void timed(boolean besideRegionServers) throws Exception {
    cluster.mkdirs(DIR, "HOT");
    cluster.writeAll(DIR, FILES, BLOCKS);
    for (ClusterStatus.Row row : cluster.processes().status().rows()) {
      pin(row.member().pid(), row.member().kind() == Member.Kind.NAMENODE);
    }
    pin(ProcessHandle.current().pid(), true);
    work = new NameNodeWork(cluster.processes().status().http());
    Running load = besideRegionServers ? cluster.movers().start(RegionLoad.class) : null;
    if (load != null) {
      pin(load.process().pid(), false);
    }
    measure(Arm.OURS, 2); // only warms up
    Map<Arm, PairedWaits> seen = new EnumMap<>(Arm.class);
    for (Arm arm : arms()) {
      work.mark();
      seen.put(arm, measure(arm, PAIRS));
      System.out.println(words(arm) + ": the NameNode made " + work.since());
    }
    System.out.println(table(seen));
    if (load != null) {
      assertThat(load.process().isAlive()).as("still working: %s", load.log()).isTrue();
    }
    for (PairedWaits of : seen.values()) {
      assertThat(Wait.values()).allMatch(wait -> of.pairsWith(wait) > 0);
    }
  }

  private static List<Arm> arms() {
    return ARMS.isEmpty()
        ? List.of(Arm.values())
        : Stream.of(ARMS.split(",")).map(Arm::valueOf).toList();
  }

  private PairedWaits measure(Arm arm, int pairs) throws Exception {
    PairedWaits waits = new PairedWaits();
    Running mover = null;
    while (waits.size() < pairs) {
      if (mover == null && arm != Arm.NOBODY) {
        mover = letMove(arm);
        Await.pause(START_MILLIS);
      } else {
        go(mover);
      }
      Sample with = sample(mover == null ? () -> true : mover.process()::isAlive);
      if (with.isEnough()) { // else it ended too soon
        halt(mover);
        waits.add(with, sample(() -> true));
      }
      if (mover != null && !mover.process().isAlive()) {
        finish(arm, mover);
        mover = null;
      }
    }
    if (mover != null) {
      go(mover);
      finish(arm, mover);
    }
    return waits;
  }

  private static void go(Running mover) throws Exception {
    if (mover != null) {
      call("kill", "-CONT", Long.toString(mover.process().pid()));
    }
    Await.pause(GO_MILLIS);
  }

  private static void halt(Running mover) throws Exception {
    if (mover != null) {
      call("kill", "-STOP", Long.toString(mover.process().pid()));
    }
    Await.pause(HALT_MILLIS);
  }

  private Running letMove(Arm arm) throws Exception {
    onSsd = !onSsd;
    cluster.fs().setStoragePolicy(file(DIR), onSsd ? "ALL_SSD" : "HOT");
    Running mover;
    if (arm == Arm.STOCK) {
      mover = cluster.movers().startStock("-p", DIR);
    } else if (arm.rate == 0) {
      mover = cluster.movers().start(Launch.PLAIN, DIR);
    } else {
      String bytes = Long.toString((long) arm.rate * MoverTestCluster.BLOCK);
      mover = cluster.movers().start(Launch.PLAIN, "--throttle", bytes, DIR);
    }
    pin(mover.process().pid(), false);
    return mover;
  }

  private void finish(Arm arm, Running mover) throws Exception {
    if (arm == Arm.STOCK) { // ends with 255 on 3.4.3 and 3.5.0 when it needs a second round
      mover.await(LIMIT);
    } else {
      mover.kill(); // what is left is moved by the next
    }
    Ended ended = cluster.movers().ours(DIR);
    assertThat(ended.code()).as(ended.all()).isZero();
    View wanted = new View(REPLICAS, onSsd ? REPLICAS : 0, true);
    MoverTestCluster.await("all are there once", LIMIT, () -> cluster.view(DIR).equals(wanted));
  }

  private static void pin(long pid, boolean first) throws Exception {
    int all = Runtime.getRuntime().availableProcessors();
    int half = Math.max(1, all / 2);
    String list = first || all == 1 ? "0-" + (half - 1) : half + "-" + (all - 1);
    call("taskset", "-acp", list, Long.toString(pid));
  }

  private static void call(String... command) throws Exception {
    new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start()
        .waitFor();
  }

  private Sample sample(BooleanSupplier going) throws Exception {
    Sample sample = new Sample();
    long start = System.nanoTime();
    long look = start + WINDOW_NANOS;
    while (going.getAsBoolean() && System.nanoTime() - start < HALF_NANOS) {
      Await.pause(2);
      time(sample, Wait.GET_FILE_INFO, () -> cluster.fs().getFileStatus(file(DIR + "/f1")));
      time(sample, Wait.LIST_STATUS, () -> cluster.fs().listStatus(file(DIR)));
      time(sample, Wait.CREATE, () -> cluster.fs().create(file("/probe"), true).close());
      if (System.nanoTime() - look >= 0) {
        Window window = work.window();
        sample.window(Wait.NAMENODE_QUEUE, window.queue() / 1e3);
        sample.window(Wait.NAMENODE_WORK, window.processing() / 1e3);
        look += WINDOW_NANOS;
      }
    }
    return sample;
  }

  private static org.apache.hadoop.fs.Path file(String name) {
    return MoverTestCluster.path(name);
  }

  private interface Made {
    void make() throws IOException;
  }

  private static void time(Sample into, Wait wait, Made call) throws IOException {
    long start = System.nanoTime();
    call.make();
    into.call(wait, System.nanoTime() - start);
  }

  private static String words(Enum<?> name) {
    return name.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  private static String table(Map<Arm, PairedWaits> seen) {
    StringBuilder text = new StringBuilder("Hadoop " + HADOOP + ", p99 in milliseconds\n");
    text.append("| wait | who moves | with | without | ratio | 95 % of the ratio | pairs |\n");
    for (Wait wait : Wait.values()) {
      seen.forEach(
          (arm, of) ->
              text.append(
                  String.format("| %s | %s | %s |%n", words(wait), words(arm), of.line(wait))));
    }
    return text.toString();
  }
}
