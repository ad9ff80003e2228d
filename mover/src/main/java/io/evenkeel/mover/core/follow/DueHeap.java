package io.evenkeel.mover.core.follow;

import java.util.Arrays;

/** Slots by the time they are due, the earliest first. Not thread-safe. */
final class DueHeap {
  private int[] slots = new int[1 << 6];
  private long[] dues = new long[1 << 6];
  private int size;

  boolean isEmpty() {
    return size == 0;
  }

  long firstDue() {
    return dues[0];
  }

  void add(int slot, long due) {
    if (size == slots.length) {
      slots = Arrays.copyOf(slots, size * 2);
      dues = Arrays.copyOf(dues, size * 2);
    }
    int at = size++;
    while (at > 0 && dues[(at - 1) / 2] > due) {
      slots[at] = slots[(at - 1) / 2];
      dues[at] = dues[(at - 1) / 2];
      at = (at - 1) / 2;
    }
    slots[at] = slot;
    dues[at] = due;
  }

  /** Removes the earliest; there must be one. */
  int removeFirst() {
    final int first = slots[0];
    size--;
    int slot = slots[size];
    long due = dues[size];
    int at = 0;
    for (int child = 1; child < size; child = 2 * at + 1) {
      if (child + 1 < size && dues[child + 1] < dues[child]) {
        child++;
      }
      if (dues[child] >= due) {
        break;
      }
      slots[at] = slots[child];
      dues[at] = dues[child];
      at = child;
    }
    slots[at] = slot;
    dues[at] = due;
    return first;
  }

  long retainedBytes() {
    return 12L * slots.length;
  }
}
