package io.evenkeel.locking;

import io.evenkeel.locking.core.Holding;
import io.evenkeel.locking.core.Operation;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** An operation that holds the lock of its block, as JMX shows it. Immutable. */
public final class HolderReport {
  private final String operation;
  private final String blockPool;
  private final long blockId;
  private final String volume;
  private final String mode;
  private final String thread;
  private final long heldMillis;
  private final int waiting;
  private final List<String> stack;

  HolderReport(Holding holding, String directory, List<String> stack) {
    Operation of = holding.operation();
    this.operation = of.kind().label();
    this.blockPool = of.poolId();
    this.blockId = of.blockId();
    this.volume = directory;
    this.mode = of.exclusive() ? "exclusive" : "shared";
    this.thread = of.thread().getName();
    this.heldMillis = TimeUnit.NANOSECONDS.toMillis(holding.heldNanos());
    this.waiting = holding.waiting();
    this.stack = Collections.unmodifiableList(stack);
  }

  /** The method of the dataset. */
  public String getOperation() {
    return operation;
  }

  public String getBlockPool() {
    return blockPool;
  }

  public long getBlockId() {
    return blockId;
  }

  /** Data directory; empty where no volume was chosen yet. */
  public String getVolume() {
    return volume;
  }

  /** {@code exclusive} or {@code shared}; of several that share it one is listed. */
  public String getMode() {
    return mode;
  }

  /** Name of the thread. */
  public String getThread() {
    return thread;
  }

  public long getHeldMillis() {
    return heldMillis;
  }

  /** About how many threads wait for it. */
  public int getWaiting() {
    return waiting;
  }

  /**
   * Where the thread is, innermost first: of the longest holder of each volume. Empty for others,
   * and when the lock was given back while it was looked at.
   */
  public List<String> getStack() {
    return stack;
  }
}
