package io.evenkeel.locking.core;

import java.util.Collection;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.function.LongSupplier;

/**
 * The locks of the blocks of one block pool. A lock comes into being with its first user and goes
 * with the last, so there is no stripe two blocks could share and nothing to clean up. Thread-safe.
 */
public final class PoolLocks {
  private final String id;
  private final PoolGate gate;
  private final ConcurrentHashMap<Long, BlockLock> live = new ConcurrentHashMap<>();

  // Made once: each use would otherwise allocate them anew.
  private final BiFunction<Long, BlockLock, BlockLock> use;
  private final BiFunction<Long, BlockLock, BlockLock> leave =
      (block, lock) -> --lock.users == 0 ? null : lock;

  PoolLocks(String id, boolean fair, LongSupplier clock) {
    this.id = id;
    this.gate = new PoolGate(clock);
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

  public PoolGate gate() {
    return gate;
  }

  /** The lock of a block, which stays the same until everybody who called this has left. */
  BlockLock use(long blockId) {
    return live.compute(blockId, use);
  }

  void leave(BlockLock lock) {
    live.compute(lock.blockId, leave);
  }

  /** Locks that exist at the moment. */
  public int liveLocks() {
    return live.size();
  }

  Collection<BlockLock> locks() {
    return live.values();
  }
}
