package io.evenkeel.mover.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.testing.Await;
import io.evenkeel.mover.core.plan.ReplicaMove;
import io.evenkeel.mover.core.task.MoveResult;
import io.evenkeel.mover.core.task.TaskRules;
import io.evenkeel.mover.request.MoveListener;
import io.evenkeel.mover.request.MoveReport;
import io.evenkeel.mover.request.MoveRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The lease for moves inside DataNodes while threads fail, are held up or cannot be made. */
@Tag("once") // says nothing about a Hadoop release
@Timeout(150)
class LocalMovesThreadsTest {
  private static final EngineSettings SETTINGS =
      new EngineSettings(16, 4, 0, new TaskRules(300, 20, 4), 0, 0);

  private final SimulatedCluster cluster = new SimulatedCluster(7);
  private final List<String> warnings = Collections.synchronizedList(new ArrayList<>());
  private final AtomicLong ahead = new AtomicLong();
  private final List<Process> processes = new ArrayList<>();
  private Process holder;
  private boolean wanted;
  private volatile boolean stock;
  private final CountDownLatch listeners = new CountDownLatch(1);

  private class Process implements ReplicaMover, LocalMoveLease {
    final Engine engine;
    final AtomicInteger inside = new AtomicInteger();
    final AtomicInteger begun = new AtomicInteger();
    final AtomicInteger begunBesideStock = new AtomicInteger();
    final AtomicInteger calls = new AtomicInteger();
    final AtomicInteger mostCalls = new AtomicInteger();

    /** Ticks planned while one was at work. */
    final AtomicInteger mostPlanned = new AtomicInteger();

    final AtomicInteger looks = new AtomicInteger();
    final AtomicInteger ownRefusals = new AtomicInteger();
    volatile CountDownLatch stuck = new CountDownLatch(0);
    volatile long takeMillis;

    /** An Error at the next look at the clock by a tick itself. */
    final AtomicBoolean errorInTick = new AtomicBoolean();

