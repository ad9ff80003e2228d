package io.evenkeel.mover.core.follow;

import java.util.Arrays;

/** Slots found by a number: heads of chains, and the chains themselves. Not thread-safe. */
final class IntChains {
  private int[] heads = filled(1 << 10);
  private int[] next = new int[1 << 10];

  private static int[] filled(int length) {
    int[] array = new int[length];
    Arrays.fill(array, -1);
    return array;
  }

  private int bucket(long key) {
    long mixed = key * 0x9E3779B97F4A7C15L;
    return (int) (mixed >>> 33) & (heads.length - 1);
  }

  int first(long key) {
    return heads[bucket(key)];
  }

  int after(int slot) {
    return next[slot];
  }

  void add(long key, int slot) {
    int bucket = bucket(key);
    next[slot] = heads[bucket];
    heads[bucket] = slot;
  }

  void remove(long key, int slot) {
    int bucket = bucket(key);
    if (heads[bucket] == slot) {
      heads[bucket] = next[slot];
      return;
    }
    for (int at = heads[bucket]; at >= 0; at = next[at]) {
      if (next[at] == slot) {
        next[at] = next[slot];
        return;
      }
    }
  }

  /** Makes room for slots below {@code capacity}, a power of two; the caller adds all again. */
  void clear(int capacity) {
    heads = filled(capacity);
    next = new int[capacity];
  }

  long retainedBytes() {
    return 4L * (heads.length + next.length);
  }
}
