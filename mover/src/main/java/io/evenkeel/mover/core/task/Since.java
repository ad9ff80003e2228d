package io.evenkeel.mover.core.task;

/** Since when something is so. Not thread-safe. */
final class Since {
  private long start = Long.MIN_VALUE;

  /** Takes in whether it is so at {@code now}. */
  void note(boolean so, long now) {
    if (!so) {
      start = Long.MIN_VALUE;
    } else if (start == Long.MIN_VALUE) {
      start = now;
    }
  }

  /** It begins anew. */
  void restart() {
    start = Long.MIN_VALUE;
  }

  /** Whether it is so, and for less than that. */
  boolean isWithin(long millis, long now) {
    return start != Long.MIN_VALUE && now - start < millis;
  }
}
