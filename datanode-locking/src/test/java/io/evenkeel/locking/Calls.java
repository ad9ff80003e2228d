package io.evenkeel.locking;

import io.evenkeel.common.testing.Await;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

/** A call in a thread of its own, of which one can see that it waits for a lock. */
final class Calls<T> {
  private static final long LIMIT_SECONDS = 120;

  private final FutureTask<T> task;
  private final Thread thread;

  private Calls(String name, Callable<T> call) {
    task = new FutureTask<>(call);
    thread = new Thread(task, name);
    thread.setDaemon(true);
    thread.start();
  }

  static <T> Calls<T> start(String name, Callable<T> call) {
    return new Calls<>(name, call);
  }

  Thread thread() {
    return thread;
  }

  boolean isDone() {
    return task.isDone();
  }

  /** Waits until the call has ended or its thread waits for something; true when it waits. */
  boolean waits() throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
    int seen = 0;
    while (System.nanoTime() < end) {
      if (task.isDone()) {
        return false;
      }
      boolean parked = thread.getState() != Thread.State.RUNNABLE;
      seen = parked ? seen + 1 : 0;
      if (seen == 20) { // not between two short pauses
        return true;
      }
      Await.pause(10); // between two looks
    }
    throw new AssertionError(thread + " neither waits nor ends");
  }

  /** The exception the call ended with, null for none. */
  Throwable failure() throws Exception {
    try {
      task.get(LIMIT_SECONDS, TimeUnit.SECONDS);
      return null;
    } catch (ExecutionException e) {
      return e.getCause();
    }
  }

  /** What it returned. */
  T result() throws Exception {
    return task.get(LIMIT_SECONDS, TimeUnit.SECONDS);
  }
}
