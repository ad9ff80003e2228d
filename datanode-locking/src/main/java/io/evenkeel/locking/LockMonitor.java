package io.evenkeel.locking;

import io.evenkeel.common.config.Settings;
import io.evenkeel.locking.core.Holding;
import io.evenkeel.locking.core.LockEvents;
import io.evenkeel.locking.core.LockStatistics;
import io.evenkeel.locking.core.Operations;
import io.evenkeel.locking.core.SlowHolders;
import io.evenkeel.locking.dataset.VolumeNames;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;

/**
 * What operators see of the locks of one DataNode: it listens to all of them, shows them in JMX and
 * metrics2 and has slow holders logged, from {@link #start} to {@link #close}. Thread-safe.
 */
final class LockMonitor implements AutoCloseable {
  private final LockStatistics statistics;
  private final SlowHolders slow;
  private final Operations operations;
  private final long logIntervalNanos;
  private volatile VolumeNames names;
  private volatile LockWatch watch;
  private volatile boolean closed;

  /**
   * Listens from now on; nothing is visible before {@link #start}.
   *
   * @param fair whether threads get a block's lock in the order they asked
   * @param stock feeds stock's own metrics
   */
  LockMonitor(Settings settings, boolean fair, LockEvents stock) {
    this.logIntervalNanos = settings.get(LockingKeys.LOG_INTERVAL).toNanos();
    this.slow = new SlowHolders(settings.get(LockingKeys.SLOW_HOLD).toNanos(), logIntervalNanos);
    this.statistics = new LockStatistics(System::nanoTime, slow);
    this.operations = new Operations(fair, System::nanoTime, statistics, stock);
  }

  Operations operations() {
    return operations;
  }

  LockStatistics statistics() {
    return statistics;
  }

  SlowHolders slow() {
    return slow;
  }

  /** Shows the locks of this dataset. Never throws: a DataNode must not fail because of it. */
  synchronized void start(FsDatasetSpi<?> dataset) {
    if (closed || watch != null) {
      return;
    }
    names = new VolumeNames(dataset);
    watch = LockWatch.start(this, logIntervalNanos);
    LocksJmx.platform().publish(this);
    LocksMetrics.publish(this);
  }

  /** Ends the thread; the bean says that its DataNode is gone. May be called again. */
  @Override
  public synchronized void close() {
    closed = true;
    LocksMetrics.withdraw(this);
    if (watch != null) {
      watch.end();
    }
  }

  boolean isClosed() {
    return closed;
  }

  /** The data directory of a storage id; the id itself before the dataset is known. */
  String directory(String storageId) {
    VolumeNames known = names;
    return known == null ? storageId : known.directory(storageId);
  }

  /** Who holds a lock, the longest first. */
  List<Holding> holdings() {
    List<Holding> holdings = operations.holdings();
    Collections.sort(holdings, (a, b) -> Long.compare(b.heldNanos(), a.heldNanos()));
    return holdings;
  }

  /** What counts as slow, in milliseconds. */
  long slowMillis() {
    return TimeUnit.NANOSECONDS.toMillis(slow.slowNanos());
  }
}
