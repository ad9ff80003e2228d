package io.evenkeel.cli.status;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Consumer;

/**
 * Asks many daemons at once, with a limit for the whole round, so that daemons that answer a byte
 * at a time cannot hold it. Immutable.
 */
public final class ManyAtOnce {
  private static final int THREADS = 256;

  private static final int SHOWN = 3;
  private static final long FIRST_WORD_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long NEXT_WORD_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final int timeoutMillis;
  private final Consumer<String> progress;

  /**
   * Creates it.
   *
   * @param timeoutMillis limit of one connection or read, in milliseconds
   * @param progress told in one line, after a second and then every five, who has not answered
   */
  public ManyAtOnce(int timeoutMillis, Consumer<String> progress) {
    this.timeoutMillis = timeoutMillis;
    this.progress = progress;
  }

  /**
   * Asks.
   *
   * @param names of the daemons
   * @param questions one per daemon
   * @param silent what stands for question number N that failed or did not end, with the reason
   * @return one answer per question, in their order
   * @throws InterruptedException when the waiting thread is interrupted; threads end with it
   */
  public <T> List<T> ask(
      List<String> names, List<Callable<T>> questions, BiFunction<Integer, String, T> silent)
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
      List<Future<T>> futures = new ArrayList<>();
      ExecutorCompletionService<T> ended = new ExecutorCompletionService<>(pool);
      questions.forEach(question -> futures.add(ended.submit(question)));
      await(names, futures, ended, TimeUnit.MILLISECONDS.toNanos(limit));
      for (int i = 0; i < futures.size(); i++) {
        answers.add(answer(futures.get(i), i, silent, limit));
      }
    } finally {
      pool.shutdownNow();
    }
    return answers;
  }

  private <T> void await(
      List<String> names,
      List<Future<T>> futures,
      ExecutorCompletionService<T> ended,
      long limitNanos)
      throws InterruptedException {
    long start = System.nanoTime();
    long word = FIRST_WORD_NANOS;
    int left = futures.size();
    for (long passed = 0; left > 0 && passed < limitNanos; passed = System.nanoTime() - start) {
      if (passed >= word) {
        progress.accept(waiting(names, futures, (limitNanos - passed) / 1_000_000_000 + 1));
        word += NEXT_WORD_NANOS;
      }
      long until = Math.min(limitNanos, word) - passed;
      left -= ended.poll(until, TimeUnit.NANOSECONDS) == null ? 0 : 1;
    }
    futures.forEach(future -> future.cancel(true)); // one that has ended stays as it is
  }

  private static <T> String waiting(List<String> names, List<Future<T>> futures, long seconds) {
    List<String> silent = new ArrayList<>();
    for (int i = 0; i < futures.size(); i++) {
      if (!futures.get(i).isDone()) {
        silent.add(names.get(i));
      }
    }
    int more = silent.size() - SHOWN;
    return "waiting for "
        + silent.size()
        + " of "
        + names.size()
        + ", at most "
        + seconds
        + " s more: "
        + String.join(", ", silent.subList(0, Math.min(SHOWN, silent.size())))
        + (more > 0 ? " and " + more + " more" : "");
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
