package io.evenkeel.locking.core;

/** That the lock of a block is, or was, held for long, as seen at one moment. Immutable. */
public final class SlowHold {
  private final String operation;
  private final String volume;
  private final String threadName;
  private final long heldNanos;
  private final int waiting;
  private final boolean ended;
  private final long others;

  private SlowHold(Operation operation, long heldNanos, int waiting, boolean ended) {
    this.operation = operation.toString();
    this.volume = operation.volume() == null ? "" : operation.volume();
    this.threadName = operation.thread().getName();
    this.heldNanos = heldNanos;
    this.waiting = waiting;
    this.ended = ended;
    this.others = 0;
  }

  private SlowHold(SlowHold of, long others) {
    this.operation = of.operation;
    this.volume = of.volume;
    this.threadName = of.threadName;
    this.heldNanos = of.heldNanos;
    this.waiting = of.waiting;
    this.ended = of.ended;
    this.others = others;
  }

  static SlowHold going(Holding holding) {
    return new SlowHold(holding.operation(), holding.heldNanos(), holding.waiting(), false);
  }

  static SlowHold ended(Operation operation, long heldNanos) {
    return new SlowHold(operation, heldNanos, 0, true);
  }

  SlowHold withOthers(long count) {
    return new SlowHold(this, count);
  }

  /** Operation, pool and block in words. */
  public String operation() {
    return operation;
  }

  /** Storage id; empty where no volume was chosen yet. */
  public String volume() {
    return volume;
  }

  public String threadName() {
    return threadName;
  }

  /** For how long, in nanoseconds. */
  public long heldNanos() {
    return heldNanos;
  }

  /** About how many threads wait for it; 0 when it ended. */
  public int waiting() {
    return waiting;
  }

  /** Whether it is over. */
  public boolean ended() {
    return ended;
  }

  /** Other slow holds on that volume since the last time one was told. */
  public long others() {
    return others;
  }
}
