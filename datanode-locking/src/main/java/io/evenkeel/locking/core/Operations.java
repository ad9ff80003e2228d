package io.evenkeel.locking.core;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** All operations of one dataset: begins them, and knows which one a thread is in. Thread-safe. */
public final class Operations {
  private final ConcurrentHashMap<String, PoolLocks> pools = new ConcurrentHashMap<>();
  private final ThreadLocal<Operation> current = new ThreadLocal<>();
  private final boolean fair;
  private final LongSupplier clock;
  private final LockEvents[] events;
  private final AtomicLong brokenRules = new AtomicLong();
  private volatile String lastBrokenRule = "";

  /**
   * No pools yet; they come with their first operation.
   *
   * @param fair whether threads get a block's lock in the order they asked
   * @param clock as {@link System#nanoTime}
   * @param events told in this order
   */
  public Operations(boolean fair, LongSupplier clock, LockEvents... events) {
    this.fair = fair;
    this.clock = clock;
    this.events = events.clone();
  }

  /**
   * Begins an operation of this thread; {@link Operation#close} ends it. It holds no lock yet.
   *
   * @return null when the pool is being closed and the kind is one that must stay out
   */
  public Operation begin(OperationKind kind, String poolId, long blockId) {
    PoolLocks pool = pool(poolId);
    Operation outer = current.get();
    boolean enters = kind.gated() && !inside(outer, pool);
    if (enters && !pool.gate().enter()) {
      return null;
    }
    Operation operation = new Operation(kind, pool, blockId, enters);
    current.set(operation);
    return operation;
  }

  private static boolean inside(Operation outer, PoolLocks pool) {
    for (Operation each = outer; each != null; each = each.outer()) {
      if (each.kind().gated() && each.poolId().equals(pool.id())) {
        return true;
      }
    }
    return false;
  }

  /** What this thread is in, or null. */
  public Operation current() {
    return current.get();
  }

  void current(Operation operation) {
    current.set(operation);
  }

  /** The locks of a pool, made when it is new. */
  public PoolLocks pool(String poolId) {
    PoolLocks known = pools.get(poolId);
    return known != null
        ? known
        : pools.computeIfAbsent(poolId, id -> new PoolLocks(this, id, fair));
  }

  long nanoTime() {
    return clock.getAsLong();
  }

  void acquired(Operation operation) {
    for (LockEvents each : events) {
      each.acquired(operation);
    }
  }

  void released(Operation operation) {
    for (LockEvents each : events) {
      each.released(operation);
    }
  }

  void broken(Operation operation, String rule) {
    lastBrokenRule = operation + " in " + operation.thread().getName() + ": " + rule;
    brokenRules.getAndIncrement();
  }

  /** How often a rule of this package was broken; 0 is the only good answer. */
  public long brokenRules() {
    return brokenRules.get();
  }

  /** The last broken rule in words, or an empty text. */
  public String lastBrokenRule() {
    return lastBrokenRule;
  }

  /** Locks that exist at the moment, over all pools; 0 when nothing runs. */
  public int liveLocks() {
    return pools.values().stream().mapToInt(PoolLocks::liveLocks).sum();
  }

  /** About how many threads wait for a lock at the moment. */
  public int waiting() {
    int waiting = 0;
    for (PoolLocks pool : pools.values()) {
      for (BlockLock lock : pool.locks()) {
        waiting += lock.getQueueLength();
      }
    }
    return waiting;
  }

  /** Pools that refuse operations because they are being closed, or are closed. */
  public List<String> closedPools() {
    List<String> closed = new ArrayList<>();
    for (PoolLocks pool : pools.values()) {
      if (pool.gate().closed()) {
        closed.add(pool.id());
      }
    }
    Collections.sort(closed);
    return closed;
  }

  /** Who holds a lock at the moment; a picture that may be a little old when it is read. */
  public List<Holding> holdings() {
    List<Holding> holdings = new ArrayList<>();
    long now = nanoTime();
    for (PoolLocks pool : pools.values()) {
      Collection<BlockLock> locks = pool.locks();
      for (BlockLock lock : locks) {
        Operation holder = lock.holder();
        if (holder != null) {
          holdings.add(new Holding(holder, now - holder.since(), lock.getQueueLength()));
        }
      }
    }
    return holdings;
  }
}
