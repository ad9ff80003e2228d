package io.evenkeel.bench.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.bench.cluster.MoverProcesses.Ended;
import io.evenkeel.bench.cluster.MoverProcesses.Launch;
import io.evenkeel.bench.cluster.MoverProcesses.Running;
import io.evenkeel.bench.cluster.MoverStand.View;
import io.evenkeel.bench.cluster.NameNodeWork.Window;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * How long other clients wait for the NameNode while replicas move: nothing moves, stock's mover,
 * ours slowed to 100 replicas a second and to stock's pace, and ours as fast as it can, in turn.
 *
 * <p>This JVM and the NameNode have one processor for themselves; on the others the DataNodes and
 * the movers give way to the NameNode, which has a machine of its own in production. Without {@code
 * taskset} and {@code renice} all share all, and the table says more about the scheduler. The
 * system property {@code evenkeel.mover.rpc.rounds} is how often.
 */
@Tag("slow")
@Timeout(value = 60, unit = TimeUnit.MINUTES)
class MoverRpcIT {
  private static final String HADOOP = System.getProperty("evenkeel.hadoop.version");
  private static final int ROUNDS = Integer.getInteger("evenkeel.mover.rpc.rounds", 3);
  private static final int FILES = 400;
  private static final int BLOCKS = 10;
  private static final int REPLICAS = FILES * BLOCKS * MoverStand.REPLICATION;
  private static final int FEW_FILES = 60;
  private static final int FEW_A_SECOND = 100;
  private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(20);
  private static final Duration LIMIT = Duration.ofMinutes(10);

  private static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(NameNodeWork.WINDOW_SECONDS);

  @TempDir private Path temp;
  private MoverStand stand;
  private NameNodeWork work;
  private final Set<String> onSsd = new HashSet<>();
  private double stockSeconds;

  private enum Call {
    GET_FILE_INFO,
    LIST_STATUS,
    CREATE
  }

  /** Who moves while the calls are made. */
  private enum Side {
    NOBODY,
    OURS_SLOWLY,
    STOCK,
    OURS_AT_ITS_PACE,
    OURS
  }

  /** Waits in nanoseconds, and how long the moves took. */
  private static final class Seen {
    final Map<Call, Histogram> waits = new EnumMap<>(Call.class);
    final List<Window> windows = new ArrayList<>();
    double seconds;

    /** The same numbers once more come from the NameNode's cache. */
    void add(Window window) {
      if (windows.isEmpty() || !windows.get(windows.size() - 1).equals(window)) {
        windows.add(window);
      }
    }

    Seen() {
      for (Call call : Call.values()) {
        waits.put(call, new Histogram(TimeUnit.MINUTES.toNanos(10), 3));
      }
    }
  }

  @BeforeEach
  void start() throws IOException {
    stand = MoverStand.start(HADOOP, temp, NameNodeWork.CONF);
  }

  @AfterEach
  void endEverything() throws IOException {
    stand.close();
  }

  @Test
  void callsOfOthers_whileReplicasMove_areTimed() throws Exception {
    stand.mkdirs("/d", "HOT");
    stand.writeAll("/d", FILES, BLOCKS);
    stand.mkdirs("/few", "HOT");
    stand.writeAll("/few", FEW_FILES, BLOCKS);
    for (ClusterStatus.Row row : stand.cluster().status().rows()) {
      boolean nameNode = row.member().kind() == Member.Kind.NAMENODE;
      pin(row.member().pid(), nameNode ? Place.NAMENODE : Place.OTHERS);
    }
    pin(ProcessHandle.current().pid(), Place.CLIENT);
    work = new NameNodeWork(stand.cluster().status().http());
    Map<Side, Seen> seen = new EnumMap<>(Side.class);
    for (int round = -1; round < ROUNDS; round++) {
      if (round <= 0) { // the round before the first only warms up
        for (Side side : Side.values()) {
          seen.put(side, new Seen());
        }
      }
      for (Side side : Side.values()) {
        work.mark();
        run(side, seen);
      }
    }
    System.out.println(table(seen));
    for (Seen of : seen.values()) {
      assertThat(of.waits.get(Call.CREATE).getTotalCount()).isPositive();
    }
  }

  private void run(Side side, Map<Side, Seen> seen) throws Exception {
    Seen into = seen.get(side);
    if (side == Side.NOBODY) {
      long end = System.nanoTime() + IDLE_NANOS;
      probe(into, () -> System.nanoTime() < end);
      tell(side);
      return;
    }
    String dir = side == Side.OURS_SLOWLY ? "/few" : "/d";
    boolean toSsd = !onSsd.remove(dir);
    if (toSsd) {
      onSsd.add(dir);
    }
    stand.fs().setStoragePolicy(MoverStand.path(dir), toSsd ? "ALL_SSD" : "HOT");
    long start = System.nanoTime();
    Running mover = mover(side, dir);
    pin(mover.process().pid(), Place.OTHERS);
    probe(into, mover.process()::isAlive);
    double seconds = (System.nanoTime() - start) / 1e9;
    tell(side);
    into.seconds += seconds;
    if (side == Side.STOCK) {
      stockSeconds = seconds;
    }
    Ended ended = mover.await(LIMIT);
    // stock ends with 255 on 3.4.3 and 3.5.0 when it needs a second round, so ours finishes for it
    if (side != Side.STOCK) {
      assertThat(ended.code()).as(ended.all()).isZero();
    }
    assertThat(stand.movers().ours(dir).code()).isZero();
    int replicas = side == Side.OURS_SLOWLY ? REPLICAS * FEW_FILES / FILES : REPLICAS;
    View wanted = new View(replicas, toSsd ? replicas : 0, true);
    MoverStand.await("all are there once", LIMIT, () -> stand.view(dir).equals(wanted));
  }

