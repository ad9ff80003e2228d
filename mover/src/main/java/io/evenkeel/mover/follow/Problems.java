package io.evenkeel.mover.follow;

import java.util.HashSet;
import java.util.Set;

/**
 * What is tried again and again and goes wrong each time is told once: the next line of the same
 * cause comes after a round without it. A round is one attempt at all of the work. Thread-safe.
 */
final class Problems {
  private Set<String> before = new HashSet<>();
  private Set<String> now = new HashSet<>();

  /** A round begins. */
  synchronized void nextRound() {
    before = now;
    now = new HashSet<>();
  }

  /** Whether a line is to be told, as neither this round nor the one before had it. */
  synchronized boolean isNew(String line) {
    return now.add(line) && !before.contains(line);
  }

  /** An exception without the stack trace of the NameNode, which is part of its message. */
  static String line(Throwable e) {
    return e.toString().split("[\\r\\n]", 2)[0];
  }
}
