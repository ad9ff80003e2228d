package io.evenkeel.locking.dataset;

import io.evenkeel.locking.core.LockEvents;
import io.evenkeel.locking.core.Operation;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.apache.hadoop.hdfs.server.datanode.metrics.DataNodeMetrics;

/**
 * Feeds the metrics that stock has for its own dataset locks since 3.5, {@code
 * AcquireDatasetReadLock} and {@code AcquireDatasetWriteLock} (nanoseconds per request), so that
 * they keep being updated: each lock of a block counts, with the time it was waited for. Separate
 * from the factory because it looks for methods that 3.4 does not have. Thread-safe.
 */
public final class StockLockMetrics implements LockEvents {
  private static final MethodHandle READ = find("addAcquireDataSetReadLock");
  private static final MethodHandle WRITE = find("addAcquireDataSetWriteLock");

  private final DataNodeMetrics metrics;

  private StockLockMetrics(DataNodeMetrics metrics) {
    this.metrics = metrics;
  }

  /** What feeds these metrics; hears nothing on a release that has none, or without metrics. */
  public static LockEvents of(DataNodeMetrics metrics) {
    boolean has = READ != null && WRITE != null && metrics != null;
    return has ? new StockLockMetrics(metrics) : LockEvents.NONE;
  }

  private static MethodHandle find(String name) {
    try {
      return MethodHandles.publicLookup()
          .findVirtual(DataNodeMetrics.class, name, MethodType.methodType(void.class, long.class));
    } catch (ReflectiveOperationException e) {
      return null; // 3.4
    }
  }

  @Override
  public void acquired(Operation operation) {
    try {
      if (operation.exclusive()) {
        WRITE.invokeExact(metrics, operation.waitedNanos());
      } else {
        READ.invokeExact(metrics, operation.waitedNanos());
      }
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e); // they declare no checked exception
    }
  }
}
