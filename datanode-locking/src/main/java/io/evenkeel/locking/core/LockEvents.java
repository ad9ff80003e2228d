package io.evenkeel.locking.core;

/**
 * Told about locks of blocks. Called by the thread that locks, so it must be quick, take no lock
 * that is held across I/O, and not throw. Thread-safe.
 */
public interface LockEvents {
  /** Hears nothing. */
  LockEvents NONE = new LockEvents() {};

  /** The operation has got its lock; how long it waited is known. */
  default void acquired(Operation operation) {}

  /** The operation is about to give its lock back; its times are known. */
  default void released(Operation operation) {}
}
