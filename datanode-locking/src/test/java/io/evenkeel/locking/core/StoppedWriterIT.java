package io.evenkeel.locking.core;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CountDownLatch;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Looks for a deadlock between a writer, which needs its block's lock to leave, and those that stop
 * it and take its place ({@code stopWriter}). Nobody gives up here after {@code
 * dfs.datanode.xceiver.stop.timeout.millis}: a wait that only the timeout would end is a fault.
 */
@Tag("slow") // LinearizabilityIT explores the same lock in every run
class StoppedWriterIT {
  private static void check(Class<?> uses) {
    new ModelCheckingOptions()
        .iterations(4)
        .invocationsPerIteration(200)
        .threads(3)
        .actorsPerThread(2)
        .actorsBefore(0)
        .actorsAfter(0)
        .check(uses);
  }

  @Test
  void stoppedWithoutTheLock_neverHangs() {
    check(WithoutTheLock.class);
  }

  @Test
  void stoppedWithTheLock_isFoundToHang() {
    assertThatThrownBy(() -> check(WithTheLock.class)).hasMessageContaining("hung");
  }

  /** One block with at most one writer. */
  abstract static class Block {
    final Operations operations = new Operations(false, () -> 0, LockEvents.NONE);

    /** Opened when the writer has left; guarded by the block's lock. */
    CountDownLatch writer;

    /** Takes the place of the writer there is, if there is one. */
    abstract void takePlace(CountDownLatch mine, OperationKind kind) throws InterruptedException;

    /** Opens the block, writes, and leaves: finalizes, or is told to end. */
    @Operation
    public void write() throws InterruptedException {
      CountDownLatch mine = new CountDownLatch(1);
      takePlace(mine, OperationKind.APPEND);
      try (io.evenkeel.locking.core.Operation use =
          operations.begin(OperationKind.FINALIZE, "p", 1)) {
        use.lock(true);
        if (writer == mine) {
          writer = null;
        }
        use.unlock();
      } finally {
        mine.countDown();
      }
    }

    /** Looks at the block, as a reader does. */
    @Operation
    public void read() {
      try (io.evenkeel.locking.core.Operation use =
          operations.begin(OperationKind.OPEN_STREAMS, "p", 1)) {
        use.lock(false);
        use.unlock();
      }
    }
  }

  /** As FineGrainedDataset does it: stops with the lock given back, then looks again. */
  public static class WithoutTheLock extends Block {
    @Override
    void takePlace(CountDownLatch mine, OperationKind kind) throws InterruptedException {
      while (true) {
        CountDownLatch before;
        try (io.evenkeel.locking.core.Operation use = operations.begin(kind, "p", 1)) {
          use.keepLock();
          before = writer;
          if (before == null) {
            writer = mine;
            return;
          }
        }
        before.await();
      }
    }
  }

  /** What must not be done. */
  public static class WithTheLock extends Block {
    @Override
    void takePlace(CountDownLatch mine, OperationKind kind) throws InterruptedException {
      try (io.evenkeel.locking.core.Operation use = operations.begin(kind, "p", 1)) {
        use.keepLock();
        if (writer != null) {
          writer.await();
        }
        writer = mine;
      }
    }
  }
}
