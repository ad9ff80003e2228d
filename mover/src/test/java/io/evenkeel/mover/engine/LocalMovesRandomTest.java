package io.evenkeel.mover.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.testing.Await;
import io.evenkeel.mover.core.plan.ReplicaMove;
import io.evenkeel.mover.core.task.MoveResult;
import io.evenkeel.mover.core.task.MoveResult.Kind;
import io.evenkeel.mover.core.task.TaskRules;
import io.evenkeel.mover.request.MoveReport;
import io.evenkeel.mover.request.MoveRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Moves inside DataNodes by three processes that want the same files elsewhere all the time, while
 * DataNodes hang, break off and refuse, the NameNode is away for one of them, a mover of stock
 * comes and goes, requests are cancelled, and processes end and are started again. A second of the
 * test is ten of the simulation.
 */
@Tag("once") // says nothing about a Hadoop release
@Timeout(600)
class LocalMovesRandomTest {
  private static final EngineSettings SETTINGS =
      new EngineSettings(16, 4, 0, new TaskRules(300, 200, 4), 0, 0);
  private static final int FILES = 40;
  private static final int FACTOR = 10;
  private static final long MINUTE = 60_000;

  /** An owner begins nothing on an answer that is older than 10 s; the rest is for slow threads. */
  private static final long MOST_AFTER_STOCK_CAME = 30_000;

  private final SimulatedCluster cluster = new SimulatedCluster(11);
  private final AtomicLong began = new AtomicLong(System.nanoTime());

  /** Guards all that follows, as the NameNode's lock does. */
  private final Object nameNode = new Object();

  private Random random;
  private Process holder;
  private long renewedAt;
  private boolean wanted;
  private long stockSince = Long.MAX_VALUE;

  /** By replica: until when its DataNode is at work on a move inside it. */
  private final Map<String, Copy> atWork = new HashMap<>();

  private final Map<String, Integer> counts = new HashMap<>();
  private volatile boolean faults = true;
  private volatile long hangsUntil;

