package io.evenkeel.locking.core;

/**
 * What one thread does with one block, from its begin to its end, and the lock of that block while
 * it holds it. Requests inside each other count; the first one locks, the last release unlocks.
 *
 * <p>Used by its own thread; others may read what it is and since when, for people.
 */
public final class Operation implements AutoCloseable {
  private final OperationKind kind;
  private final PoolLocks pool;
  private final long blockId;
  private final Operation outer;
  private final Thread thread;
  private final boolean inGate;
  private volatile String volume = "";
  private BlockLock lock;
  private boolean exclusive;
  private boolean kept;
  private int depth;
  private Runnable whenLocked = () -> {};
  private long waitedNanos;
  private volatile long since;

  Operation(OperationKind kind, PoolLocks pool, long blockId, boolean inGate) {
    this.kind = kind;
    this.pool = pool;
    this.blockId = blockId;
    this.inGate = inGate;
    this.outer = pool.operations().current();
    this.thread = Thread.currentThread();
  }

  public OperationKind kind() {
    return kind;
  }

  public String poolId() {
    return pool.id();
  }

  public long blockId() {
    return blockId;
  }

  /** The storage id of the volume the last request named, or an empty text. */
  public String volume() {
    return volume;
  }

  public Thread thread() {
    return thread;
  }

  /** The operation this one runs inside of, or null. */
  public Operation outer() {
    return outer;
  }

  /** Since when the lock is held, as {@link System#nanoTime}. */
  public long since() {
    return since;
  }

  /** How long the last lock had to be waited for; 0 when it was free. */
  public long waitedNanos() {
    return waitedNanos;
  }

  /** Whether the lock is, or was last, held exclusively. */
  public boolean exclusive() {
    return exclusive;
  }

  /** Whether this thread holds the block's lock through this operation. */
  public boolean holds() {
    return depth > 0;
  }

  /** Names the volume the operation is about. */
  public void on(String storageId) {
    volume = storageId;
  }

  /**
   * Locks the block, or counts a request inside one that already has.
   *
   * @throws IllegalStateException when the lock is held shared and asked for exclusively
   */
  public void lock(boolean asExclusive) {
    if (depth > 0) {
      again(asExclusive);
      return;
    }
    checkOrder();
    BlockLock wanted = pool.use(blockId);
    long start = pool.operations().nanoTime();
    boolean free = wanted.tryTake(asExclusive);
    if (!free) {
      wanted.take(asExclusive);
    }
    long now = pool.operations().nanoTime();
    taken(wanted, asExclusive, free ? 0 : now - start, now);
    whenLocked.run();
  }

  /** What is done each time {@link #lock} has locked the block. It must not throw. */
  public void whenLocked(Runnable action) {
    whenLocked = action;
  }

  /** Who waits for a lock while its thread holds that of another block may wait for ever. */
  private void checkOrder() {
    for (Operation each = outer; each != null; each = each.outer) {
      if (each.holds() && !(each.blockId == blockId && each.pool == pool)) {
        pool.operations().broken(this, "wants its lock while its thread holds that of " + each);
      }
    }
  }

  /**
   * Locks the block exclusively if nobody has it for long.
   *
   * @param nanos how long to wait in turn with others; 0 for not at all
   */
  public boolean tryLock(long nanos) {
    return tryLock(true, nanos);
  }

  /** The same; shared together with others that have it shared. */
  public boolean tryLock(boolean asExclusive, long nanos) {
    if (nanos > 0) {
      checkOrder();
    }
    BlockLock wanted = pool.use(blockId);
    long start = pool.operations().nanoTime();
    boolean free = wanted.tryNow(asExclusive);
    if (!free && !(nanos > 0 && wanted.takeWithin(asExclusive, nanos))) {
      pool.leave(wanted);
      return false;
    }
    long now = pool.operations().nanoTime();
    taken(wanted, asExclusive, free ? 0 : now - start, now);
    return true;
  }

  /**
   * Locks the block exclusively until the operation ends, if nobody has it for long. Else it is not
   * waited for: {@code later} is done by the thread that gives the lock back. That must be quick,
   * do no I/O, take no lock that is waited for and not throw.
   *
   * @param nanos how long to wait in turn with others; 0 for not at all
   * @return whether the block is locked; else this operation has nothing more to do
   */
  public boolean keepLockOr(long nanos, Runnable later) {
    if (depth > 0) {
      keepLock();
      return true;
    }
    if (nanos > 0) {
      checkOrder();
    }
    BlockLock wanted = pool.use(blockId);
    long start = pool.operations().nanoTime();
    boolean free = wanted.tryTake(true);
    if (!free
        && !(nanos > 0 && wanted.takeWithin(true, nanos))
        && wanted.leaveBehind(later)) { // which uses the lock in our place
      pool.doLeft(wanted); // it may have been ours for a moment in which others left something
      return false;
    }
    long now = pool.operations().nanoTime();
    taken(wanted, true, free ? 0 : now - start, now);
    kept = true;
    return true;
  }

  private void again(boolean asExclusive) {
    if (asExclusive && !exclusive) {
      pool.operations().broken(this, "a shared lock is not made an exclusive one");
      throw new IllegalStateException(this + " holds its lock shared");
    }
    depth++;
  }

  private void taken(BlockLock taken, boolean asExclusive, long waited, long now) {
    lock = taken;
    exclusive = asExclusive;
    waitedNanos = waited;
    since = now;
    depth = 1;
    taken.taken(this, asExclusive);
    pool.operations().acquired(this);
  }

  /** Gives back one request. */
  public void unlock() {
    if (depth == 0) {
      pool.operations().broken(this, "a lock is given back as often as it was taken");
      return;
    }
    if (--depth > 0) {
      return;
    }
    try {
      pool.operations().released(this);
    } finally { // whatever the listener does
      BlockLock held = lock;
      lock = null;
      held.forget(this, outer != null && outer.lock == held ? outer : null);
      held.give(exclusive);
      try {
        pool.doLeft(held);
      } finally {
        pool.leave(held);
      }
    }
  }

  /** Locks the block exclusively until the operation ends. */
  public void keepLock() {
    if (!kept) {
      lock(true);
      kept = true;
    }
  }

  /** Ends the operation; gives back what it still holds. */
  @Override
  public void close() {
    try {
      giveBack();
    } finally {
      pool.operations().current(outer);
      if (inGate) {
        pool.gate().leave();
      }
    }
  }

  private void giveBack() {
    if (kept) {
      kept = false;
      unlock();
    }
    if (depth > 0) {
      pool.operations().broken(this, "an operation ends without its lock");
      depth = 1;
      unlock();
    }
  }

  @Override
  public String toString() {
    return kind.label() + " of " + pool.id() + ":" + blockId;
  }
}
