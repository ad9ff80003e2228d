package io.evenkeel.placement.core;

import java.util.Arrays;
import java.util.function.IntToDoubleFunction;

/**
 * A fixed number of values with the least of any range in logarithmic time: a complete binary tree
 * in one array, every inner entry the lesser of its two children.
 *
 * <p>Not thread-safe; {@link LoadTable} guards it. {@link Double#POSITIVE_INFINITY} stands for "not
 * to be had".
 */
final class MinTree {
  private final double[] tree;
  private final int leaves;
  private int from;
  private int to;
  private IntToDoubleFunction exact;
  private double best;
  private int found;

  MinTree(int size) {
    int power = 1;
    while (power < size) {
      power <<= 1;
    }
    leaves = power;
    tree = new double[2 * power];
    Arrays.fill(tree, Double.POSITIVE_INFINITY);
  }

  double get(int index) {
    return tree[leaves + index];
  }

  void set(int index, double value) {
    int at = leaves + index;
    tree[at] = value;
    for (at >>= 1; at >= 1; at >>= 1) {
      double least = Math.min(tree[2 * at], tree[2 * at + 1]);
      if (tree[at] == least) {
        return;
      }
      tree[at] = least;
    }
  }

  /** Sets all values at once, at a fraction of the cost of one by one. */
  void setAll(int size, IntToDoubleFunction values) {
    for (int i = 0; i < size; i++) {
      tree[leaves + i] = values.applyAsDouble(i);
    }
    for (int at = leaves - 1; at >= 1; at--) {
      tree[at] = Math.min(tree[2 * at], tree[2 * at + 1]);
    }
  }

  /** The first place from {@code from} on whose value is at most {@code most}; -1 without any. */
  int next(int from, double most) {
    if (from >= leaves) {
      return -1;
    }
    int at = leaves + from;
    while (tree[at] > most) {
      while ((at & 1) == 1) {
        at >>= 1; // all to the right below this parent has been passed
      }
      if (at == 0) {
        return -1;
      }
      at++;
    }
    while (at < leaves) {
      at = tree[2 * at] <= most ? 2 * at : 2 * at + 1;
    }
    return at - leaves;
  }

  /** The least value of [from, to); infinite when the range is empty. */
  double min(int from, int to) {
    double least = Double.POSITIVE_INFINITY;
    int low = from + leaves;
    for (int high = to + leaves; low < high; low >>= 1, high >>= 1) {
      if ((low & 1) == 1) {
        least = Math.min(least, tree[low++]);
      }
      if ((high & 1) == 1) {
        least = Math.min(least, tree[--high]);
      }
    }
    return least;
  }

  /**
   * The place in [first, end) with the least {@code bound} value; -1 when all are infinite.
   *
   * @param bound the value of a place for this question, never below the stored one and infinite
   *     for a place that is not to be had. It is asked in a best-first order, of few places
   */
  int least(int first, int end, IntToDoubleFunction bound) {
    from = first;
    to = end;
    exact = bound;
    best = Double.POSITIVE_INFINITY;
    found = -1;
    search(1, 0, leaves);
    exact = null;
    return found;
  }

  /** The exact value of the place that {@link #least} found last. */
  double found() {
    return best;
  }

  private void search(int at, int low, int high) {
    if (high <= from || low >= to || tree[at] >= best) {
      return;
    }
    if (at >= leaves) {
      double value = exact.applyAsDouble(low);
      if (value < best) {
        best = value;
        found = low;
      }
      return;
    }
    int middle = (low + high) >>> 1;
    if (tree[2 * at] <= tree[2 * at + 1]) {
      search(2 * at, low, middle);
      search(2 * at + 1, middle, high);
    } else {
      search(2 * at + 1, middle, high);
      search(2 * at, low, middle);
    }
  }
}
