package io.evenkeel.mover.mixed;

import io.evenkeel.common.testing.Await;
import io.evenkeel.mover.FileMover;
import io.evenkeel.mover.request.FileOutcome;
import io.evenkeel.mover.request.MoveReport;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.apache.hadoop.fs.Path;

/**
 * Two movers of the same directories: the daemon as a process, killed with -9 and started again,
 * and one in this process that goes through trees. Both can be paused. Thread-safe.
 */
final class Movers implements AutoCloseable {
  private static final String GROUP = "movers";
  private static final String REMOTE = "tree moves, replicas between";
  private static final Duration LIMIT = Duration.ofMinutes(10);

  private final Tally tally;
  private final Random random;
  private final Daemon daemon;
  private final FileMover mover;
  private Worker trees;
  private Worker killer;
  private volatile boolean paused;
  private volatile boolean ending;

  Movers(MixedStand stand, long seed, Tally tally) throws IOException {
    this.tally = tally;
    this.random = new Random(seed);
    this.mover = FileMover.open(stand.clientConf());
    this.daemon =
        new Daemon(
            stand.site(),
            stand.directory().resolve("daemon.out"),
            "evenkeel.mover.follow.prefixes=/hb",
            "evenkeel.mover.follow.instance=a",
            "evenkeel.mover.follow.replicas-per-second=0",
            "evenkeel.mover.follow.listings-per-second=0", // or a scan takes longer than a minute
            "evenkeel.mover.follow.scan-interval=1m", // finds what had to use another type when
            // written
            "evenkeel.mover.follow.retry-wait=1s");
  }

  void start() throws Exception {
    daemon.start();
    awaitActive();
    trees = Worker.start("trees", this::moveTree);
    killer = Worker.start("kill -9", this::killAndStart);
  }

  private void awaitActive() throws Exception {
    Await.until("the daemon is active", LIMIT, () -> isActive() || isDead(), daemon::printed);
    if (isDead()) {
      throw new AssertionError("the daemon is not active: " + daemon.printed());
    }
  }

  private boolean isActive() {
    return daemon.numbers().getOrDefault("Active", 0L) == 1;
  }

  private boolean isDead() {
    return !daemon.isAlive();
  }

  private void moveTree() throws Exception {
    if (paused) {
      Worker.pause(100);
      return;
    }
    String tree =
        random.nextBoolean() ? "/hb" : Region.TIERS.get(random.nextInt(Region.TIERS.size())).get(0);
    CompletableFuture<MoveReport> future = mover.move(new Path(tree));
    while (!future.isDone()) {
      Worker.pause(50);
      if (paused && future.cancel(true)) {
        tally.count(GROUP, "tree moves cancelled");
        return;
      }
    }
    try {
      count(future.get());
    } catch (ExecutionException e) {
      throw new AssertionError(tree, e);
    }
  }

  private void count(MoveReport report) {
    tally.count(GROUP, "tree moves ended");
    for (Map.Entry<FileOutcome, Long> files : report.files().entrySet()) {
      tally.count(GROUP, "tree moves, files " + files.getKey(), files.getValue());
    }
    tally.count(GROUP, "tree moves, replicas in a DataNode", report.counts().localReplicas());
    tally.count(GROUP, REMOTE, report.counts().remoteReplicas());
  }

  private void killAndStart() throws Exception {
    // else a slow machine would kill it again and again before it does anything
    Await.until("the daemon is active", LIMIT, () -> ending || isActive(), daemon::printed);
    int wait = 2_000 + pick(20_000);
    for (int i = 0; i < wait && !ending; i += 200) {
      Worker.pause(200);
    }
    synchronized (this) {
      if (isDead()) {
        throw new AssertionError("the daemon ended by itself: " + daemon.printed());
      }
      if (!paused && !ending) {
        countDaemon();
        daemon.kill();
        daemon.start();
        tally.count(GROUP, "daemon, kill -9");
      }
    }
  }

  private synchronized int pick(int bound) {
    return random.nextInt(bound);
  }

  private void countDaemon() {
    Map<String, Long> numbers = daemon.numbers();
    for (String name :
        new String[] {
          "Requests",
          "FilesSatisfied",
          "FilesFailed",
          "ReplicasMoved",
          "BytesLocal",
          "BytesRemote",
          "Retries",
          "Rescans",
          "Activations"
        }) {
      tally.count(GROUP, "daemon, " + name, numbers.getOrDefault(name, 0L));
    }
  }

  /** Holds the daemon's process and cancels what the other mover does, or lets them go on. */
  synchronized void pause(boolean value) throws IOException, InterruptedException {
    if (paused != value) {
      daemon.hold(value);
      paused = value;
    }
  }

  boolean isPaused() {
    return paused;
  }

  void check() {
    trees.check();
    killer.check();
  }

  /** Lets both finish what they have. */
  void finish() throws Exception {
    pause(false);
    ending = true;
    trees.tellToEnd();
    killer.end(LIMIT);
    trees.end(LIMIT);
    awaitActive();
    Await.until(
        "the daemon has done all",
        LIMIT,
        this::hasDoneAll,
        () -> daemon.numbers() + daemon.printed());
    countDaemon();
    daemon.end();
  }

  /** Whether it has read all events and done what they ask; its numbers may be of some time ago. */
  private boolean hasDoneAll() {
    for (int i = 0; i < 20; i++) {
      Map<String, Long> numbers = daemon.numbers();
      if (numbers.getOrDefault("LagTransactions", -1L) != 0
          || numbers.getOrDefault("Queued", 1L) != 0) {
        return false;
      }
      Worker.pause(250);
    }
    return true;
  }

  /** Whether replicas went to other DataNodes, by the daemon, which counts bytes, or in trees. */
  boolean haveMovedBetween() {
    return tally.of(GROUP, "daemon, BytesRemote") + tally.of(GROUP, REMOTE) > 0;
  }

  /** What the daemon printed in all its lives. */
  String printed() throws IOException {
    return daemon.printed();
  }

  FileMover mover() {
    return mover;
  }

  @Override
  public void close() {
    daemon.close();
    mover.close();
  }
}
