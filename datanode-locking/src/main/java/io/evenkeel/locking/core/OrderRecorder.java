package io.evenkeel.locking.core;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Checks the rules of this package while threads run, and counts waits. In tests, and in production
 * as a diagnostic; it looks only at the operations of the thread itself and at the holder, so it is
 * cheap. Thread-safe.
 */
public final class OrderRecorder implements LockEvents {
  private static final int KEPT = 20;

  private final AtomicLong waits = new AtomicLong();
  private final AtomicLong violations = new AtomicLong();
  private final List<String> kept = Collections.synchronizedList(new ArrayList<>());

  @Override
  public void waits(Operation waiter, Operation holder) {
    waits.incrementAndGet();
    for (Operation each = waiter.outer(); each != null; each = each.outer()) {
      if (each.holds() && !sameBlock(each, waiter)) {
        broken(waiter, "waits while its thread holds the lock of another block (" + each + ")");
      }
    }
    if (holder != null && !sameBlock(holder, waiter)) {
      broken(waiter, "waits for an operation on another block (" + holder + ")");
    }
  }

  @Override
  public void acquired(Operation operation) {
    int blocks = 1;
    for (Operation each = operation.outer(); each != null; each = each.outer()) {
      if (each.holds() && !sameBlock(each, operation)) {
        blocks++;
      }
    }
    boolean second = operation.kind() == OperationKind.EVICT;
    if (blocks > (second ? 2 : 1)) {
      broken(operation, "its thread holds the locks of " + blocks + " blocks");
    }
  }

  private static boolean sameBlock(Operation a, Operation b) {
    return a.blockId() == b.blockId() && a.poolId().equals(b.poolId());
  }

  @Override
  public void broken(Operation operation, String rule) {
    violations.incrementAndGet();
    synchronized (kept) {
      if (kept.size() < KEPT) {
        kept.add(operation + " in " + operation.thread().getName() + ": " + rule);
      }
    }
  }

  /** How often a thread had to wait for a block's lock. */
  public long waits() {
    return waits.get();
  }

  /** How often a rule was broken; 0 is the only good answer. */
  public long violations() {
    return violations.get();
  }

  /** The first broken rules in words, at most {@value #KEPT}. */
  public List<String> examples() {
    synchronized (kept) {
      return new ArrayList<>(kept);
    }
  }
}
