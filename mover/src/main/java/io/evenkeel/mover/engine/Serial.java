package io.evenkeel.mover.engine;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * Runs what it is given one after the other, on threads of a pool. Thread-safe. Separate from the
 * run, as any executor is from its tasks.
 */
final class Serial implements Executor {
  private final Executor pool;
  private final Deque<Runnable> waiting = new ArrayDeque<>();
  private boolean active;

  Serial(Executor pool) {
    this.pool = pool;
  }

  @Override
  public void execute(Runnable task) {
    synchronized (this) {
      waiting.add(task);
      if (active) {
        return;
      }
      active = true;
    }
    submit();
  }

  private void submit() {
    try {
      pool.execute(this::drain);
    } catch (OutOfMemoryError e) { // no thread could be made, but it waits for the next one
      return;
    } catch (RejectedExecutionException e) {
      synchronized (this) {
        waiting.clear(); // the engine is closed and has told the owners
        active = false;
      }
    }
  }

  private void drain() {
    for (Runnable task = next(); task != null; task = next()) {
      task.run();
    }
  }

  private synchronized Runnable next() {
    Runnable task = waiting.poll();
    active = task != null;
    return task;
  }
}
