package io.evenkeel.locking.core;

/** That an operation holds the lock of its block, at one moment. Immutable. */
public final class Holding {
  private final Operation operation;
  private final long heldNanos;
  private final int waiting;

  Holding(Operation operation, long heldNanos, int waiting) {
    this.operation = operation;
    this.heldNanos = heldNanos;
    this.waiting = waiting;
  }

  public Operation operation() {
    return operation;
  }

  /** The storage id of its volume; empty where none was chosen yet. */
  public String volume() {
    String volume = operation.volume();
    return volume == null ? "" : volume;
  }

  /** For how long, in nanoseconds. */
  public long heldNanos() {
    return heldNanos;
  }

  /** About how many threads wait for it. */
  public int waiting() {
    return waiting;
  }
}
