package io.evenkeel.locking.core;

import java.util.Collection;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;

/**
 * The locks of the blocks of one block pool. A lock comes into being with its first user and goes
 * with the last, so there is no stripe two blocks could share and nothing to clean up. Thread-safe.
 */
public final class PoolLocks {
  private final Operations operations;
  private final String id;
  private final PoolGate gate;
  private final boolean fair;
  private final ConcurrentHashMap<Long, BlockLock> live = new ConcurrentHashMap<>();

  // Made once: each use would otherwise allocate them anew.
  private final BiFunction<Long, BlockLock, BlockLock> use;
  private final BiFunction<Long, BlockLock, BlockLock> leave =
      (block, lock) -> --lock.users == 0 ? null : lock;

  PoolLocks(Operations operations, String id, boolean fair) {
    this.operations = operations;
    this.id = id;
    this.gate = new PoolGate(operations::nanoTime);
    this.fair = fair;
    this.use =
        (block, lock) -> {
          BlockLock used = lock == null ? new BlockLock(block, fair) : lock;
          used.users++;
          return used;
        };
  }

  /** The block pool. */
  public String id() {
    return id;
  }

  /** All operations of the dataset, those of other pools too. */
  Operations operations() {
    return operations;
  }

  public PoolGate gate() {
    return gate;
  }

  /** The lock of a block, which stays the same until everybody who called this has left. */
  BlockLock use(long blockId) {
    Long block = blockId;
    if (!live.containsKey(block)) { // the usual case, for which compute allocates more
      BlockLock made = new BlockLock(block, fair);
      made.users = 1;
      if (live.putIfAbsent(block, made) == null) {
        return made;
      }
    }
    return live.compute(block, use);
  }

  void leave(BlockLock lock) {
    live.compute(lock.blockId, leave);
  }

  /** Does what was left behind with a lock that nobody has; each action uses the lock itself. */
  void doLeft(BlockLock lock) {
    RuntimeException failure = null;
    for (Runnable each = lock.takeLeft(); each != null; each = lock.takeLeft()) {
      try {
        each.run();
      } catch (RuntimeException e) {
        failure = e; // the others are done all the same
      } finally {
        leave(lock);
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  /** Locks that exist at the moment. */
  public int liveLocks() {
    return live.size();
  }

  Collection<BlockLock> locks() {
    return live.values();
  }
}
