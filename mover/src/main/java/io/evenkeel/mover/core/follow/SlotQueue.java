package io.evenkeel.mover.core.follow;

/** Slots in the order they were added; a ring that grows. Not thread-safe. */
final class SlotQueue {
  private int[] ring = new int[1 << 6];
  private int head;
  private int count;

  boolean isEmpty() {
    return count == 0;
  }

  void add(int slot) {
    if (count == ring.length) {
      int[] larger = new int[ring.length * 2];
      for (int i = 0; i < count; i++) {
        larger[i] = ring[(head + i) & (ring.length - 1)];
      }
      ring = larger;
      head = 0;
    }
    ring[(head + count) & (ring.length - 1)] = slot;
    count++;
  }

  /** Removes the first; there must be one. */
  int remove() {
    int slot = ring[head];
    head = (head + 1) & (ring.length - 1);
    count--;
    return slot;
  }

  long retainedBytes() {
    return 4L * ring.length;
  }
}
