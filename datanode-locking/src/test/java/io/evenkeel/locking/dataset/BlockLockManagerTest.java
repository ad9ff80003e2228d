package io.evenkeel.locking.dataset;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.locking.core.Operation;
import io.evenkeel.locking.core.OperationKind;
import io.evenkeel.locking.core.Operations;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hdfs.server.common.AutoCloseDataSetLock;
import org.apache.hadoop.hdfs.server.common.DataNodeLockManager.LockLevel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BlockLockManagerTest {
  private final Operations operations = new Operations(true, System::nanoTime);
  private final BlockLockManager locks = new BlockLockManager(operations);

  @AfterEach
  void nothingIsLeft() {
    assertThat(operations.liveLocks()).isZero();
    assertThat(operations.lastBrokenRule()).isEmpty();
  }

  @Test
  void requests_outsideAnOperation_lockNothing() {
    try (AutoCloseDataSetLock pool = locks.writeLock(LockLevel.BLOCK_POOl, "p");
        AutoCloseDataSetLock volume = locks.writeLock(LockLevel.VOLUME, "p", "v");
        AutoCloseDataSetLock read = locks.readLock(LockLevel.VOLUME, "p", "v")) {
      assertThat(operations.liveLocks()).isZero();
    }
  }

  @Test
  void writeOfAnyLevel_insideAnOperation_locksItsBlockExclusively() {
    try (Operation operation = operations.begin(OperationKind.FINALIZE, "p", 1)) {
      try (AutoCloseDataSetLock volume = locks.writeLock(LockLevel.VOLUME, "p", "v")) {
        assertThat(operation.holds()).isTrue();
        assertThat(operation.exclusive()).isTrue();
        assertThat(operation.volume()).isEqualTo("v");
      }
      assertThat(operation.holds()).isFalse();
      try (AutoCloseDataSetLock pool = locks.writeLock(LockLevel.BLOCK_POOl, "p")) {
        assertThat(operation.exclusive()).isTrue();
        assertThat(operations.holdings()).hasSize(1);
      }
    }
  }

  @Test
  void readOfAVolume_insideAnOperation_locksItsBlockShared() {
    try (Operation operation = operations.begin(OperationKind.OPEN_STREAMS, "p", 1)) {
      try (AutoCloseDataSetLock volume = locks.readLock(LockLevel.VOLUME, "p", "v")) {
        assertThat(operation.holds()).isTrue();
        assertThat(operation.exclusive()).isFalse();
      }
      try (AutoCloseDataSetLock pool = locks.readLock(LockLevel.BLOCK_POOl, "p")) {
        assertThat(operation.holds()).isFalse();
      }
    }
  }

  @Test
  void eviction_eachRound_holdsItsReplicaUntilTheRoundEnds() {
    try (Operation creation = operations.begin(OperationKind.CREATE_RBW, "p", 1)) {
      creation.keepLock();
      locks.beginEviction();
      for (long evicted = 2; evicted < 4; evicted++) {
        Operation replica = operations.begin(OperationKind.EVICT, "p", evicted);
        assertThat(replica.tryLock(0)).isTrue();
        try (AutoCloseDataSetLock map = locks.readLock(LockLevel.BLOCK_POOl, "p")) {
          assertThat(replica.holds()).isTrue();
        }
        locks.evicts(replica, () -> {}, () -> {});
        try (AutoCloseDataSetLock round = locks.readLock(LockLevel.BLOCK_POOl, "p")) {
          try (AutoCloseDataSetLock map = locks.readLock(LockLevel.BLOCK_POOl, "p")) {
            assertThat(replica.holds()).isTrue();
          }
          try (AutoCloseDataSetLock volume = locks.writeLock(LockLevel.VOLUME, "p", "v")) {
            assertThat(operations.liveLocks()).isEqualTo(2);
          }
          assertThat(replica.holds()).isTrue();
        }
        assertThat(operations.current()).isSameAs(creation);
        assertThat(operations.liveLocks()).isOne();
      }
      locks.endEviction();
    }
  }

  /** What was left with the lock of the evicted block may read the map of its pool. */
  @Test
  void eviction_endsWithSomethingLeftToDo_endsOnce() throws Exception {
    AtomicInteger done = new AtomicInteger();
    try (Operation creation = operations.begin(OperationKind.CREATE_RBW, "p", 1)) {
      creation.keepLock();
      locks.beginEviction();
      Operation replica = operations.begin(OperationKind.EVICT, "p", 2);
      assertThat(replica.tryLock(0)).isTrue();
      locks.evicts(replica, () -> {}, () -> {});
      Thread cache =
          new Thread(
              () -> {
                try (Operation waits = operations.begin(OperationKind.CACHE, "p", 2)) {
                  waits.keepLockOr(
                      0,
                      () -> {
                        locks.readLock(LockLevel.BLOCK_POOl, "p").close();
                        done.incrementAndGet();
                      });
                }
              });
      cache.start();
      cache.join();
      locks.readLock(LockLevel.BLOCK_POOl, "p").close();
      assertThat(done).hasValue(1);
      assertThat(operations.current()).isSameAs(creation);
      locks.endEviction();
    }
    assertThat(operations.lastBrokenRule()).isEmpty();
    assertThat(operations.liveLocks()).isZero();
  }

  @Test
  void lockLeakCheck_lockStillHeld_isKeptAsStockDoes() {
    locks.lockLeakCheck();
    assertThat(locks.getLastException()).isNull();
    try (Operation operation = operations.begin(OperationKind.APPEND, "p", 1)) {
      operation.lock(true);
      locks.lockLeakCheck();
      operation.unlock();
    }
    assertThat(locks.getLastException()).hasMessage("lock leak");
  }
}