    Process(String name) {
      Namespace own = cluster.named(name, () -> false);
      Clock clock =
          new Clock() {
            @Override
            long nanos() {
              if (errorInTick.get()) {
                StackTraceElement[] stack = new Throwable().getStackTrace();
                if (stack[1].getMethodName().equals("doWhatIsDue")
                    && errorInTick.getAndSet(false)) {
                  throw new OutOfMemoryError("Java heap space (of the test)");
                }
              }
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
    public MoveResult move(ReplicaMove move, Consumer<String> alive) throws InterruptedException {
      if (!move.isLocal()) {
        return cluster.move(move, alive);
      }
      begun.incrementAndGet();
      if (stock) {
        begunBesideStock.incrementAndGet();
      }
      inside.incrementAndGet();
      for (Process other : processes) {
        if (other != this && other.inside.get() > 0) {
          cluster.violations.add("inside DataNodes for two at once: " + move);
        }
      }
      try {
        stuck.await();
        return cluster.move(move, alive);
      } finally {
        inside.decrementAndGet();
      }
    }

    @Override
    public LocalMoveLease lease() {
      return this;
    }

    private void enter() {
      mostCalls.accumulateAndGet(calls.incrementAndGet(), Math::max);
      int planned = engine.resources.pools.lease.getQueue().size();
      mostPlanned.accumulateAndGet(planned, Math::max);
      if (takeMillis > 0) {
        try {
          Await.pause(takeMillis);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      }
    }

    @Override
    public String take() throws IOException {
      enter();
      try {
        synchronized (cluster) {
          if (holder != null) {
            wanted = true;
            if (holder == this) {
              ownRefusals.incrementAndGet();
            }
            return "held by another"; // as HDFS says to the client that has it open itself
          }
          holder = this;
          return null;
        }
      } finally {
        calls.decrementAndGet();
      }
    }

    @Override
    public State look() throws IOException {
      enter();
      looks.incrementAndGet();
      try {
        synchronized (cluster) {
          if (holder == this && stock) {
            return State.FORBIDDEN;
          }
          return holder != this ? State.LOST : wanted ? State.WANTED : State.HELD;
        }
      } finally {
        calls.decrementAndGet();
      }
    }

    @Override
    public void release() {
      enter();
      try {
        synchronized (cluster) {
          if (holder == this) {
            holder = null;
            wanted = false;
          }
        }
      } finally {
        calls.decrementAndGet();
      }
    }

    @Override
    public void close(boolean goesOn) {
      synchronized (cluster) {
        if (holder == this) {
          holder = null;
        }
      }
    }
  }

  private Process a;
  private Process b;

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
    listeners.countDown();
    processes.forEach(process -> process.engine.close());
    cluster.close();
    assertThat(cluster.violations).isEmpty();
  }

  private void inside(String directory, int files) {
    for (int i = 0; i < files; i++) {
      cluster.file(directory + "/f" + i, 1, "DISK", "SSD", "SSD", "SSD");
    }
  }

  private boolean passes(int seconds, BooleanSupplier condition) throws InterruptedException {
    for (int passed = 0; passed < seconds && !condition.getAsBoolean(); passed += 2) {
      ahead.addAndGet(2_000);
      Await.pause(200);
    }
    return condition.getAsBoolean();
  }

  private boolean wanted() {
    synchronized (cluster) {
      return wanted;
    }
  }

  /**
   * A ScheduledThreadPoolExecutor puts the task into its queue before it makes a thread for it: the
   * tick is planned, and a second one would be followed by others beside the first.
   */
  @Test
  void noThreadForATick_stillOneTickAtATime() throws Exception {
    inside("/a", 3);
    inside("/b", 1);
    inside("/c", 1);
    a.takeMillis = 50; // a NameNode
    Pools pools = a.engine.resources.pools;
    AtomicInteger fails = new AtomicInteger(1);
    ThreadFactory real = pools.lease.getThreadFactory();
    pools.lease.setThreadFactory(
        task -> {
          if (stackOf("tickAfter") && fails.getAndDecrement() > 0) {
            throw new OutOfMemoryError("unable to create native thread (of the test)");
          }
          return real.newThread(task);
        });
    CompletableFuture<MoveReport> report = // as the command reads a list of paths
        a.engine.submit(new MoveRequestOf("/a").lazily());
    Await.until("no thread could be made", () -> fails.get() <= 0);
    passes(20, report::isDone);
    CompletableFuture<MoveReport> other = b.move("/b");
    CompletableFuture<MoveReport> next = a.move("/c");
    passes(600, () -> other.isDone() && next.isDone());
    assertThat(other).as("the other process had its turn").isDone();
    assertThat(a.mostCalls).as("calls of the lease at once").hasValue(1);
    assertThat(a.mostPlanned).as("ticks planned beside one at work").hasValue(0);
  }

  private static final class MoveRequestOf {
    private final String path;

    MoveRequestOf(String path) {
      this.path = path;
    }

    MoveRequest lazily() {
      return MoveRequest.of().stream(List.of(path).iterator()).build();
    }
  }

  private static boolean stackOf(String method) {
    for (StackTraceElement one : new Throwable().getStackTrace()) {
      if (one.getMethodName().equals(method)) {
        return true;
      }
    }
    return false;
  }

  /** An Error before anything is asked. */
  @Test
  void errorInATick_othersStillHaveTheirTurn() throws Exception {
    inside("/a", 2);
    inside("/b", 1);
    a.stuck = new CountDownLatch(1);
    CompletableFuture<MoveReport> first = a.move("/a");
    Await.until("it is at it", () -> a.inside.get() == 6);
    a.errorInTick.set(true);
    Await.until("thrown", () -> !a.errorInTick.get());
    a.stuck.countDown();
    CompletableFuture<MoveReport> second = b.move("/b");
    passes(600, () -> first.isDone() && second.isDone());
    assertThat(second).as("had its turn, ten minutes later").isDone();
  }

  /** The lease is looked after on the four threads that call listeners and the NameNode. */
  @Test
  void fourListenersDoNotReturn_othersStillHaveTheirTurn() throws Exception {
    inside("/a", 1);
    inside("/b", 1);
    a.stuck = new CountDownLatch(1);
    List<CompletableFuture<MoveReport>> requests = new ArrayList<>(List.of(a.move("/a")));
    Await.until("it is at it", () -> a.inside.get() == 3);
    AtomicInteger in = new AtomicInteger();
    MoveListener waits =
        new MoveListener() {
          @Override
          public void filePlanned(String path, long replicas, long bytes) {
            in.incrementAndGet();
            try {
              listeners.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          }
        };
    for (int i = 0; i < 4; i++) {
      inside("/l" + i, 1);
      requests.add(a.engine.submit(MoveRequest.of("/l" + i).listener(waits).build()));
    }
    Await.until("all wait", () -> in.get() == 4);
    a.stuck.countDown();
    Await.until("ended inside", () -> a.inside.get() == 0);
    CompletableFuture<MoveReport> second = b.move("/b");
    Await.until("the other asks", () -> wanted());
    passes(600, second::isDone);
    assertThat(second).as("had its turn, ten minutes later").isDone();
    assertThat(requests).hasSize(5);
  }
}
