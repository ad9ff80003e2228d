package io.evenkeel.locking.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.evenkeel.common.testing.Await;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("once")
class OperationTest {
  private final AtomicLong now = new AtomicLong();
  private final Operations operations = new Operations(true, now::get);
  private final ExecutorService other = Executors.newSingleThreadExecutor();

  @AfterEach
  void nothingIsLeft() throws InterruptedException {
    other.shutdown();
    assertThat(other.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
    assertThat(operations.liveLocks()).isZero();
    assertThat(operations.pool("p").gate().inside()).isZero();
    assertThat(operations.current()).isNull();
  }

  private Operation begin(long block) {
    return operations.begin(OperationKind.FINALIZE, "p", block);
  }

  @Test
  void lock_requestsInsideEachOther_lastReleaseGivesItBack() {
    try (Operation operation = begin(1)) {
      operation.lock(true);
      operation.lock(false);
      operation.unlock();
      assertThat(operation.holds()).isTrue();
      assertThat(operations.liveLocks()).isOne();
      operation.unlock();
      assertThat(operation.holds()).isFalse();
      assertThat(operations.liveLocks()).isZero();
    }
    assertThat(operations.lastBrokenRule()).isEmpty();
  }

  @Test
  void unlock_listenerFails_theLockIsGivenBack() throws Exception {
    AtomicInteger failures = new AtomicInteger(1);
    LockEvents failing =
        new LockEvents() {
          @Override
          public void released(Operation operation) {
            if (failures.getAndDecrement() > 0) {
              throw new IllegalStateException("of a listener");
            }
          }
        };
    Operations told = new Operations(true, now::get, failing);
    assertThatIllegalStateException()
        .isThrownBy(
            () -> {
              try (Operation operation = told.begin(OperationKind.FINALIZE, "p", 1)) {
                operation.lock(true);
                operation.unlock();
              }
            });
    assertThat(told.liveLocks()).isZero();
    Operation next = told.begin(OperationKind.FINALIZE, "p", 1);
    assertThat(next.tryLock(0)).isTrue();
    next.unlock();
    next.close();
  }

  @Test
  void lock_anotherBlock_doesNotWait() throws Exception {
    try (Operation operation = begin(1)) {
      operation.lock(true);
      other.submit(() -> holdAndRelease(2)).get();
      operation.unlock();
    }
  }

  @Test
  void lock_sameIdInAnotherPool_doesNotWait() throws Exception {
    try (Operation operation = begin(1)) {
      operation.lock(true);
      other
          .submit(
              () -> {
                try (Operation elsewhere = operations.begin(OperationKind.APPEND, "q", 1)) {
                  elsewhere.lock(true);
                  elsewhere.unlock();
                }
              })
          .get();
      operation.unlock();
    }
  }

  @Test
  void lock_sameBlock_waitsAndKnowsForHowLong() throws Exception {
    Future<Long> waited;
    try (Operation operation = begin(1)) {
      operation.lock(true);
      waited =
          other.submit(
              () -> {
                try (Operation second = operations.begin(OperationKind.APPEND, "p", 1)) {
                  second.lock(true);
                  second.unlock();
                  return second.waitedNanos();
                }
              });
      Await.until("it waits", () -> operations.waiting() == 1);
      now.set(1000);
      assertThat(operations.holdings()).hasSize(1);
      assertThat(operations.holdings().get(0).heldNanos()).isEqualTo(1000);
      operation.unlock();
    }
    assertThat(waited.get()).isEqualTo(1000);
  }

  @Test
  void lock_twoReaders_shareIt() throws Exception {
    try (Operation operation = begin(1)) {
      operation.lock(false);
      other
          .submit(
              () -> {
                try (Operation second = begin(1)) {
                  second.lock(false);
                  second.unlock();
                }
              })
          .get();
      assertThat(operations.liveLocks()).isOne();
      operation.unlock();
    }
  }

  @Test
  void lock_sharedThenExclusive_isRefusedAndReported() {
    try (Operation operation = begin(1)) {
      operation.lock(false);
      assertThatIllegalStateException().isThrownBy(() -> operation.lock(true));
      operation.unlock();
    }
    assertThat(operations.brokenRules()).isOne();
  }

  @Test
  void lock_operationInsideAnother_sameBlockIsEntered() {
    try (Operation outer = operations.begin(OperationKind.CREATE_TEMPORARY, "p", 1)) {
      outer.keepLock();
      try (Operation inner = operations.begin(OperationKind.REMOVE, "p", 1)) {
        inner.lock(true);
        inner.unlock();
        assertThat(operations.pool("p").gate().inside()).isOne();
      }
      assertThat(operations.current()).isSameAs(outer);
      assertThat(operations.holdings().get(0).operation()).isSameAs(outer);
    }
    assertThat(operations.lastBrokenRule()).isEmpty();
  }

  @Test
  void holdings_oneOfTwoReadersLeaves_theFirstIsStillSeen() throws Exception {
    try (Operation slow = operations.begin(OperationKind.OPEN_STREAMS, "p", 1)) {
      slow.lock(false);
      Runnable readerComesAndGoes =
          () -> {
            try (Operation quick = operations.begin(OperationKind.OPEN_STREAMS, "p", 1)) {
              quick.lock(false);
              quick.unlock();
            }
          };
      other.submit(readerComesAndGoes).get();
      assertThat(operations.holdings()).extracting(Holding::operation).containsExactly(slow);
      slow.unlock();
    }
    assertThat(operations.holdings()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1_000_000})
  void tryLock_blockInUse_isRefusedAfterItsTime(long nanos) throws Exception {
    try (Operation operation = begin(1)) {
      operation.lock(true);
      assertThat(other.submit(() -> tries(nanos)).get()).isFalse();
      operation.unlock();
      assertThat(other.submit(() -> tries(nanos)).get()).isTrue();
    }
    assertThat(operations.liveLocks()).isZero();
  }

  @Test
  void tryLock_blockIsGivenBackInTime_isLocked() throws Exception {
    Future<Boolean> tried;
    try (Operation operation = begin(1)) {
      operation.lock(true);
      tried = other.submit(() -> tries(TimeUnit.MINUTES.toNanos(1)));
      Await.until("it waits", () -> operations.waiting() == 1);
      operation.unlock();
    }
    assertThat(tried.get()).isTrue();
  }

  private boolean tries(long nanos) {
    try (Operation second = operations.begin(OperationKind.EVICT, "p", 1)) {
      boolean locked = second.tryLock(nanos);
      if (locked) {
        second.unlock();
      }
      return locked;
    }
  }

  @Test
  void close_withItsLock_givesItBackAndReports() throws Exception {
    begin(1).lock(true);
    operations.current().close();
    assertThat(operations.liveLocks()).isZero();
    assertThat(operations.brokenRules()).isOne();
    other.submit(() -> holdAndRelease(1)).get();
  }

  @Test
  void unlock_withoutLock_isReported() {
    try (Operation operation = begin(1)) {
      operation.unlock();
    }
    assertThat(operations.brokenRules()).isOne();
  }

  @Test
  void order_secondBlockWhileHoldingOne_isReportedUnlessEvicted() {
    try (Operation first = begin(1)) {
      first.lock(true);
      try (Operation evicted = operations.begin(OperationKind.EVICT, "p", 2)) {
        assertThat(evicted.tryLock(0)).isTrue();
        evicted.unlock();
      }
      assertThat(operations.lastBrokenRule()).isEmpty();
      try (Operation second = begin(3)) {
        second.lock(true);
        second.unlock();
      }
      first.unlock();
    }
    assertThat(operations.brokenRules()).isOne();
    assertThat(operations.lastBrokenRule())
        .startsWith("finalizeBlock of p:3 in ")
        .endsWith(": wants its lock while its thread holds that of finalizeBlock of p:1");
  }

  @Test
  void begin_evictionFromAPoolThatIsClosed_isRefusedToACreationInAnother() {
    operations.pool("p").gate().close(0);
    try (Operation creation = operations.begin(OperationKind.CREATE_RBW, "q", 1)) {
      assertThat(operations.begin(OperationKind.EVICT, "p", 2)).isNull();
      assertThat(operations.current()).isSameAs(creation);
    }
  }

  @Test
  void begin_closedPool_refusesThoseThatLeaveSomething() {
    operations.pool("p").gate().close(0);
    assertThat(begin(1)).isNull();
    try (Operation reader = operations.begin(OperationKind.OPEN_STREAMS, "p", 1)) {
      assertThat(reader).isNotNull();
    }
    operations.pool("p").gate().open();
    begin(1).close();
  }

  @Test
  void begin_insideAnotherWhileThePoolCloses_isNotRefused() {
    try (Operation outer = begin(1)) {
      operations.pool("p").gate().close(0);
      try (Operation inner = operations.begin(OperationKind.REMOVE, "p", 1)) {
        assertThat(inner).isNotNull();
      }
      assertThat(outer.holds()).isFalse();
    }
    operations.pool("p").gate().open();
  }

  private void holdAndRelease(long block) {
    try (Operation operation = begin(block)) {
      operation.lock(true);
      operation.unlock();
    }
  }

  @Test
  void keepLockOr_blockIsFree_isLockedToTheEnd() {
    try (Operation operation = begin(1)) {
      assertThat(operation.keepLockOr(0, () -> {})).isTrue();
      assertThat(operation.holds()).isTrue();
      assertThat(operation.exclusive()).isTrue();
      assertThat(operation.keepLockOr(0, () -> {})).as("again").isTrue();
    }
    assertThat(operations.liveLocks()).isZero();
  }

  @Test
  void keepLockOr_blockIsInUse_whoGivesItBackDoesTheRest() throws Exception {
    AtomicInteger done = new AtomicInteger();
    AtomicReference<Thread> by = new AtomicReference<>();
    CountDownLatch left = new CountDownLatch(1);
    CountDownLatch held = new CountDownLatch(1);
    Future<?> user =
        other.submit(
            () -> {
              try (Operation operation = begin(1)) {
                operation.lock(false);
                held.countDown();
                left.await();
                operation.unlock();
              }
              return null;
            });
    held.await();
    Runnable rest =
        () -> {
          done.incrementAndGet();
          by.set(Thread.currentThread());
        };
    try (Operation operation = begin(1)) {
      assertThat(operation.keepLockOr(1, rest)).isFalse();
      assertThat(operation.holds()).isFalse();
    }
    assertThat(done).hasValue(0);
    assertThat(operations.liveLocks()).isOne();
    left.countDown();
    user.get();
    assertThat(done).hasValue(1);
    assertThat(by.get()).isNotSameAs(Thread.currentThread());
  }

  /** Neither lost nor done twice, whoever comes between. */
  @Test
  void keepLockOr_manyThreadsOnFewBlocks_eachIsDoneOnce() throws Exception {
    int threads = 4;
    int each = 5_000;
    AtomicInteger done = new AtomicInteger();
    AtomicInteger putOff = new AtomicInteger();
    LinkedBlockingQueue<Long> work = new LinkedBlockingQueue<>();
    for (long i = 0; i < (long) threads * each; i++) {
      work.add(i % 3);
    }
    ExecutorService workers = Executors.newFixedThreadPool(threads);
    try {
      List<Future<?>> all = new ArrayList<>();
      for (int t = 0; t < threads; t++) {
        all.add(
            workers.submit(
                () -> {
                  while (done.get() < threads * each) {
                    Long block = work.poll(1, TimeUnit.MILLISECONDS);
                    if (block == null) {
                      continue;
                    }
                    try (Operation operation = begin(block)) {
                      Runnable again =
                          () -> {
                            putOff.incrementAndGet();
                            work.add(block);
                          };
                      if (operation.keepLockOr(0, again)) {
                        Thread.yield(); // so that others come meanwhile, on one core too
                        done.incrementAndGet();
                      }
                    }
                  }
                  return null;
                }));
      }
      for (Future<?> one : all) {
        one.get(60, TimeUnit.SECONDS); // a lost one would never be done
      }
    } finally {
      workers.shutdownNow();
    }
    assertThat(done).hasValue(threads * each);
    assertThat(putOff.get()).isPositive();
    assertThat(work).isEmpty();
  }
}
