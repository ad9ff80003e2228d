package io.evenkeel.mover.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.testing.Await;
import io.evenkeel.mover.core.task.MoveResult;
import io.evenkeel.mover.request.MoveReport;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The lease for moves inside DataNodes is lost or refused, or a DataNode says nothing. */
@Tag("once") // says nothing about a Hadoop release
@Timeout(120)
class LocalMovesLossTest extends LocalMovesFixture {
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

  private CompletableFuture<MoveReport> losesItWhileItConnects() throws Exception {
    inside("/a", 1);
    a.connects = new CountDownLatch(1);
    CompletableFuture<MoveReport> first = a.move("/a");
    Await.until("they connect", () -> a.connecting.get() == 3);
    leaseGoesTo(b);
    ahead.addAndGet(41_000);
    return first;
  }

  @Test
  void lostWhileItConnects_isNotAskedAnyMore() throws Exception {
    CompletableFuture<MoveReport> first = losesItWhileItConnects();
    a.connects.countDown();
    Await.until("not asked", () -> a.engine.load().runningMoves == 0);
    assertThat(a.begun).hasValue(0);
    b.release();
    ahead.addAndGet(10_000);
    assertThat(get(first).isSatisfied()).isTrue();
  }

  /** As with Ctrl-Z, fg and an {@code hdfs mover} that was started in between. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void stoppedForAWhile_asksBeforeItBeginsMore(boolean stockCame) throws Exception {
    inside("/a", 8);
    a.connects = new CountDownLatch(1);
    CompletableFuture<MoveReport> report = a.move("/a");
    Await.until("as many as may connect", () -> a.connecting.get() == 16);
    a.asked = new CountDownLatch(1);
    stock = stockCame;
    ahead.addAndGet(12_000);
    a.connects.countDown();
    Await.until("none is under way", () -> a.engine.load().runningMoves == 0);
    assertThat(a.begun).hasValue(0);
    a.asked.countDown();
    if (stockCame) {
      Await.until("it has seen that", () -> a.forbidden);
      assertThat(a.begun).hasValue(0);
      stock = false;
      ahead.addAndGet(10_000);
    }
    assertThat(get(report).isSatisfied()).isTrue();
    assertThat(a.begun).hasValue(24);
  }

  @Test
  void cancelledWhileItConnectsWithoutTheLease_endsAndIsNotAsked() throws Exception {
    CompletableFuture<MoveReport> first = losesItWhileItConnects();
    first.cancel(false);
    a.connects.countDown();
    Await.until("nothing waits any more", () -> a.engine.load().waitingMoves == 0);
    Await.until("let go", () -> a.engine.load().held() == 0);
    b.release();
    ahead.addAndGet(20_000);
    assertThat(a.begun).hasValue(0);
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

  @Test
  void stockRunsForTwoMinutesBesideASilentDataNode_keepsIt() throws Exception {
    silentDataNode();
    stock = true;
    ahead.addAndGet(3_000);
    Await.until("it has seen that", () -> a.forbidden);
    for (int passed = 0; passed < 120; passed += 20) {
      ahead.addAndGet(20_000);
      Await.pause(700);
    }
    boolean gaveBack = a.gaveBack;
    stock = false;
    assertThat(gaveBack).as("while the DataNode may be at it").isFalse();
  }
}