  private long now() {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began.get()) * FACTOR;
  }

  private boolean draw(double probability) {
    synchronized (nameNode) {
      return faults && random.nextDouble() < probability;
    }
  }

  private void count(String what) {
    synchronized (nameNode) {
      counts.merge(what, 1, Integer::sum);
    }
  }

  /** What a DataNode does for one move. */
  private static final class Copy {
    private long until = Long.MAX_VALUE;
    private boolean isUnguarded;

    void loseGuard() {
      until = 0;
      isUnguarded = true;
    }
  }

  /** One process with an engine. */
  private final class Process implements ReplicaMover, LocalMoveLease {
    private final Engine engine;
    private volatile long awayUntil;
    private int movesWithTheLease;
    private boolean hasEnded; // while DataNodes go on, and renewed the lease then

    Process(String name) {
      Namespace own = cluster.named(name, () -> false);
      Clock clock =
          new Clock() {
            @Override
            long nanos() {
              return TimeUnit.MILLISECONDS.toNanos(now());
            }
          };
      engine = new Engine(own, this, SETTINGS, (what, e) -> count("warning"), clock);
    }

    private void answers() throws IOException {
      if (now() < awayUntil) {
        throw new IOException("the NameNode does not answer");
      }
    }

    @Override
    public MoveResult move(ReplicaMove move, Consumer<String> alive) throws InterruptedException {
      if (!move.isLocal()) {
        return cluster.move(move, alive);
      }
      String replica = move.replica().blockId() + " on " + move.target();
      Copy copy = new Copy();
      synchronized (nameNode) {
        Copy before = atWork.put(replica, copy);
        if (before != null && before.until > now()) {
          cluster.violations.add("two moves of one replica at once: " + replica);
        }
        if (holder != this) {
          cluster.violations.add("begun without the lease: " + replica);
        }
        if (now() - stockSince > MOST_AFTER_STOCK_CAME) {
          cluster.violations.add("begun beside a mover of stock: " + replica);
        }
        movesWithTheLease++;
      }
      boolean goesOn = true;
      try {
        Await.pause(20);
        while (faults && now() < hangsUntil && move.target().equals("dn0")) {
          Await.pause(20);
        }
        if (draw(0.02)) {
          count("broken off");
          return MoveResult.of(draw(0.9) ? Kind.BROKEN_OFF : Kind.UNANSWERED, "");
        }
        if (draw(0.01)) {
          count("mistake");
          throw new IllegalStateException("a mistake of the client");
        }
        goesOn = false;
        return draw(0.05) ? MoveResult.of(Kind.BUSY, "") : cluster.move(move, alive);
      } finally {
        synchronized (nameNode) {
          // for less than the minute for which nobody else gets the lease
          copy.until = goesOn && !copy.isUnguarded ? now() + 50_000 : 0;
        }
      }
    }

    @Override
    public LocalMoveLease lease() {
      return this;
    }

    @Override
    public String take() throws IOException {
      answers();
      synchronized (nameNode) {
        if (stockSince <= now()) {
          throw new IOException("held by a mover of stock");
        }
        if (holder != null && now() - renewedAt < MINUTE) {
          wanted = true;
          return "held by another";
        }
        if (holder != null && !holder.hasEnded) {
          // A copy may outlast the minute of one who was away, as it may beside stock.
          atWork.values().forEach(Copy::loseGuard);
        }
        holder = this;
        renewedAt = now();
        wanted = false;
        movesWithTheLease = 0;
        counts.merge("taken", 1, Integer::sum);
      }
      if (draw(0.1)) { // it is given up then, and expires
        count("answer lost");
        throw new IOException("the answer was lost");
      }
      return null;
    }

    @Override
    public State look() throws IOException {
      answers();
      synchronized (nameNode) {
        if (holder != this) {
          return State.LOST;
        }
        renewedAt = now();
        if (stockSince <= now()) {
          return State.FORBIDDEN;
        }
        return wanted ? State.WANTED : State.HELD;
      }
    }

    @Override
    public void release() {
      synchronized (nameNode) {
        if (holder == this && now() >= awayUntil) {
          counts.merge(
              movesWithTheLease == 0 ? "given back unused" : "given back", 1, Integer::sum);
          holder = null;
        }
      }
      if (draw(0.05)) {
        throw new IllegalStateException("a mistake of the client");
      }
    }

    @Override
    public void close(boolean goesOn) {
      if (!goesOn) {
        release();
        return;
      }
      synchronized (nameNode) {
        if (holder == this && now() >= awayUntil) {
          renewedAt = now();
          hasEnded = true;
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2})
  void threeProcesses_anyFaults_neverTwoAtOnceAndInTheEndAllIsMoved(long seed) throws Exception {
    random = new Random(seed);
    for (int i = 0; i < 6; i++) {
      cluster.node("dn" + i, "DISK", "SSD");
    }
    for (int i = 0; i < FILES; i++) {
      cluster.file("/d" + i % 4 + "/f" + i, 1, "DISK", "SSD", "SSD", "SSD");
    }
    List<Process> processes = new ArrayList<>();
    Map<Process, CompletableFuture<MoveReport>> running = new HashMap<>();
    for (int i = 0; i < 3; i++) {
      processes.add(new Process("p" + i + " " + System.nanoTime()));
    }
    long minutes = Long.getLong("evenkeel.mover.random.minutes", 2);
    try {
      for (int i = 0; now() < minutes * MINUTE; i++) {
        Process process = processes.get(i % 3);
        CompletableFuture<MoveReport> before = running.get(process);
        if (before == null || before.isDone() || draw(0.05)) {
          if (before != null) {
            before.cancel(false);
          }
          String directory = draw(0.3) ? "/" : "/d" + random.nextInt(4);
          running.put(process, process.engine.submit(MoveRequest.of(directory).build()));
        }
        if (draw(0.02)) {
          count("away");
          process.awayUntil = now() + random.nextInt(90_000);
        }
        if (draw(0.02)) {
          hangsUntil = now() + random.nextInt(45_000);
        }
        if (draw(0.02)) {
          synchronized (nameNode) {
            stockSince = stockSince == Long.MAX_VALUE ? now() : Long.MAX_VALUE;
          }
        }
        if (draw(0.02)) {
          count("ended");
          process.engine.close();
          processes.set(i % 3, new Process("p" + i + " " + System.nanoTime()));
          running.remove(process);
        }
        if (i % 10 == 0) {
          String type = random.nextBoolean() ? "SSD" : "DISK";
          int file = random.nextInt(FILES);
          cluster.policy("/d" + file % 4 + "/f" + file, type, type, type);
        }
        Await.pause(100);
      }
      faults = false;
      stockSince = Long.MAX_VALUE;
      processes.forEach(process -> process.awayUntil = 0);
      for (Process process : processes) {
        CompletableFuture<MoveReport> last = process.engine.submit(MoveRequest.of("/").build());
        assertThat(last.get(120, TimeUnit.SECONDS).isSatisfied()).isTrue();
      }
      assertThat(cluster.wrong()).isEmpty();
    } finally {
      faults = false;
      processes.forEach(process -> process.engine.close());
      cluster.close();
    }
    assertThat(cluster.violations).as("with %s", counts).isEmpty();
    assertThat(counts).containsKey("given back");
    System.out.println("Random faults, seed " + seed + ": " + counts + ", moves " + cluster.moves);
  }
}
