package io.evenkeel.locking.dataset;

import io.evenkeel.locking.core.Holding;
import io.evenkeel.locking.core.Operation;
import io.evenkeel.locking.core.Operations;
import java.io.Closeable;
import java.util.List;
import org.apache.hadoop.hdfs.server.common.AutoCloseDataSetLock;
import org.apache.hadoop.hdfs.server.datanode.DataSetLockManager;
import org.apache.hadoop.io.IOUtils;

/**
 * Answers the lock requests that stock's code makes, by what the thread is doing.
 *
 * <table>
 * <caption>Requests of stock and what they lock</caption>
 * <tr><th>request</th><th>inside an operation on a block</th><th>outside</th></tr>
 * <tr><td>write: pool, volume or directory</td><td>that block, exclusively</td><td>nothing</td></tr>
 * <tr><td>read: volume or directory</td><td>that block, shared</td><td>nothing</td></tr>
 * <tr><td>read: pool</td><td>nothing</td><td>nothing</td></tr>
 * </table>
 *
 * <p>"Nothing" is enough where stock guards single calls of its replica map, which is thread-safe
 * by itself. Those who ask outside an operation are the map, {@code BlockSender}, {@code
 * DataNode#transferBlock}, the lazy writer, and adding, removing and stopping volumes and pools;
 * what each of them needs instead is in {@code docs/decisions/0013}. Thread-safe.
 */
public final class BlockLockManager extends DataSetLockManager {
  private static final AutoCloseDataSetLock NOTHING = new Nothing();

  private final Operations operations;
  private final ThreadLocal<Eviction> eviction = new ThreadLocal<>();

  /**
   * Volatile and written again when an exclusive lock is given back: whoever is answered with it
   * sees what was changed under locks before, as stock's readers of a pool do.
   */
  private volatile AutoCloseDataSetLock nothing = NOTHING;

  private final AutoCloseDataSetLock held = new Held();
  private final AutoCloseDataSetLock evictionRound = new EvictionRound();
  private volatile Exception leak;

  /** Answers with the locks of {@code operations}. */
  public BlockLockManager(Operations operations) {
    this.operations = operations;
  }

  public Operations operations() {
    return operations;
  }

  @Override
  public AutoCloseDataSetLock readLock(LockLevel level, String... resources) {
    if (resources.length == 1) {
      return poolRead();
    }
    return lock(false, resources);
  }

  @Override
  public AutoCloseDataSetLock writeLock(LockLevel level, String... resources) {
    return lock(true, resources);
  }

  private AutoCloseDataSetLock lock(boolean exclusive, String... resources) {
    Operation operation = operations.current();
    if (operation == null || !operation.poolId().equals(resources[0])) {
      return nothing;
    }
    if (resources.length > 1) {
      operation.on(resources[1]);
    }
    operation.lock(exclusive);
    return held;
  }

  private void publish() {
    nothing = NOTHING;
  }

  private AutoCloseDataSetLock poolRead() {
    Eviction round = eviction.get();
    if (round == null) {
      return nothing;
    }
    round.depth++;
    return evictionRound;
  }

  /** From here on this thread evicts replicas from memory; each round is one read of a pool. */
  public void beginEviction() {
    eviction.set(new Eviction());
  }

  /**
   * What the next round evicts.
   *
   * @param replica the operation on it, which ends with that round
   * @param volumes references to where it is and where it comes to, given back with that round
   * @param atTheEnd called with the block still locked, whether it was evicted or not
   */
  public void evicts(Operation replica, Closeable volumes, Runnable atTheEnd) {
    Eviction next = eviction.get();
    next.replica = replica;
    next.volumes = volumes;
    next.atTheEnd = atTheEnd;
  }

  /** The end of {@link #beginEviction}. */
  public void endEviction() {
    eviction.get().end();
    eviction.remove();
  }

  /** Locks come with their first use. */
  @Override
  public void addLock(LockLevel level, String... resources) {}

  /** Locks go with their last use: nothing to wait for, as stock does inside a monitor. */
  @Override
  public void removeLock(LockLevel level, String... resources) {}

  @Override
  public void hook() {}

  /** Says who still holds a lock, as stock does when a DataNode stops. */
  @Override
  public void lockLeakCheck() {
    List<Holding> holdings = operations.holdings();
    if (holdings.isEmpty()) {
      LOG.info("No operation holds the lock of a block");
      return;
    }
    leak = new Exception("lock leak");
    for (Holding each : holdings) {
      LOG.error(
          "{} still holds its lock after {} ms, in thread {}",
          each.operation(),
          each.heldNanos() / 1_000_000,
          each.operation().thread().getName());
    }
  }

  @Override
  public Exception getLastException() {
    return leak;
  }

  private static final class Eviction {
    private int depth;
    private Operation replica;
    private Closeable volumes;
    private Runnable atTheEnd;

    void end() {
      Operation evicted = replica;
      if (evicted == null) {
        return;
      }
      replica = null; // what follows may read the map, which is a round of its own
      try {
        try {
          atTheEnd.run();
        } finally {
          evicted.unlock();
        }
      } finally {
        evicted.close();
        IOUtils.cleanupWithLogger(LOG, volumes);
      }
    }
  }

  private static class Nothing extends AutoCloseDataSetLock {
    Nothing() {
      super(null);
    }

    @Override
    public void lock() {}

    @Override
    public void close() {}
  }

  /** One for all: what it gives back is the request of the thread's innermost operation. */
  private final class Held extends Nothing {
    @Override
    public void close() {
      publish();
      operations.current().unlock();
    }
  }

  private final class EvictionRound extends Nothing {
    @Override
    public void close() {
      Eviction round = eviction.get();
      if (--round.depth == 0) {
        round.end();
      }
    }
  }
}
