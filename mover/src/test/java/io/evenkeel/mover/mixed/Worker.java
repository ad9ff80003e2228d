package io.evenkeel.mover.mixed;

import io.evenkeel.common.testing.Await;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;

/** A thread that does one step after the other until it is told to end or a step fails. */
final class Worker {
  private final Thread thread;
  private final AtomicReference<Throwable> failure = new AtomicReference<>();
  private volatile boolean ending;

  /** A part of the work. */
  interface Step {
    void run() throws Exception;
  }

  private Worker(String name, Step step) {
    thread = new Thread(() -> repeat(step), name);
    thread.setDaemon(true);
  }

  static Worker start(String name, Step step) {
    Worker worker = new Worker(name, step);
    worker.thread.start();
    return worker;
  }

  private void repeat(Step step) {
    while (!ending) {
      try {
        step.run();
      } catch (Throwable e) { // an assertion too
        failure.set(e);
        return;
      }
    }
  }

  /** Throws what a step has thrown. */
  void check() {
    if (failure.get() != null) {
      throw new AssertionError(thread.getName(), failure.get());
    }
  }

  void tellToEnd() {
    ending = true;
  }

  /** Ends after the step that is on. */
  void end(Duration limit) throws InterruptedException {
    tellToEnd();
    thread.join(limit.toMillis());
    check();
    if (thread.isAlive()) {
      AssertionError error = new AssertionError(thread.getName() + " goes on after " + limit);
      error.setStackTrace(thread.getStackTrace());
      throw error;
    }
  }

  /** The think time of a step. */
  static void pause(long millis) {
    try {
      Await.pause(millis);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
