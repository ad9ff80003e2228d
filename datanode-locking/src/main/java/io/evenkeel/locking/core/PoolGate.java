package io.evenkeel.locking.core;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * Counts the operations inside a block pool and keeps new ones out while it is closed.
 *
 * <p>Unlike with a write lock, new operations are refused at once while the pool is closed; closing
 * waits, up to a limit, for those inside. Thread-safe. Entering and leaving take no lock, except
 * that the last operation to leave a closed pool may run the action that was left for it.
 */
public final class PoolGate {
  private static final long CLOSED = Long.MIN_VALUE;
  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  /** The number of operations inside, with the sign bit set while closed. */
  private final AtomicLong state = new AtomicLong();

  private final LongSupplier clock;

  private Runnable whenEmpty; // guarded by this, also while it runs

  /** Open; {@code clock} as {@link System#nanoTime}. */
  PoolGate(LongSupplier clock) {
    this.clock = clock;
  }

  /** Enters; false, without having entered, when the gate is closed. */
  boolean enter() {
    while (true) {
      long seen = state.get();
      if (seen < 0) {
        return false;
      }
      if (state.compareAndSet(seen, seen + 1)) {
        return true;
      }
    }
  }

  /** Leaves; the last one out of a closed gate does what {@link #whenEmpty} was given. */
  void leave() {
    if (state.decrementAndGet() == CLOSED) {
      tidy();
    }
  }

  /**
   * Once: who left last may come to this when the pool is already being read again, or was closed
   * again with others inside.
   */
  private synchronized void tidy() {
    if (whenEmpty != null && state.get() == CLOSED) {
      whenEmpty.run();
      whenEmpty = null;
    }
  }

  /**
   * Closes the gate and waits until nobody is inside; not to be interrupted, as stock's lock is
   * not, since a DataNode that stops interrupts the thread that closes its pools.
   *
   * @param nanos how long to wait at most; 0 looks once
   * @return whether it is empty; it stays closed in either case
   */
  public boolean close(long nanos) {
    state.updateAndGet(value -> value | CLOSED);
    long start = clock.getAsLong();
    boolean interrupted = false;
    while (state.get() != CLOSED && clock.getAsLong() - start < nanos) {
      LockSupport.parkNanos(POLL_NANOS);
      interrupted |= Thread.interrupted(); // or it would not park again
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return state.get() == CLOSED;
  }

  /**
   * What the last operation does, once, that leaves after {@link #close} has stopped waiting for
   * it.
   */
  public void whenEmpty(Runnable action) {
    synchronized (this) {
      whenEmpty = action;
    }
    if (state.get() == CLOSED) {
      tidy(); // it left meanwhile
    }
  }

  /**
   * Waits, while the gate is still closed, for those that {@link #close} did not wait for any more,
   * and does what {@link #whenEmpty} was given unless they have: what that takes away, or they
   * delete, is about to be made again.
   *
   * @throws InterruptedException when interrupted meanwhile; then the gate is as before
   */
  public void reopening() throws InterruptedException {
    while (state.get() != CLOSED && closed()) {
      LockSupport.parkNanos(POLL_NANOS);
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
    }
    tidy();
  }

  /** Lets operations in again. */
  public synchronized void open() {
    whenEmpty = null;
    state.updateAndGet(value -> value & ~CLOSED);
  }

  public boolean closed() {
    return state.get() < 0;
  }

  /** Operations inside. */
  public long inside() {
    return state.get() & ~CLOSED;
  }
}
