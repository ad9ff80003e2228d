package io.evenkeel.mover.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.testing.Await;
import io.evenkeel.mover.core.plan.ReplicaMove;
import io.evenkeel.mover.core.task.MoveResult;
import io.evenkeel.mover.core.task.TaskRules;
import io.evenkeel.mover.request.FileOutcome;
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
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Moves inside DataNodes of several processes, which share nothing but the lease. */
@Tag("once") // says nothing about a Hadoop release
@Timeout(120)
class LocalMovesTest {
  private static final EngineSettings SETTINGS =
      new EngineSettings(16, 4, 0, new TaskRules(300, 20, 4), 0, 0);

  private final SimulatedCluster cluster = new SimulatedCluster(7);
  private final List<String> warnings = Collections.synchronizedList(new ArrayList<>());
  private final AtomicLong ahead = new AtomicLong();
  private final List<Process> processes = new ArrayList<>();

  private final Set<String> atWork = ConcurrentHashMap.newKeySet();

  /** Who holds the lease; null for nobody. */
  private Process holder;

  private boolean wanted;

  /** What each attempt to take it finds; null for nothing in the way. */
  private volatile IOException broken;

  /** Whether a mover of stock runs. */
  private volatile boolean stock;

  /** One process with an engine. */
  private class Process implements ReplicaMover, LocalMoveLease {
    private final Engine engine;
    private final AtomicInteger inside = new AtomicInteger();
    private final AtomicInteger begun = new AtomicInteger();
    private volatile CountDownLatch stuck = new CountDownLatch(0);
    private volatile CountDownLatch connects = new CountDownLatch(0);
    private final AtomicInteger connecting = new AtomicInteger();
    private volatile MoveResult answer;
    private volatile CountDownLatch asked = new CountDownLatch(0);
    private volatile boolean gaveBack;
    private volatile boolean lost;
    private volatile boolean forbidden;
    private volatile boolean breaks;
    private volatile boolean nameNodeBreaks;
    private volatile Boolean closedGoingOn;
    private volatile boolean closingBreaks;

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
    processes.forEach(process -> process.engine.close());
    cluster.close();
    assertThat(cluster.violations).isEmpty();
  }

  private void inside(String directory, int files) {
    for (int i = 0; i < files; i++) {
      cluster.file(directory + "/f" + i, 1, "DISK", "SSD", "SSD", "SSD");
    }
  }

  private static MoveReport get(CompletableFuture<MoveReport> future) throws Exception {
    return future.get(60, TimeUnit.SECONDS);
  }

  @Test
  void twoProcesses_takeTurnsInsideDataNodes() throws Exception {
    inside("/a", 60);
    inside("/b", 60);
    cluster.moveMillis = 200;
    CompletableFuture<MoveReport> first = a.move("/a");
    Await.until("one is at it", () -> a.begun.get() > 0);
    CompletableFuture<MoveReport> second = b.move("/b");
    Await.until("the other asks", () -> wanted());
    ahead.addAndGet(6_000);

    Await.until("its turn has come", () -> b.begun.get() > 0);
    assertThat(first).as("it gave way, and is not done").isNotDone();
    while (!first.isDone() || !second.isDone()) {
      ahead.addAndGet(1_000);
      Await.pause(100);
    }
    assertThat(get(first).isSatisfied() && get(second).isSatisfied()).isTrue();
    assertThat(warnings).isEmpty();
    Await.until("nobody keeps it", () -> isFree());
  }

  private boolean wanted() {
    synchronized (cluster) {
      return wanted;
    }
  }

  private boolean isFree() {
    synchronized (cluster) {
      return holder == null;
    }
  }

  @Test
  void anotherHasTheLease_movesBetweenDataNodesGoOn_andWhatWaitsIsSeen() throws Exception {
    leaseGoesTo(b);
    inside("/a", 40);
    cluster.node("ram0", "RAM");
    cluster.node("ram1", "RAM");
    cluster.node("ram2", "RAM");
    cluster.file("/between", 1, "RAM", "SSD", "SSD", "SSD");
    CompletableFuture<MoveReport> waits = a.move("/a");
    Await.until("all wait", () -> a.engine.load().waitingMoves >= 40);

    assertThat(get(a.move("/between")).isSatisfied()).isTrue();
    Await.until("more may be begun", () -> a.engine.isStarved());
    assertThat(a.begun).hasValue(0);
    ahead.addAndGet(61_000);
    Await.until(
        "said once", () -> warnings.toString().contains("wait for a minute already: held by"));
    waits.cancel(false);
    Await.until("dropped", () -> a.engine.load().waitingMoves == 0);
    b.release();
    assertThat(get(a.move("/a/f0")).isSatisfied()).isTrue();
    assertThat(warnings).hasSize(1);
  }

