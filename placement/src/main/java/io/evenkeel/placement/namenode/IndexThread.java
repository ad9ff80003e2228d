package io.evenkeel.placement.namenode;

import java.lang.ref.WeakReference;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread that looks at all DataNodes for a {@link ClusterState}, so that no thread of the
 * NameNode has to. It does not keep the state alive: once the policies of a NameNode were replaced
 * by others, or the NameNode is gone, it ends by itself within seconds. A failure is logged once,
 * and the next look tries again.
 */
final class IndexThread implements Runnable {
  static final String NAME = "evenkeel-placement-index";

  private static final Logger LOG = LoggerFactory.getLogger(IndexThread.class);
  private static final long GONE = -1;
  private static final long AFTER_A_FAILURE_MS = 1_000;

  private final WeakReference<ClusterState> state;
  private final Thread thread = new Thread(this, NAME);
  private boolean failed; // confined to the thread

  private IndexThread(ClusterState state) {
    this.state = new WeakReference<>(state);
  }

  static IndexThread start(ClusterState state) {
    IndexThread started = new IndexThread(state);
    started.thread.setDaemon(true);
    started.thread.setUncaughtExceptionHandler(
        (thread, e) ->
            LOG.error(
                "{} ended; threads that place blocks now read the DataNodes themselves", NAME, e));
    started.thread.start();
    return started;
  }

  /** Has it see whether a look is due. */
  void wake() {
    LockSupport.unpark(thread);
  }

  @Override
  public void run() {
    for (long pause = 0; pause != GONE; pause = turn()) {
      Thread.interrupted(); // nobody has a reason to, and an interrupted thread would not pause
      LockSupport.parkNanos(this, TimeUnit.MILLISECONDS.toNanos(pause));
    }
  }

  /** Milliseconds until the next turn. A method of its own: no pause holds the state. */
  private long turn() {
    ClusterState now = state.get();
    if (now == null) {
      return GONE;
    }
    try {
      return now.lookWhenDue();
    } catch (RuntimeException e) {
      if (!failed) {
        failed = true;
        LOG.error("Reading the DataNodes failed; blocks are placed with the state read before", e);
      }
      return AFTER_A_FAILURE_MS;
    }
  }
}
