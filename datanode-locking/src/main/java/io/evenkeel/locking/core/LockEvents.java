package io.evenkeel.locking.core;

/**
 * Told about locks of blocks. Called by the thread that locks, so it must be quick, take no lock
 * that is held across I/O, and not throw. Thread-safe.
 */
public interface LockEvents {
  /** Hears nothing. */
  LockEvents NONE = new LockEvents() {};

  /**
   * The operation could not have the lock at once and is about to wait.
   *
   * @param holder who had it a moment ago, of several readers one; null when that is over
   */
  default void waits(Operation waiter, Operation holder) {}

  /** The operation has got its lock. */
  default void acquired(Operation operation) {}

  /** The operation is about to give its lock back; its times are known. */
  default void released(Operation operation) {}

  /** The operation ended, or asked for something, against the rules of this package. */
  default void broken(Operation operation, String rule) {}
}