  @Test
  void cannotBeTaken_filesFailWithTheReason() throws Exception {
    inside("/a", 1);
    broken = new IOException("quota of /system exceeded");
    CompletableFuture<MoveReport> report = a.move("/a");
    while (!report.isDone()) {
      ahead.addAndGet(2_000);
      Await.pause(50);
    }
    assertThat(get(report).listed().get(0).outcome()).isEqualTo(FileOutcome.FAILED);
    assertThat(get(report).listed().toString()).contains("quota of /system exceeded");
    assertThat(cluster.moves).as("nor over the network instead").hasValue(0);
    broken = null;
    ahead.addAndGet(30_000);
    assertThat(get(a.move("/a")).isSatisfied()).isTrue();
  }

  @Test
  void lost_startsNothingMoreUntilItIsTakenAgain() throws Exception {
    inside("/a", 60);
    a.stuck = new CountDownLatch(1);
    CompletableFuture<MoveReport> report = a.move("/a");
    Await.until("all it may", () -> a.inside.get() == 16);
    loses(a);
    int begun = a.begun.get();
    a.stuck.countDown();
    Await.until("those under way have ended", () -> a.inside.get() == 0);
    assertThat(report).isNotDone();
    assertThat(a.begun).hasValue(begun);
    b.release();
    ahead.addAndGet(6_000);
    assertThat(get(report).isSatisfied()).isTrue();
  }

  @Test
  void nobodyAnswersWhetherItIsHeld_nothingMoreIsStarted() throws Exception {
    inside("/a", 60);
    cluster.moveMillis = 50;
    a.asked = new CountDownLatch(1);
    a.stuck = new CountDownLatch(1);
    CompletableFuture<MoveReport> report = a.move("/a");
    Await.until("all it may", () -> a.inside.get() == 16);
    ahead.addAndGet(41_000);
    a.stuck.countDown();
    Await.until("those under way have ended", () -> a.inside.get() == 0);
    assertThat(a.begun).hasValue(16);
    a.asked.countDown();
    ahead.addAndGet(6_000);
    assertThat(get(report).isSatisfied()).isTrue();
  }

  @Test
  void aMoveDoesNotEnd_theOthersOfItsProcessGoOn() throws Exception {
    inside("/a", 1);
    a.stuck = new CountDownLatch(1);
    CountDownLatch stuck = a.stuck;
    CompletableFuture<MoveReport> hangs = a.move("/a/f0");
    Await.until("it hangs", () -> a.inside.get() == 3);
    a.stuck = new CountDownLatch(0);
    inside("/b", 1);
    CompletableFuture<MoveReport> other = b.move("/b");
    Await.until("it is asked for", () -> wanted());
    ahead.addAndGet(6_000);
    inside("/c", 5);
    Await.pause(1_500);
    CompletableFuture<MoveReport> goesOn = a.move("/c");
    Await.until("held back", () -> a.engine.load().waitingMoves >= 3 * 5);
    assertThat(goesOn).isNotDone();
    for (int seconds = 0; seconds < 35 && !goesOn.isDone(); seconds += 5) {
      ahead.addAndGet(5_000);
      Await.pause(1_100);
    }

    assertThat(get(goesOn).isSatisfied()).isTrue();
    assertThat(other).isNotDone();
    assertThat(a.inside).hasValue(3);
    stuck.countDown();
    while (!other.isDone()) {
      ahead.addAndGet(1_000);
      Await.pause(100);
    }
    assertThat(get(hangs).isSatisfied() && get(other).isSatisfied()).isTrue();
  }

  @Test
  void givingItBackFails_itIsTakenAgain() throws Exception {
    inside("/a", 2);
    a.breaks = true;
    assertThat(get(a.move("/a/f0")).isSatisfied()).isTrue();
    ahead.addAndGet(2_000);
    Await.until("it tried to", () -> !a.breaks);
    assertThat(get(a.move("/a/f1")).isSatisfied()).isTrue();
    assertThat(warnings).hasSize(1);
  }

