package io.evenkeel.locking.core;

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
