package io.evenkeel.cli.status;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;

/**
 * Asks many daemons at once, with a limit for the whole round, so that daemons that answer a byte
 * at a time cannot hold it. Immutable.
 */
public final class ManyAtOnce {
  private static final int THREADS = 256;

  private final int timeoutMillis;

  /** Creates it with the limit of one connection or read, in milliseconds. */
  public ManyAtOnce(int timeoutMillis) {
    this.timeoutMillis = timeoutMillis;
  }

  /**
   * Asks.
   *
   * @param questions one per daemon
   * @param silent what stands for question number N that failed or did not end, with the reason
   * @return one answer per question, in their order
   * @throws InterruptedException when the waiting thread is interrupted; threads end with it
   */
  public <T> List<T> ask(List<Callable<T>> questions, BiFunction<Integer, String, T> silent)
      throws InterruptedException {
    List<T> answers = new ArrayList<>();
    if (questions.isEmpty()) {
      return answers;
    }
    int threads = Math.min(THREADS, questions.size());
    ExecutorService pool =
        Executors.newFixedThreadPool(
            threads,
            task -> {
              Thread thread = new Thread(task, "evenkeel-ask");
              thread.setDaemon(true); // a read that hangs must not keep the JVM
              return thread;
            });
    try {
      int turns = 1 + (questions.size() + threads - 1) / threads;
      long limit = 2L * timeoutMillis * turns;
      List<Future<T>> futures = pool.invokeAll(questions, limit, TimeUnit.MILLISECONDS);
      for (int i = 0; i < futures.size(); i++) {
        answers.add(answer(futures.get(i), i, silent, limit));
      }
    } finally {
      pool.shutdownNow();
    }
    return answers;
  }

  private static <T> T answer(
      Future<T> future, int number, BiFunction<Integer, String, T> silent, long limit)
      throws InterruptedException {
    try {
      return future.get();
    } catch (CancellationException e) {
      return silent.apply(number, "no complete answer within " + limit + " ms");
    } catch (ExecutionException e) {
      return silent.apply(number, String.valueOf(e.getCause()));
    }
  }
}