  @Test
  void closedWhileDataNodesCopy_leavesTheLeaseToEndByItself() throws Exception {
    inside("/a", 1);
    a.stuck = new CountDownLatch(1);
    CompletableFuture<MoveReport> report = a.move("/a");
    Await.until("inside", () -> a.inside.get() == 3);
    a.engine.close();
    assertThat(report).isDone();
    assertThat(a.closedGoingOn).isTrue();
    assertThat(a.gaveBack).isFalse();
  }

  @Test
  void connectionBreaks_keepsTheLeaseForAMinute_andSendsNothingAgain() throws Exception {
    inside("/a", 1);
    AtomicInteger broke = new AtomicInteger();
    Process c =
        new Process("c") {
          @Override
          public MoveResult move(ReplicaMove move, Consumer<String> alive)
              throws InterruptedException {
            return broke.getAndIncrement() < 3
                ? MoveResult.of(MoveResult.Kind.BROKEN_OFF, "reset")
                : super.move(move, alive);
          }
        };
    CompletableFuture<MoveReport> report = c.move("/a");
    Await.until("broken off", () -> broke.get() == 3);
    ahead.addAndGet(50_000);
    Await.pause(2_000);
    assertThat(broke).hasValue(3);
    assertThat(c.gaveBack).isFalse();
    report.cancel(false);
    ahead.addAndGet(11_000);
    Await.until("given back", () -> c.gaveBack);
  }

  /** Lets time pass until the condition holds, at most so many seconds of it. */
  private boolean passes(int seconds, BooleanSupplier condition) throws InterruptedException {
    for (int passed = 0; passed < seconds && !condition.getAsBoolean(); passed += 2) {
      ahead.addAndGet(2_000);
      Await.pause(200);
    }
    return condition.getAsBoolean();
  }

  @Test
  void moverOfStockRuns_whileAMoveIsSlow_nothingMoreIsStarted() throws Exception {
    inside("/a", 1);
    a.stuck = new CountDownLatch(1);
    CountDownLatch stuck = a.stuck;
    CompletableFuture<MoveReport> slow = a.move("/a");
    Await.until("it is slow", () -> a.inside.get() == 3);
    a.stuck = new CountDownLatch(0);
    stock = true;
    ahead.addAndGet(6_000);
    inside("/c", 5);
    Await.pause(1_500);
    CompletableFuture<MoveReport> waits = a.move("/c");
    Await.until("held back", () -> a.engine.load().waitingMoves >= 3 * 5);
    assertThat(passes(90, () -> a.begun.get() > 3)).as("begun beside stock").isFalse();

    stuck.countDown();
    assertThat(passes(60, () -> a.gaveBack)).as("given back").isTrue();
    assertThat(waits).isNotDone();
    stock = false;
    assertThat(passes(60, () -> waits.isDone() && slow.isDone())).isTrue();
    assertThat(get(slow).isSatisfied() && get(waits).isSatisfied()).isTrue();
  }

  /** Moves inside DataNodes of which the first ones end so, while the DataNodes go on. */
  private Process endsWith(int first, Supplier<MoveResult> result) {
    return new Process("c " + System.nanoTime()) {
      private final AtomicInteger ended = new AtomicInteger();

      @Override
      public MoveResult move(ReplicaMove move, Consumer<String> alive) throws InterruptedException {
        if (move.isLocal() && ended.getAndIncrement() < first) {
          super.begun.incrementAndGet();
          return result.get();
        }
        return super.move(move, alive);
      }
    };
  }

  @Test
  void connectionBroke_anotherStillHasItsTurn() throws Exception {
    inside("/a", 1_000);
    inside("/b", 1);
    cluster.moveMillis = 200;
    Process c = endsWith(1, () -> MoveResult.of(MoveResult.Kind.BROKEN_OFF, "reset"));
    CompletableFuture<MoveReport> first = c.move("/a");
    Await.until("it is at it", () -> c.begun.get() > 20);
    CompletableFuture<MoveReport> second = b.move("/b");
    Await.until("the other asks", () -> wanted());
    assertThat(passes(240, second::isDone)).as("had its turn").isTrue();
    assertThat(first).isNotDone();
  }

