package io.evenkeel.mover.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.testing.Await;
import io.evenkeel.mover.core.plan.ReplicaMove;
import io.evenkeel.mover.core.task.MoveResult;
import io.evenkeel.mover.request.FileOutcome;
import io.evenkeel.mover.request.MoveReport;
import io.evenkeel.mover.request.MoveRequest;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Moves inside DataNodes of several processes, which share nothing but the lease. */
@Tag("once") // says nothing about a Hadoop release
@Timeout(120)
class LocalMovesTest extends LocalMovesFixture {
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
        "said once", () -> warnings.toString().contains("have waited for a minute: held by"));
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
    assertThat(get(gone).files()).isEqualTo(Map.of(FileOutcome.DELETED, 1L));
  }
}