  private void tell(Side side) throws IOException {
    System.out.println(words(side) + ": the NameNode made " + work.since());
  }

  private static String words(Enum<?> name) {
    return name.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  private Running mover(Side side, String dir) throws IOException {
    if (side == Side.STOCK) {
      return stand.movers().startStock("-p", dir);
    }
    if (side == Side.OURS) {
      return stand.movers().start(Launch.PLAIN, dir);
    }
    double replicas = side == Side.OURS_SLOWLY ? FEW_A_SECOND : REPLICAS / stockSeconds;
    String rate = Long.toString((long) (replicas * MoverStand.BLOCK));
    return stand.movers().start(Launch.PLAIN, "--throttle", rate, dir);
  }

  /** Whose processors a process may use. */
  private enum Place {
    NAMENODE,
    CLIENT,
    OTHERS
  }

  private static void pin(long pid, Place place) throws Exception {
    int processors = Runtime.getRuntime().availableProcessors();
    String all = "0-" + (processors - 1);
    String list =
        switch (place) {
          case NAMENODE -> all;
          case CLIENT -> "0";
          case OTHERS -> "1-" + (processors - 1);
        };
    call("taskset", "-acp", list, Long.toString(pid));
    if (place == Place.OTHERS) {
      List<String> command = new ArrayList<>(List.of("renice", "-n", "19", "-p"));
      try (Stream<Path> threads = Files.list(Path.of("/proc/" + pid + "/task"))) {
        threads.forEach(thread -> command.add(thread.getFileName().toString()));
      }
      call(command.toArray(new String[0]));
    }
  }

  private static void call(String... command) throws Exception {
    new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start()
        .waitFor();
  }

  private void probe(Seen into, BooleanSupplier going) throws IOException {
    // by then the latest window of the NameNode began in this phase
    long look = System.nanoTime() + 2 * WINDOW_NANOS;
    while (going.getAsBoolean()) {
      if (System.nanoTime() - look >= 0) {
        into.add(work.window());
        look += WINDOW_NANOS;
      }
      MoverStand.sleep(2);
      time(into.waits.get(Call.GET_FILE_INFO), () -> stand.fs().getFileStatus(file("/d/f1")));
      time(into.waits.get(Call.LIST_STATUS), () -> stand.fs().listStatus(file("/d")));
      time(into.waits.get(Call.CREATE), () -> stand.fs().create(file("/probe"), true).close());
    }
  }

  private static org.apache.hadoop.fs.Path file(String name) {
    return MoverStand.path(name);
  }

  private interface Made {
    void make() throws IOException;
  }

  private static void time(Histogram into, Made call) throws IOException {
    long start = System.nanoTime();
    call.make();
    into.recordValue(System.nanoTime() - start);
  }

  private static String table(Map<Side, Seen> seen) {
    StringBuilder text = new StringBuilder("Hadoop " + HADOOP + ", milliseconds\n");
    text.append("| call | who moves | p50 | p99 | p99.9 | calls | seconds of moves |\n");
    for (Call call : Call.values()) {
      seen.forEach(
          (side, of) -> {
            Histogram h = of.waits.get(call);
            text.append(
                String.format(
                    Locale.ROOT,
                    "| %s | %s | %.2f | %.2f | %.2f | %d | %.1f |%n",
                    words(call),
                    words(side),
                    h.getValueAtPercentile(50) / 1e6,
                    h.getValueAtPercentile(99) / 1e6,
                    h.getValueAtPercentile(99.9) / 1e6,
                    h.getTotalCount(),
                    of.seconds));
          });
    }
    text.append("By the account of the NameNode, of all calls, p99 of windows of ")
        .append(NameNodeWork.WINDOW_SECONDS)
        .append(" s: median (most)\n| who moves | waited | worked on | windows |\n");
    seen.forEach(
        (side, of) ->
            text.append(
                String.format(
                    Locale.ROOT,
                    "| %s | %s | %s | %d |%n",
                    words(side),
                    ofWindows(of.windows, Window::queue),
                    ofWindows(of.windows, Window::processing),
                    of.windows.size())));
    return text.toString();
  }

  private static String ofWindows(List<Window> windows, ToLongFunction<Window> value) {
    long[] sorted = windows.stream().mapToLong(value).sorted().toArray();
    return sorted.length == 0
        ? "-"
        : String.format(
            Locale.ROOT,
            "%.2f (%.2f)",
            sorted[sorted.length / 2] / 1e3,
            sorted[sorted.length - 1] / 1e3);
  }
}
