package io.evenkeel.locking;

import io.evenkeel.common.testing.Await;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A thread of a test that either ends or is found waiting for a lock of the dataset. */
final class Step extends Thread {
  /** So often in a row it must be seen waiting: less may be a lock that changes hands. */
  private static final int SEEN = 100;

  private static final int BETWEEN_LOOKS_MILLIS = 10;

  /** Above a lock of java.util.concurrent; on JDK 25 AbstractQueuedLongSynchronizer. */
  private static final String IN_A_QUEUE = "java.util.concurrent.locks.AbstractQueued";

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
    return !waiting(List.of(this)).isEmpty();
  }

  /** Waits until each has ended or is found waiting for a lock; those that wait. */
  static List<Step> waiting(List<Step> steps) throws InterruptedException {
    Map<Step, Integer> seen = new HashMap<>();
    List<Step> open = steps;
    while (!open.isEmpty()) {
      Await.pause(BETWEEN_LOOKS_MILLIS);
      open.forEach(step -> seen.put(step, step.waitsNow() ? seen.getOrDefault(step, 0) + 1 : 0));
      open = open.stream().filter(step -> step.isAlive() && seen.get(step) < SEEN).toList();
    }
    return steps.stream().filter(Thread::isAlive).toList();
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
        || (has(stack, IN_A_QUEUE)
            && has(stack, "LockManager")
            && !has(stack, ParkedIo.class.getSimpleName()))
        || (has(stack, IN_A_QUEUE) && has(stack, "io.evenkeel.locking.core"));
  }

  private static boolean has(StackTraceElement[] stack, String className) {
    return Arrays.stream(stack).anyMatch(frame -> frame.getClassName().contains(className));
  }
}
