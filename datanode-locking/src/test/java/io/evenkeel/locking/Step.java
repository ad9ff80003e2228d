package io.evenkeel.locking;

import java.util.Arrays;

/** A thread of a test that either ends or is found waiting for a lock of the dataset. */
final class Step extends Thread {
  /** So often in a row it must be seen waiting: less may be a lock that changes hands. */
  private static final int SEEN = 100;

  private static final int POLL_MILLIS = 10;

  private final Action action;
  private volatile Exception failure;

  /** What it does. */
  interface Action {
    void run() throws Exception;
  }

  private Step(String name, Action action) {
    super(name);
    this.action = action;
    setDaemon(true);
  }

  static Step start(String name, Action action) {
    Step step = new Step(name, action);
    step.start();
    return step;
  }

  @Override
  public void run() {
    try {
      action.run();
    } catch (Exception e) {
      failure = e;
    }
  }

  /** Waits until one or the other; true when it waits for a lock, and goes on waiting. */
  boolean waitsForLock() throws InterruptedException {
    int seen = 0;
    while (isAlive() && seen < SEEN) {
      seen = waitsNow() ? seen + 1 : 0;
      Thread.sleep(POLL_MILLIS);
    }
    return isAlive();
  }

  /** Waits until it has ended; throws what it threw. */
  void end() throws Exception {
    join();
    if (failure != null) {
      throw failure;
    }
  }

  private boolean waitsNow() {
    StackTraceElement[] stack = getStackTrace();
    return getState() == State.BLOCKED
        || (has(stack, "AbstractQueuedSynchronizer")
            && has(stack, "LockManager")
            && !has(stack, ParkedIo.class.getSimpleName()))
        || (has(stack, "AbstractQueuedSynchronizer") && has(stack, "io.evenkeel.locking.core"));
  }

  private static boolean has(StackTraceElement[] stack, String className) {
    return Arrays.stream(stack).anyMatch(frame -> frame.getClassName().contains(className));
  }
}
