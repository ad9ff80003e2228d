package io.evenkeel.locking.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.common.testing.Await;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
class PoolGateTest {
  private static final long LONG = TimeUnit.SECONDS.toNanos(60);

  private final PoolGate gate = new PoolGate(System::nanoTime);

  @Test
  void close_nobodyInside_isEmptyAtOnceAndRefuses() {
    assertThat(gate.close(0)).isTrue();
    assertThat(gate.closed()).isTrue();
    assertThat(gate.enter()).isFalse();
    assertThat(gate.inside()).isZero();
  }

  @Test
  void close_somebodyInside_waitsForThemOnly() throws InterruptedException {
    assertThat(gate.enter()).isTrue();
    CountDownLatch refused = new CountDownLatch(1);
    Thread leaver =
        new Thread(
            () -> {
              while (gate.enter()) { // until it is closed
                gate.leave();
              }
              refused.countDown();
              gate.leave();
            });
    leaver.start();
    assertThat(gate.close(LONG)).isTrue();
    assertThat(refused.getCount()).isZero();
    leaver.join();
  }

  @Test
  void close_timeIsUp_staysClosedAndLastOneOutTidiesUp() {
    AtomicInteger tidied = new AtomicInteger();
    gate.enter();
    gate.enter();
    assertThat(gate.close(0)).isFalse();
    gate.whenEmpty(tidied::incrementAndGet);
    gate.leave();
    assertThat(tidied).hasValue(0);
    assertThat(gate.enter()).isFalse();
    gate.leave();
    assertThat(tidied).hasValue(1);
  }

  @Test
  void close_interruptedThread_waitsNoLessAndStaysInterrupted() throws InterruptedException {
    gate.enter();
    Thread leaver = new Thread(gate::leave);
    Thread.currentThread().interrupt();
    leaver.start();
    boolean drained = gate.close(LONG);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(drained).isTrue();
    leaver.join();
  }

  @Test
  void whenEmpty_lastOneLeftMeanwhile_isDoneAtOnce() {
    AtomicInteger tidied = new AtomicInteger();
    gate.enter();
    gate.close(0);
    gate.leave();
    gate.whenEmpty(tidied::incrementAndGet);
    assertThat(tidied).hasValue(1);
  }

  @Test
  void reopening_someAreInside_waitsForTheLastOneAndTidies() throws Exception {
    AtomicInteger tidied = new AtomicInteger();
    gate.enter();
    gate.close(0);
    gate.whenEmpty(tidied::incrementAndGet);
    FutureTask<Integer> reopening =
        new FutureTask<>(
            () -> {
              gate.reopening();
              return tidied.get();
            });
    Thread thread = new Thread(reopening);
    thread.start();
    Await.until("it waits", () -> thread.getState() == Thread.State.TIMED_WAITING);
    assertThat(reopening.isDone()).isFalse();
    gate.leave();
    assertThat(reopening.get()).isPositive();
    assertThat(gate.closed()).isTrue();
  }

  /** Its entries would be taken away that are being read again. */
  @Test
  void reopening_lastOneHasTidied_doesNotTidyAgain() throws Exception {
    AtomicInteger tidied = new AtomicInteger();
    gate.enter();
    gate.close(0);
    gate.whenEmpty(tidied::incrementAndGet);
    gate.leave();
    gate.reopening();
    assertThat(tidied).hasValue(1);
  }

  @Test
  void reopening_interrupted_endsAndTheGateStaysClosed() {
    gate.enter();
    gate.close(0);
    Thread.currentThread().interrupt();
    assertThatThrownBy(gate::reopening).isInstanceOf(InterruptedException.class);
    assertThat(gate.closed()).isTrue();
  }

  @Test
  void open_afterClosing_letsInAndForgetsTheTidying() {
    AtomicInteger tidied = new AtomicInteger();
    gate.enter();
    gate.close(0);
    gate.whenEmpty(tidied::incrementAndGet);
    gate.open();
    gate.leave();
    assertThat(tidied).hasValue(0);
    assertThat(gate.enter()).isTrue();
    assertThat(gate.inside()).isOne();
  }
}
