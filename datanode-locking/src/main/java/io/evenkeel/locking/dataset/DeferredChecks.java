package io.evenkeel.locking.dataset;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks of replicas that are put off because their blocks were in use, by a thread of their own,
 * which ends when it has nothing to do. A dataset has one for replicas that may be on two disks, as
 * the thread that deletes on one of these must not wait for the other; and one for each volume that
 * comes back, whose disk may hang. Thread-safe.
 */
public final class DeferredChecks {
  private static final Logger LOG = LoggerFactory.getLogger(DeferredChecks.class);
  private static final int IDLE_SECONDS = 10;

  private final ExecutorService thread =
      new ThreadPoolExecutor(
          0,
          1,
          IDLE_SECONDS,
          TimeUnit.SECONDS,
          new LinkedBlockingQueue<>(),
          DeferredChecks::thread);

  private static Thread thread(Runnable work) {
    Thread thread = new Thread(work, "evenkeel-locking-later-checks");
    thread.setDaemon(true);
    return thread;
  }

  /** Has something looked at soon; not at all when the DataNode stops. */
  public void add(Runnable check) {
    try {
      thread.execute(check);
    } catch (RejectedExecutionException e) {
      LOG.info("Some replicas are left to the next scan: the DataNode stops");
    }
  }

  /** What waits is dropped. */
  public void stop() {
    thread.shutdownNow();
  }
}