  @Test
  void movesTakeAMinute_anotherHasItsTurn() throws Exception {
    inside("/a", 200);
    inside("/b", 1);
    Process c =
        new Process("c " + System.nanoTime()) {
          @Override
          public MoveResult move(ReplicaMove move, Consumer<String> alive)
              throws InterruptedException {
            long end = ahead.get() + 60_000;
            while (ahead.get() < end) {
              alive.accept(move.target());
              Await.pause(20);
            }
            return super.move(move, alive);
          }
        };
    CompletableFuture<MoveReport> first = c.move("/a");
    ahead.addAndGet(20_000);
    Await.pause(1_000);
    CompletableFuture<MoveReport> second = b.move("/b");
    Await.until("the other asks", () -> wanted());
    assertThat(passes(400, second::isDone)).as("had its turn").isTrue();
    assertThat(first).isNotDone();
    first.cancel(false);
    passes(70, () -> c.inside.get() == 0);
  }

  @Test
  void cancelledWhileDataNodesGoOn_theNextRequestWaitsForThem() throws Exception {
    inside("/a", 1);
    Process c = endsWith(3, () -> MoveResult.of(MoveResult.Kind.BROKEN_OFF, "reset"));
    CompletableFuture<MoveReport> broken = c.move("/a");
    Await.until("broken off", () -> c.begun.get() == 3 && c.engine.load().runningMoves == 0);
    broken.cancel(false);
    Await.until("let go", () -> c.engine.load().held() == 0);
    CompletableFuture<MoveReport> next = c.move("/a");
    Await.until("it waits", () -> c.engine.load().waitingMoves == 3);
    ahead.addAndGet(50_000);
    Await.pause(2_000);
    assertThat(c.begun).as("asked twice").hasValue(3);
    assertThat(passes(30, next::isDone)).isTrue();
    assertThat(get(next).isSatisfied()).isTrue();
  }

  @Test
  void ownMistakeWhileDataNodesCopy_theNextRequestWaitsForThem() throws Exception {
    inside("/a", 2);
    AtomicLong slow = new AtomicLong();
    CountDownLatch copying = new CountDownLatch(1);
    Process c =
        new Process("c " + System.nanoTime()) {
          @Override
          public MoveResult move(ReplicaMove move, Consumer<String> alive)
              throws InterruptedException {
            slow.compareAndSet(0, move.replica().blockId());
            if (move.replica().blockId() == slow.get()) {
              super.begun.incrementAndGet();
              copying.await();
              return cluster.move(move, alive);
            }
            nameNodeBreaksFor(this);
            return super.move(move, alive);
          }
        };
    CompletableFuture<MoveReport> breaks = c.move("/a");
    Await.until("ended by the mistake", breaks::isCompletedExceptionally);
    assertThat(c.begun).as("three of each").hasValue(6);
    c.nameNodeBreaks = false;
    CompletableFuture<MoveReport> next = c.move("/a");
    Await.until("it waits", () -> c.engine.load().waitingMoves == 3);
    assertThat(passes(20, () -> c.begun.get() > 6)).as("asked twice").isFalse();
    copying.countDown();
    assertThat(passes(100, next::isDone)).isTrue();
    assertThat(get(next).isSatisfied()).isTrue();
  }

  private static void nameNodeBreaksFor(Process process) {
    process.nameNodeBreaks = true;
  }

  @Test
  void errorAfterItWasAskedFor_keepsTheLeaseForAMinute() throws Exception {
    inside("/a", 1);
    Process c =
        endsWith(
            3,
            () -> {
              throw new OutOfMemoryError("of the test");
            });
    CompletableFuture<MoveReport> report = c.move("/a");
    Await.until("asked for", () -> c.begun.get() == 3 && c.engine.load().runningMoves == 0);
    ahead.addAndGet(50_000);
    Await.pause(2_000);
    assertThat(c.begun).as("asked twice").hasValue(3);
    assertThat(c.gaveBack).isFalse();
    assertThat(passes(120, report::isDone)).isTrue();
    assertThat(passes(30, () -> c.gaveBack)).isTrue();
  }

