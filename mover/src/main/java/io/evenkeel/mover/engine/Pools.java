package io.evenkeel.mover.engine;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads of one engine, all daemons that end when there is nothing to do: few that plan and
 * ask the NameNode, and those that move.
 */
final class Pools {
  private static final int PLANNERS = 4;
  private static final int IDLE_SECONDS = 10;

  private final ScheduledThreadPoolExecutor timer;
  private final ThreadPoolExecutor moves;
  private final ThreadPoolExecutor readers;

  Pools(int threads) {
    timer = new ScheduledThreadPoolExecutor(PLANNERS, named("evenkeel-mover-plan-"));
    timer.setRemoveOnCancelPolicy(true);
    timer.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
    timer.allowCoreThreadTimeOut(true);
    moves =
        new ThreadPoolExecutor(
            threads,
            threads,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(), // short: the dispatcher starts no more than threads
            named("evenkeel-mover-move-"));
    moves.allowCoreThreadTimeOut(true);
    readers =
        new ThreadPoolExecutor(
            0,
            Integer.MAX_VALUE, // no more than requests that are worked on
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            named("evenkeel-mover-read-"));
  }

  private static ThreadFactory named(String prefix) {
    AtomicInteger number = new AtomicInteger();
    return task -> {
      Thread thread = new Thread(task, prefix + number.incrementAndGet());
      thread.setDaemon(true);
      return thread;
    };
  }

  ScheduledThreadPoolExecutor timer() {
    return timer;
  }

  ThreadPoolExecutor moves() {
    return moves;
  }

  /** For what may wait for somebody outside of the mover. */
  Executor readers() {
    return readers;
  }

  /** Ends them; moves under way get some seconds. */
  void close(int seconds) {
    readers.shutdownNow();
    timer.shutdownNow();
    moves.shutdown();
    try {
      timer.awaitTermination(seconds, TimeUnit.SECONDS);
      if (!moves.awaitTermination(seconds, TimeUnit.SECONDS)) {
        moves.shutdownNow();
      }
    } catch (InterruptedException e) {
      moves.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }
}
