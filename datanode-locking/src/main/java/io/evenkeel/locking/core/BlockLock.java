package io.evenkeel.locking.core;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** The lock of one block. It exists while an operation uses it, see {@link PoolLocks}. */
final class BlockLock extends ReentrantReadWriteLock {
  private static final long serialVersionUID = 1;

  final Long blockId;

  /**
   * Operations that hold or want it. Set by who makes it before others see it, then guarded by the
   * bin of the map of {@link PoolLocks}.
   */
  int users;

  /** Who holds it, of several readers one; for people and checks, not for locking. */
  private transient volatile Operation holder;

  /** What is to be done once the lock is given back; null until there was something. */
  private transient volatile Queue<Runnable> left;

  BlockLock(Long blockId, boolean fair) {
    super(fair);
    this.blockId = blockId;
  }

  /** Takes it without waiting, and without overtaking where the lock is fair. */
  boolean tryTake(boolean exclusive) {
    if (isFair() && hasQueuedThreads() && !isWriteLockedByCurrentThread()) {
      return false;
    }
    return tryNow(exclusive);
  }

  /** Takes it without waiting, ahead of all who wait. */
  boolean tryNow(boolean exclusive) {
    return exclusive ? writeLock().tryLock() : readLock().tryLock();
  }

  void take(boolean exclusive) {
    if (exclusive) {
      writeLock().lock();
    } else {
      readLock().lock();
    }
  }

  /** Takes it in its turn; false when that takes longer. An interrupt stays pending. */
  boolean takeWithin(boolean exclusive, long nanos) {
    try {
      Lock wanted = exclusive ? writeLock() : readLock();
      return wanted.tryLock(nanos, TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /**
   * Leaves something to be done by who gives the lock back next.
   *
   * @return false when nobody has it any more, and this thread does now, exclusively
   */
  boolean leaveBehind(Runnable action) {
    synchronized (this) {
      if (left == null) {
        left = new ConcurrentLinkedQueue<>();
      }
    }
    Queue<Runnable> actions = left;
    actions.add(action);
    // Who has the lock now looks at the queue after giving it back; who had it may have looked.
    if (!tryNow(true)) {
      return true;
    }
    if (actions.remove(action)) {
      return false;
    }
    give(true); // somebody is doing it
    return true;
  }

  /** Takes one of what was left; null for none, or while somebody has the lock. */
  Runnable takeLeft() {
    Queue<Runnable> actions = left;
    return actions == null || isWriteLocked() || getReadLockCount() > 0 ? null : actions.poll();
  }

  void give(boolean exclusive) {
    if (exclusive) {
      writeLock().unlock();
    } else {
      readLock().unlock();
    }
  }

  Operation holder() {
    return holder;
  }

  /** Notes a holder; of several readers the first stays, for it has had it longest. */
  void taken(Operation operation, boolean exclusive) {
    if (exclusive || holder == null) {
      holder = operation;
    }
  }

  /** Forgets {@code operation} unless somebody else holds it already. */
  void forget(Operation operation, Operation outer) {
    if (holder == operation) {
      holder = outer;
    }
  }
}
