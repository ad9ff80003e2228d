package io.evenkeel.locking.core;

import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Every interleaving that Lincheck finds of a few uses of locks must equal some order of the same
 * uses one after the other.
 */
@Tag("once")
class LinearizabilityIT {
  private static void check(Class<?> uses, int scenarios, int interleavings) {
    new ModelCheckingOptions()
        .iterations(scenarios)
        .invocationsPerIteration(interleavings)
        .threads(2)
        .actorsPerThread(2)
        .actorsBefore(1)
        .actorsAfter(1)
        .check(uses);
  }

  @Test
  void blocks_lockedAndUnlocked_excludeThemselvesAndLeaveNothing() {
    check(Counting.class, 2, 150);
  }

  @Test
  @Tag("slow") // half a minute of processor time
  void blocks_manyScenarios_excludeThemselvesAndLeaveNothing() {
    check(Counting.class, 10, 600);
  }

  @Test
  void gate_closedWhileOthersEnter_letsNobodyIn() {
    check(Closing.class, 5, 300);
  }

  /** Plain counters, each under the lock of its block. */
  public static class Counting {
    private final Operations operations = new Operations(false, () -> 0, LockEvents.NONE);
    private final int[] counts = new int[2];

    private int add(int block, boolean exclusive) {
      try (io.evenkeel.locking.core.Operation use =
          operations.begin(OperationKind.FINALIZE, "p", block)) {
        use.lock(exclusive);
        int seen = exclusive ? ++counts[block] : counts[block];
        use.unlock();
        return seen;
      }
    }

    /** Who leaves last takes the lock away. */
    @Validate
    public void nothingIsLeft() {
      if (operations.liveLocks() != 0) {
        throw new IllegalStateException(operations.liveLocks() + " locks are left");
      }
    }

    /** Counts under the lock of block 0. */
    @Operation
    public int addToFirst() {
      return add(0, true);
    }

    /** Counts under the lock of block 1. */
    @Operation
    public int addToSecond() {
      return add(1, true);
    }

    /** Reads under the shared lock of block 0. */
    @Operation
    public int readFirst() {
      return add(0, false);
    }
  }

  /** What is done in the pool must be over when it is closed. */
  public static class Closing {
    private final PoolGate gate = new PoolGate(() -> 0);
    private final AtomicInteger done = new AtomicInteger();
    private final AtomicInteger tidied = new AtomicInteger();

    /** One operation; -1 when it is refused. */
    @Operation
    public int work() {
      if (!gate.enter()) {
        return -1;
      }
      int result = done.incrementAndGet();
      gate.leave();
      return result;
    }

    /** Closes without waiting. */
    @Operation
    public boolean close() {
      boolean open = !gate.closed();
      gate.close(0);
      return open;
    }

    /** How much was done, once it is closed and empty; -1 before. */
    @Operation
    public int doneWhenClosed() {
      return gate.close(0) ? done.get() : -2 + tidied.get();
    }
  }
}
