package io.evenkeel.terasort.core.skew;

import java.util.Arrays;

/**
 * Where TeraSort cuts its sorted sample, and which partition a key falls into. Keys are compared as
 * unsigned bytes. Immutable as long as the arrays handed in are not changed.
 */
public final class SplitPoints {
  private final byte[][] keys;

  private SplitPoints(byte[][] keys) {
    this.keys = keys;
  }

  /**
   * Positions in the sorted sample of the keys that begin partitions 1 to {@code reducers - 1}.
   *
   * <p>The step is a float, as in stock: above 2^24 samples the positions are not exactly even.
   *
   * @param samples keys in the sample, at least {@code reducers}
   * @throws IllegalArgumentException when there are fewer keys than partitions
   */
  public static int[] positions(int samples, int reducers) {
    if (reducers < 1 || reducers > samples) {
      throw new IllegalArgumentException(
          samples + " sampled keys cannot be cut into " + reducers + " partitions");
    }
    float step = samples / (float) reducers;
    int[] positions = new int[reducers - 1];
    for (int i = 0; i < positions.length; i++) {
      positions[i] = Math.min(samples - 1, Math.round(step * (i + 1)));
    }
    return positions;
  }

  /**
   * Steps between order statistics that each partition spans, in partition order; their sum is
   * {@code samples + 1}.
   */
  static int[] spans(int samples, int reducers) {
    int[] positions = positions(samples, reducers);
    int[] spans = new int[reducers];
    int before = -1;
    for (int i = 0; i < positions.length; i++) {
      spans[i] = positions[i] - before;
      before = positions[i];
    }
    spans[reducers - 1] = samples - before;
    return spans;
  }

  /**
   * Cuts a sample as TeraSort does.
   *
   * @param sample keys in any order; left as it is
   */
  public static SplitPoints cut(byte[][] sample, int reducers) {
    byte[][] sorted = sample.clone();
    Arrays.sort(sorted, SplitPoints::compare);
    int[] positions = positions(sorted.length, reducers);
    byte[][] keys = new byte[positions.length][];
    for (int i = 0; i < keys.length; i++) {
      keys[i] = sorted[positions[i]];
    }
    return new SplitPoints(keys);
  }

  /** Number of partitions. */
  public int reducers() {
    return keys.length + 1;
  }

  /** The partition of a key: how many split points are not above it. */
  public int partition(byte[] key) {
    int low = 0;
    int high = keys.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (compare(keys[middle], key) <= 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** The first key of each partition but the first. */
  byte[][] keys() {
    return keys.clone();
  }

  private static int compare(byte[] a, byte[] b) {
    for (int i = 0; i < a.length && i < b.length; i++) {
      int difference = (a[i] & 0xff) - (b[i] & 0xff);
      if (difference != 0) {
        return difference;
      }
    }
    return a.length - b.length;
  }
}
