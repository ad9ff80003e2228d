package io.evenkeel.locking;

import io.evenkeel.common.config.Settings;
import io.evenkeel.common.log.LogLimiter;
import io.evenkeel.locking.core.Holding;
import io.evenkeel.locking.core.LockEvents;
import io.evenkeel.locking.core.LockStatistics;
import io.evenkeel.locking.core.Operations;
import io.evenkeel.locking.core.SlowHold;
import io.evenkeel.locking.core.SlowHolders;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What operators see of the locks of one DataNode: it listens to all of them, shows them in JMX and
 * metrics2 and logs slow holders, from {@link #start} to {@link #close}. A thread of its own looks
 * for those, so that nobody who holds a lock waits for the log. Thread-safe.
 */
final class LockMonitor implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(FineGrainedDatasetFactory.class);

  private final LockStatistics statistics;
  private final SlowHolders slow;
  private final Operations operations;
  private final LogLimiter brokenRules;

  // Written under this.
  private volatile FsDatasetSpi<?> dataset; // null before the start
  private volatile boolean closed;
  private Thread watch; // null before the start; guarded by this

  /** Data directories by storage id; a volume keeps its own after it was removed. */
  private final ConcurrentMap<String, String> directories = new ConcurrentHashMap<>();

  /**
   * Listens from now on; nothing is visible before {@link #start}.
   *
   * @param fair whether threads get a block's lock in the order they asked
   * @param stock feeds stock's own metrics
   */
  LockMonitor(Settings settings, boolean fair, LockEvents stock) {
    long logIntervalNanos = settings.get(LockingKeys.LOG_INTERVAL).toNanos();
    this.slow = new SlowHolders(settings.get(LockingKeys.SLOW_HOLD).toNanos(), logIntervalNanos);
    this.statistics = new LockStatistics(System::nanoTime, slow);
    this.operations = new Operations(fair, System::nanoTime, statistics, stock);
    this.brokenRules = new LogLimiter(logIntervalNanos);
  }

  Operations operations() {
    return operations;
  }

  LockStatistics statistics() {
    return statistics;
  }

  /** Shows the locks of this dataset. Never throws: a DataNode must not fail because of it. */
  synchronized void start(FsDatasetSpi<?> watched) {
    if (closed || watch != null) {
      return;
    }
    dataset = watched;
    Thread thread = new Thread(new Watch(), "evenkeel-locking-watch");
    thread.setDaemon(true);
    thread.start();
    watch = thread;
    LocksMetrics.publish(this);
  }

  /** Ends the thread; the bean says that its DataNode is gone. May be called again. */
  @Override
  public synchronized void close() {
    closed = true;
    if (watch != null) {
      watch.interrupt();
    }
  }

  boolean isClosed() {
    return closed;
  }

  /**
   * The data directory of a storage id; the id itself where it is not known, empty for an empty id.
   * Asks the dataset only for an id it has not seen, and never the disk.
   */
  String directory(String storageId) {
    if (storageId.isEmpty()) {
      return "";
    }
    if (!directories.containsKey(storageId)) {
      learnDirectories();
    }
    return directories.getOrDefault(storageId, storageId);
  }

  private void learnDirectories() {
    FsDatasetSpi<?> known = dataset;
    if (known == null) {
      return;
    }
    try (FsDatasetSpi.FsVolumeReferences volumes = known.getFsVolumeReferences()) {
      for (FsVolumeSpi volume : volumes) {
        directories.put(volume.getStorageID(), directory(volume.getBaseURI()));
      }
    } catch (IOException e) {
      return; // a reference could not be given back; the names are there
    }
  }

  private static String directory(URI uri) {
    return "file".equals(uri.getScheme()) ? new File(uri).getPath() : uri.toString();
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

  /** Looks several times per slow hold whether there is one, until the monitor is closed. */
  private final class Watch implements Runnable {
    private static final long LOOKS_PER_HOLD = 4;
    private static final long SHORTEST_MILLIS = 10;
    private static final long LONGEST_MILLIS = 1000;

    private final LogLimiter failures = new LogLimiter(TimeUnit.MINUTES.toNanos(1));
    private long brokenTold; // of the thread only

    @Override
    public void run() {
      long pause = slowMillis() / LOOKS_PER_HOLD;
      pause = Math.max(SHORTEST_MILLIS, Math.min(LONGEST_MILLIS, pause));
      while (!closed) {
        try {
          TimeUnit.MILLISECONDS.sleep(pause);
          look(System.nanoTime());
        } catch (InterruptedException e) {
          return; // only close() interrupts it
        } catch (RuntimeException e) {
          warn(e);
        }
      }
    }

    private void warn(RuntimeException e) {
      long withheld = failures.permit(System.nanoTime());
      if (withheld != LogLimiter.QUIET) {
        LOG.warn(
            "The check for slow holders failed; {} more such failures since the last warning",
            withheld,
            e);
      }
    }

    private void look(long now) {
      for (SlowHold hold : slow.look(now, operations.holdings())) {
        LOG.warn(line(hold, directory(hold.volume())));
      }
      long broken = operations.brokenRules();
      if (broken > brokenTold && brokenRules.permit(now) != LogLimiter.QUIET) {
        brokenTold = broken;
        LOG.error(
            "A rule of the locks of blocks was broken, {} times since start, last: {}. This is a"
                + " fault of Evenkeel: report it with this log.",
            broken,
            operations.lastBrokenRule());
      }
    }
  }

  /** One line for people. */
  private static String line(SlowHold hold, String directory) {
    StringBuilder text = new StringBuilder("Slow holder: ").append(hold.operation());
    long millis = TimeUnit.NANOSECONDS.toMillis(hold.heldNanos());
    text.append(hold.ended() ? " held" : " has held").append(" the lock of its block for ");
    text.append(millis).append(hold.ended() ? " ms" : " ms and still does");
    text.append(directory.isEmpty() ? ", no volume chosen yet" : ", volume " + directory);
    text.append(", thread ").append(hold.threadName());
    if (hold.waiting() > 0) {
      text.append("; waiting for it: ").append(hold.waiting());
    }
    if (hold.others() > 0) {
      text.append("; other slow holders there since the last such line: ").append(hold.others());
    }
    return text.toString();
  }
}
