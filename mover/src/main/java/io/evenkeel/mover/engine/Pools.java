package io.evenkeel.mover.engine;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
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

  /** How long to wait where the process may have no more threads. */
  static final long NO_THREAD_MILLIS = 1_000;

  final ScheduledThreadPoolExecutor timer;
  final ThreadPoolExecutor moves;

  /** One thread for the lease for moves inside DataNodes: no listing or listener holds it up. */
  final ScheduledThreadPoolExecutor lease;

  /** For what may wait for somebody outside of the mover. */
  final ExecutorService readers;

  final ThreadPoolExecutor answers;

  Pools(int threads) {
    timer = scheduled(PLANNERS, "evenkeel-mover-plan-");
    lease = scheduled(1, "evenkeel-mover-lease-");
    moves =
        new ThreadPoolExecutor(
            threads,
            threads,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(), // short: the dispatcher starts no more than threads
            named("evenkeel-mover-move-"));
    moves.allowCoreThreadTimeOut(true);
    readers = asManyAsNeeded("evenkeel-mover-read-"); // at most requests that are worked on
    answers = asManyAsNeeded("evenkeel-mover-answer-"); // at most requests that just ended
  }

  private static ScheduledThreadPoolExecutor scheduled(int threads, String prefix) {
    ScheduledThreadPoolExecutor made = new ScheduledThreadPoolExecutor(threads, named(prefix));
    made.setRemoveOnCancelPolicy(true);
    made.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
    made.allowCoreThreadTimeOut(true);
    return made;
  }

  private static ThreadPoolExecutor asManyAsNeeded(String prefix) {
    return new ThreadPoolExecutor(
        0,
        Integer.MAX_VALUE,
        IDLE_SECONDS,
        TimeUnit.SECONDS,
        new SynchronousQueue<>(),
        named(prefix));
  }

  private static ThreadFactory named(String prefix) {
    AtomicInteger number = new AtomicInteger();
    return task -> {
      Thread thread = new Thread(task, prefix + number.incrementAndGet());
      thread.setDaemon(true);
      return thread;
    };
  }

  /** Has so many threads make moves. */
  void setMoves(int threads) {
    if (threads > moves.getMaximumPoolSize()) {
      moves.setMaximumPoolSize(threads);
      moves.setCorePoolSize(threads);
    } else if (threads < moves.getMaximumPoolSize()) {
      moves.setCorePoolSize(threads);
      moves.setMaximumPoolSize(threads);
    }
  }

  boolean isClosed() {
    return timer.isShutdown();
  }

  /**
   * Tells somebody outside of the mover how a request ended. What depends on that may wait for
   * anything, another request too, so each has a thread; once the mover is closed it is the caller.
   */
  void answer(Runnable tell) {
    try {
      answers.execute(tell);
    } catch (RejectedExecutionException e) {
      tell.run();
    } catch (OutOfMemoryError e) { // no thread could be made for it
      ScheduledFuture<?> unused =
          timer.schedule(() -> answer(tell), NO_THREAD_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  /** Ends them; moves under way get some seconds. */
  void close(int seconds) {
    readers.shutdownNow();
    answers.shutdown(); // what they run is not ours to interrupt
    timer.shutdownNow();
    lease.shutdownNow();
    moves.shutdown();
    try {
      timer.awaitTermination(seconds, TimeUnit.SECONDS);
      lease.awaitTermination(seconds, TimeUnit.SECONDS);
      if (!moves.awaitTermination(seconds, TimeUnit.SECONDS)) {
        moves.shutdownNow();
      }
    } catch (InterruptedException e) {
      moves.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }
}
