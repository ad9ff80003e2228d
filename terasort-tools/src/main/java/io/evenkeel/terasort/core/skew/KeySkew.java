package io.evenkeel.terasort.core.skew;

import java.util.Arrays;

/**
 * Largest / mean partition of real keys, which need not be random: split points from the keys that
 * TeraSort would sample, shares from other keys drawn at random from the whole input.
 *
 * <p>The interval is exact (Clopper-Pearson) and holds for all partitions at once: with {@code n}
 * random keys the share of each of R partitions is within its interval at an error of alpha / R,
 * hence the largest share is between the largest lower and the largest upper end. The estimate
 * takes the fullest partition of one half of the random keys and its share in the other half, both
 * ways, since the fullest of all would be too high by chance. Ratios are 1 or more, unless the
 * estimate itself is below. Pure statistics; {@code KeySampler} reads the keys. Immutable.
 */
public final class KeySkew {
  private final double ratio;
  private final double low;
  private final double high;
  private final int largest;
  private final int keys;

  /**
   * Estimates.
   *
   * @param points where TeraSort would cut
   * @param random keys drawn independently from all rows, two or more
   * @param confidence of the interval, above 0 and below 1
   */
  public KeySkew(SplitPoints points, byte[][] random, double confidence) {
    if (random.length < 2 || !(confidence > 0 && confidence < 1)) {
      throw new IllegalArgumentException(random.length + " keys, confidence " + confidence);
    }
    int reducers = points.reducers();
    int[] even = new int[reducers];
    int[] odd = new int[reducers];
    for (int i = 0; i < random.length; i++) {
      (i % 2 == 0 ? even : odd)[points.partition(random[i])]++;
    }
    int[] all = new int[reducers];
    Arrays.setAll(all, i -> even[i] + odd[i]);
    keys = random.length;
    largest = fullest(all);
    double alpha = (1 - confidence) / 2 / reducers;
    int count = all[largest];
    low = Math.max(1, reducers * Beta.quantile(count, keys - count + 1.0, alpha));
    high =
        count == keys
            ? reducers
            : reducers * Beta.quantile(count + 1.0, (double) keys - count, 1 - alpha);
    int oddKeys = keys / 2;
    double crossed =
        (double) odd[fullest(even)] / oddKeys + (double) even[fullest(odd)] / (keys - oddKeys);
    ratio = reducers * crossed / 2;
  }

  private static int fullest(int[] counts) {
    int best = 0;
    for (int i = 1; i < counts.length; i++) {
      best = counts[i] > counts[best] ? i : best;
    }
    return best;
  }

  /** The estimate. */
  public double ratio() {
    return ratio;
  }

  /** Lower end of the interval. */
  public double low() {
    return low;
  }

  /** Upper end of the interval. */
  public double high() {
    return high;
  }

  /** Number of the fullest partition, from 0. */
  public int largest() {
    return largest;
  }

  /** Random keys the estimate rests on. */
  public int keys() {
    return keys;
  }
}