  @Test
  void refusalIsOver_filesWaitForAnother_andNoOldReasonEndsThem() throws Exception {
    inside("/a", 4);
    stock = true;
    CompletableFuture<MoveReport> refused = a.move("/a/f0");
    assertThat(passes(600, refused::isDone)).isTrue();
    assertThat(get(refused).listed().toString()).contains("held by a mover of stock");
    stock = false;
    leaseGoesTo(b);
    ahead.addAndGet(31_000);
    CompletableFuture<MoveReport> first = a.move("/a/f1");
    Await.until("it waits", () -> wanted());
    Await.pause(1_000);
    CompletableFuture<MoveReport> second = a.move("/a/f2");
    Await.pause(1_000);
    assertThat(first.isDone() || second.isDone()).isFalse();
    broken = new IOException("safe mode");
    CompletableFuture<MoveReport> third = a.move("/a/f3");
    ahead.addAndGet(10_000);
    Await.pause(1_500);
    assertThat(third).as("refused before a minute").isNotDone();
    broken = null;
    b.release();
    assertThat(passes(60, () -> first.isDone() && second.isDone() && third.isDone())).isTrue();
    assertThat(get(first).isSatisfied()).isTrue();
    assertThat(get(third).isSatisfied()).isTrue();
  }

  @Test
  void closed_theLeaseCannotBe_requestsEndAllTheSame() throws Exception {
    inside("/a", 1);
    a.stuck = new CountDownLatch(1);
    a.closingBreaks = true;
    CompletableFuture<MoveReport> waits = a.move("/a");
    Await.until("it is under way", () -> a.inside.get() > 0);
    a.engine.close();
    assertThat(get(waits).isSatisfied()).isFalse();
    assertThat(warnings.toString()).contains("was not released");
  }

  @Test
  void silentForLong_othersWaitForTenMinutes() throws Exception {
    silentDataNode();
    CompletableFuture<MoveReport> second = b.move("/a");
    for (int passed = 0; passed < 500; passed += 25) {
      ahead.addAndGet(25_000); // less than an owner may be without an answer
      Await.pause(700);
    }
    assertThat(b.begun).hasValue(0);
    while (!second.isDone()) {
      ahead.addAndGet(10_000);
      Await.pause(300);
    }
    assertThat(get(second).isSatisfied()).isTrue();
  }

  @Test
  void lostWhileItConnects_isNotAskedAnyMore() throws Exception {
    inside("/a", 1);
    a.connects = new CountDownLatch(1);
    CompletableFuture<MoveReport> first = a.move("/a");
    Await.until("they connect", () -> a.connecting.get() == 3);
    leaseGoesTo(b);
    ahead.addAndGet(41_000);
    a.connects.countDown();
    Await.until("not asked", () -> a.engine.load().runningMoves == 0);
    assertThat(a.begun).hasValue(0);
    b.release();
    ahead.addAndGet(10_000);
    assertThat(get(first).isSatisfied()).isTrue();
  }

  @Test
  void blockOfAQueuedMoveIsInAnotherFileByNow_isNotMovedTwiceAtOnce() throws Exception {
    inside("/x", 40);
    a.stuck = new CountDownLatch(1);
    CompletableFuture<MoveReport> others = a.move("/x");
    Await.until("all threads are taken", () -> a.inside.get() == 16);
    SimulatedCluster.File from = cluster.file("/a/f", 1, "DISK", "SSD", "SSD", "SSD");
    int before = a.engine.load().waitingMoves;
    CompletableFuture<MoveReport> gone =
        a.engine.submit(MoveRequest.of("/a/f").priority(5).build());
    Await.until("queued", () -> a.engine.load().waitingMoves == before + 3);
    SimulatedCluster.File to = cluster.file("/b/f", 1, "DISK", "SSD", "SSD", "SSD");
    synchronized (cluster) {
      to.blocks.addAll(from.blocks);
      cluster.delete("/a/f");
    }
    CompletableFuture<MoveReport> concat =
        a.engine.submit(MoveRequest.of("/b/f").priority(5).build());
    Await.until("queued too", () -> a.engine.load().waitingMoves == before + 9);
    cluster.moveMillis = 500;
    a.stuck.countDown();
    assertThat(get(concat).isSatisfied() && get(others).isSatisfied()).isTrue();
    assertThat(get(gone).isSatisfied()).isFalse();
  }

  @Test
  void cancelledWhileItConnectsWithoutTheLease_endsAndIsNotAsked() throws Exception {
    inside("/a", 1);
    a.connects = new CountDownLatch(1);
    CompletableFuture<MoveReport> first = a.move("/a");
    Await.until("they connect", () -> a.connecting.get() == 3);
    leaseGoesTo(b);
    ahead.addAndGet(41_000);
    first.cancel(false);
    a.connects.countDown();
    Await.until("nothing waits any more", () -> a.engine.load().waitingMoves == 0);
    Await.until("let go", () -> a.engine.load().held() == 0);
    b.release();
    ahead.addAndGet(20_000);
    assertThat(a.begun).hasValue(0);
  }

