package io.evenkeel.locking.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.testing.Await;
import java.lang.management.ManagementFactory;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
@Tag("once")
class LockStatisticsTest {
  private static final long MS = 1_000_000;

  private final AtomicLong now = new AtomicLong(1);
  private final SlowHolders slow = new SlowHolders(1000 * MS, 60_000 * MS);
  private final LockStatistics statistics = new LockStatistics(now::get, slow);
  private final Operations operations = new Operations(true, now::get, statistics);

  private void hold(OperationKind kind, long block, String volume, long millis) {
    try (Operation operation = operations.begin(kind, "BP-1", block)) {
      operation.keepLock();
      if (volume != null) {
        operation.on(volume);
      }
      now.addAndGet(millis * MS);
    }
  }

  @Test
  void holds_ofSeveralOperations_areCountedTogether() {
    hold(OperationKind.FINALIZE, 1, "DS-b", 5);
    hold(OperationKind.CREATE_RBW, 1, null, 7);
    hold(OperationKind.CREATE_RBW, 3, "DS-a", 2000);
    assertThat(statistics.held().count()).isEqualTo(3);
    assertThat(statistics.held().totalMicros()).isEqualTo(2_012_000);
    assertThat(statistics.slowHolds()).isEqualTo(1);
    assertThat(statistics.waited().count()).isZero();
  }

  @Test
  void hold_requestsInsideEachOther_countOnce() {
    try (Operation operation = operations.begin(OperationKind.APPEND, "BP-1", 1)) {
      operation.keepLock();
      operation.lock(true);
      operation.unlock();
    }
    assertThat(statistics.held().count()).isEqualTo(1);
  }

  @Test
  void wait_forAHolder_isCountedWithItsTime() throws Exception {
    Operation holder = operations.begin(OperationKind.FINALIZE, "BP-1", 1);
    holder.keepLock();
    CountDownLatch done = new CountDownLatch(1);
    Thread waiter =
        new Thread(
            () -> {
              hold(OperationKind.OPEN_STREAMS, 1, "DS-a", 0);
              done.countDown();
            });
    waiter.start();
    Await.until("it waits", () -> operations.waiting() > 0);
    assertThat(operations.holdings())
        .singleElement()
        .satisfies(holding -> assertThat(holding.operation()).isSameAs(holder))
        .satisfies(holding -> assertThat(holding.waiting()).isEqualTo(1));
    now.addAndGet(30 * MS);
    holder.close();
    assertThat(done.await(30, TimeUnit.SECONDS)).isTrue();
    waiter.join();
    assertThat(statistics.waited().count()).isEqualTo(1);
    assertThat(statistics.waited().maxMicros()).isEqualTo(30_000);
    assertThat(operations.waiting()).isZero();
    assertThat(operations.liveLocks()).isZero();
  }

  @Test
  void broken_anOperationGivesBackTooOften_isCountedWithItsWords() {
    try (Operation operation = operations.begin(OperationKind.APPEND, "BP-1", 7)) {
      operation.unlock();
    }
    assertThat(operations.brokenRules()).isEqualTo(1);
    assertThat(operations.lastBrokenRule())
        .contains("append of BP-1:7", "as often as it was taken");
  }

  @Test
  void closedPools_oneClosed_isNamed() {
    operations.pool("BP-2");
    operations.pool("BP-1").gate().close(0);
    assertThat(operations.closedPools()).containsExactly("BP-1");
    operations.pool("BP-1").gate().open();
    assertThat(operations.closedPools()).isEmpty();
  }

  /** Bytes per hold with and without the statistics: the difference is theirs. */
  @Test
  void recording_manyHolds_allocatesNothing() {
    Operations silent = new Operations(true, now::get, LockEvents.NONE);
    long without = Math.min(allocated(silent), allocated(silent));
    long with = Math.min(allocated(operations), allocated(operations));
    assertThat(with - without).isLessThan(ROUNDS); // less than a byte each
  }

  private static final int ROUNDS = 20_000;

  private static long allocated(Operations operations) {
    com.sun.management.ThreadMXBean threads =
        (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = 0;
    for (int i = -ROUNDS; i < ROUNDS; i++) {
      if (i == 0) {
        before = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
      }
      try (Operation operation = operations.begin(OperationKind.APPEND, "BP-1", 1)) {
        operation.on("DS-a");
        operation.keepLock();
      }
    }
    return threads.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;
  }
}
