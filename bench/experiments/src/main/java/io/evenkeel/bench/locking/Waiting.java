package io.evenkeel.bench.locking;

import java.util.Arrays;

/** What a thread is seen to do. Stateless. */
final class Waiting {
  private Waiting() {}

  /** Whether it waits for a lock or a monitor, at this moment; hung I/O is not a lock. */
  static boolean forLock(Thread thread) {
    if (thread.getState() == Thread.State.BLOCKED) {
      return true;
    }
    StackTraceElement[] stack = thread.getStackTrace();
    return stack.length > 0
        && has(stack, "LockSupport")
        && has(stack, "ReentrantReadWriteLock")
        && !has(stack, StuckIo.class.getSimpleName());
  }

  private static boolean has(StackTraceElement[] stack, String className) {
    return Arrays.stream(stack).anyMatch(frame -> frame.getClassName().contains(className));
  }
}