  private void leaseGoesTo(Process process) {
    synchronized (cluster) {
      holder = process;
    }
  }

  private void loses(Process process) throws Exception {
    leaseGoesTo(b);
    ahead.addAndGet(6_000);
    Await.until("it has seen that", () -> process.lost);
  }

  /** Which a request has given up to wait for. */
  private void silentDataNode() throws Exception {
    inside("/a", 1);
    inside("/other", 1);
    a.answer = MoveResult.of(MoveResult.Kind.UNANSWERED, "silent for 300 s");
    CompletableFuture<MoveReport> silent = a.move("/a");
    Await.until("asked", () -> a.begun.get() == 3 && a.engine.load().runningMoves == 0);
    silent.cancel(false);
    a.answer = null;
  }

  @Test
  void lostWithASilentDataNode_goesOnAfterAMinute() throws Exception {
    silentDataNode();
    loses(a);
    b.release();
    CompletableFuture<MoveReport> other = a.move("/other");
    for (int passed = 0; passed < 120 && !other.isDone(); passed += 5) {
      ahead.addAndGet(5_000);
      Await.pause(300);
    }
    assertThat(other).isDone();
  }

  @Test
  void stockCameAndWent_goesOnBesideASilentDataNode() throws Exception {
    silentDataNode();
    stock = true;
    ahead.addAndGet(3_000);
    Await.until("it has seen that", () -> a.forbidden);
    CompletableFuture<MoveReport> other = a.move("/other");
    Await.until("it waits", () -> a.engine.load().waitingMoves == 3);
    stock = false;
    for (int passed = 0; passed < 60 && !other.isDone(); passed += 5) {
      ahead.addAndGet(5_000);
      Await.pause(700);
    }
    assertThat(other).as("within a minute of stock's end").isDone();
  }

  @Test
  void lost_aLaterAnswerSaysHeld_nothingMoreIsBegun() throws Exception {
    inside("/a", 1);
    inside("/other", 20);
    AtomicInteger losses = new AtomicInteger();
    Process c =
        new Process("c " + System.nanoTime()) {
          @Override
          public State look() throws IOException {
            State real = super.look();
            boolean first = real == State.LOST && losses.getAndIncrement() == 0;
            return real == State.LOST && !first ? State.HELD : real;
          }
        };
    c.stuck = new CountDownLatch(1);
    CompletableFuture<MoveReport> hangs = c.move("/a");
    Await.until("asked", () -> c.inside.get() == 3);
    CountDownLatch stuck = c.stuck;
    c.stuck = new CountDownLatch(0);
    loses(c);
    CompletableFuture<MoveReport> other = c.move("/other");
    for (int passed = 0; passed < 50; passed += 5) {
      ahead.addAndGet(5_000);
      Await.pause(600);
    }
    int begun = c.begun.get();
    stuck.countDown();
    b.release();
    hangs.cancel(false);
    other.cancel(false);
    assertThat(begun).as("while another has the lease").isEqualTo(3);
  }

  @Test
  void stockRunsForAMinute_thenAConnectionBreaks_keepsItForAMinuteMore() throws Exception {
    inside("/a", 1);
    CountDownLatch stuck = new CountDownLatch(1);
    a.stuck = stuck;
    CompletableFuture<MoveReport> report = a.move("/a");
    Await.until("asked", () -> a.inside.get() == 3);
    stock = true;
    ahead.addAndGet(3_000);
    Await.until("it has seen that", () -> a.forbidden);
    ahead.addAndGet(60_000);
    Await.pause(1_500);
    a.answer = MoveResult.of(MoveResult.Kind.BROKEN_OFF, "reset");
    stuck.countDown();
    Await.until("broken off", () -> a.inside.get() == 0);
    ahead.addAndGet(30_000);
    Await.pause(1_500);
    boolean gaveBack = a.gaveBack;
    ahead.addAndGet(31_000);
    Await.until("given back", () -> a.gaveBack);
    stock = false;
    report.cancel(false);
    assertThat(gaveBack).as("while DataNodes may be at it").isFalse();
  }
}
