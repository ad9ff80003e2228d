package io.evenkeel.mover.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.testing.Await;
import io.evenkeel.mover.core.plan.ReplicaMove;
import io.evenkeel.mover.core.task.MoveResult;
import io.evenkeel.mover.core.task.TaskRules;
import io.evenkeel.mover.request.MoveReport;
import io.evenkeel.mover.request.MoveRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Several processes with moves inside DataNodes, which share nothing but the lease. */
abstract class LocalMovesFixture {
  private static final EngineSettings SETTINGS =
      new EngineSettings(16, 4, 0, new TaskRules(300, 20, 4), 0, 0);

  final SimulatedCluster cluster = new SimulatedCluster(7);
  final List<String> warnings = Collections.synchronizedList(new ArrayList<>());
  final AtomicLong ahead = new AtomicLong();
  final List<Process> processes = new ArrayList<>();

  final Set<String> atWork = ConcurrentHashMap.newKeySet();

  /** Who holds the lease; null for nobody. */
  Process holder;

  boolean wanted;

  /** What each attempt to take it finds; null for nothing in the way. */
  volatile IOException broken;

  /** Whether a mover of stock runs. */
  volatile boolean stock;

  /** One process with an engine. */
  class Process implements ReplicaMover, LocalMoveLease {
    final Engine engine;
    final AtomicInteger inside = new AtomicInteger();
    final AtomicInteger begun = new AtomicInteger();
    volatile CountDownLatch stuck = new CountDownLatch(0);
    volatile CountDownLatch connects = new CountDownLatch(0);
    final AtomicInteger connecting = new AtomicInteger();
    volatile MoveResult answer;
    volatile CountDownLatch asked = new CountDownLatch(0);
    volatile boolean gaveBack;
    volatile boolean lost;
    volatile boolean forbidden;
    volatile boolean breaks;
    volatile boolean nameNodeBreaks;
    volatile Boolean closedGoingOn;
    volatile boolean closingBreaks;

    Process(String name) {
      Namespace own = cluster.named(name, () -> nameNodeBreaks);
      Clock clock =
          new Clock() {
            @Override
            long nanos() {
              return super.nanos() + TimeUnit.MILLISECONDS.toNanos(ahead.get());
            }
          };
      engine = new Engine(own, this, SETTINGS, (what, e) -> warnings.add(what), clock);
      processes.add(this);
    }

    CompletableFuture<MoveReport> move(String path) {
      return engine.submit(MoveRequest.of(path).build());
    }

    @Override
    public MoveResult move(ReplicaMove move, Consumer<String> alive, BooleanSupplier mayAsk)
        throws InterruptedException {
      connecting.incrementAndGet();
      connects.await();
      return mayAsk.getAsBoolean()
          ? move(move, alive)
          : MoveResult.of(MoveResult.Kind.TOO_LATE, "");
    }

    @Override
    public MoveResult move(ReplicaMove move, Consumer<String> alive) throws InterruptedException {
      if (!move.isLocal()) {
        return cluster.move(move, alive);
      }
      begun.incrementAndGet();
      inside.incrementAndGet();
      String replica = move.replica().blockId() + " on " + move.target();
      if (!atWork.add(replica)) {
        cluster.violations.add("twice at once: " + replica);
      }
      for (Process other : processes) {
        if (other != this && other.inside.get() > 0) {
          cluster.violations.add("inside DataNodes for two at once: " + move);
        }
      }
      try {
        stuck.await();
        return answer == null ? cluster.move(move, alive) : answer;
      } finally {
        atWork.remove(replica);
        inside.decrementAndGet();
      }
    }

    @Override
    public LocalMoveLease lease() {
      return this;
    }

    @Override
    public String take() throws IOException {
      if (broken != null) {
        throw broken;
      }
      if (stock) {
        throw new IOException("held by a mover of stock");
      }
      synchronized (cluster) {
        if (holder != null) {
          wanted = true;
          return "held by another";
        }
        holder = this;
        return null;
      }
    }

    @Override
    public State look() throws IOException {
      try {
        asked.await();
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
      synchronized (cluster) {
        lost |= holder != this;
        if (holder == this && stock) {
          forbidden = true;
          return State.FORBIDDEN;
        }
        return holder != this ? State.LOST : wanted ? State.WANTED : State.HELD;
      }
    }

    @Override
    public void release() {
      synchronized (cluster) {
        if (breaks) {
          breaks = false;
          holder = null;
          throw new IllegalStateException("a fault of the client");
        }
        if (holder == this) {
          holder = null;
          wanted = false;
          gaveBack = true;
        }
      }
    }

    @Override
    public void close(boolean goesOn) {
      closedGoingOn = goesOn;
      if (closingBreaks) {
        throw new IllegalStateException("a fault of the client");
      }
      if (!goesOn) {
        release();
      }
    }
  }

  Process a;
  Process b;

  @BeforeEach
  void start() {
    for (int i = 0; i < 6; i++) {
      cluster.node("dn" + i, "DISK", "SSD", "ARCHIVE");
    }
    a = new Process("a " + System.nanoTime());
    b = new Process("b " + System.nanoTime());
  }

  @AfterEach
  void stop() {
    processes.forEach(process -> process.engine.close());
    cluster.close();
    assertThat(cluster.violations).isEmpty();
  }

  void inside(String directory, int files) {
    for (int i = 0; i < files; i++) {
      cluster.file(directory + "/f" + i, 1, "DISK", "SSD", "SSD", "SSD");
    }
  }

  static MoveReport get(CompletableFuture<MoveReport> future) throws Exception {
    return future.get(60, TimeUnit.SECONDS);
  }

  boolean wanted() {
    synchronized (cluster) {
      return wanted;
    }
  }

  boolean isFree() {
    synchronized (cluster) {
      return holder == null;
    }
  }

  /** Lets time pass until the condition holds, at most so many seconds of it. */
  boolean passes(int seconds, BooleanSupplier condition) throws InterruptedException {
    for (int passed = 0; passed < seconds && !condition.getAsBoolean(); passed += 2) {
      ahead.addAndGet(2_000);
      Await.pause(200);
    }
    return condition.getAsBoolean();
  }

  void leaseGoesTo(Process process) {
    synchronized (cluster) {
      holder = process;
    }
  }

  void loses(Process process) throws Exception {
    leaseGoesTo(b);
    ahead.addAndGet(6_000);
    Await.until("it has seen that", () -> process.lost);
  }

  /** Which a request has given up to wait for. */
  void silentDataNode() throws Exception {
    inside("/a", 1);
    inside("/other", 1);
    a.answer = MoveResult.of(MoveResult.Kind.UNANSWERED, "silent for 300 s");
    CompletableFuture<MoveReport> silent = a.move("/a");
    Await.until("asked", () -> a.begun.get() == 3 && a.engine.load().runningMoves == 0);
    silent.cancel(false);
    a.answer = null;
  }
}
