package io.evenkeel.cli.topology.core;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** How many DataNodes have how many blocks, with the same bins for several outcomes. Immutable. */
final class Histogram {
  private static final int MOST_BINS = 24;

  private final long first;
  private final long width;
  private final List<long[]> counts = new ArrayList<>();

  /** Counts blocks per DataNode, one array per outcome. */
  Histogram(List<long[]> blocksPerNode) {
    long least = Long.MAX_VALUE;
    long most = 0;
    for (long[] blocks : blocksPerNode) {
      for (long n : blocks) {
        least = Math.min(least, n);
        most = Math.max(most, n);
      }
    }
    least = Math.min(least, most);
    width = width(most - least + 1);
    first = least / width * width;
    int bins = (int) ((most - first) / width) + 1;
    for (long[] blocks : blocksPerNode) {
      long[] count = new long[bins];
      Arrays.stream(blocks).forEach(n -> count[(int) ((n - first) / width)]++);
      counts.add(count);
    }
  }

  /** The least of 1, 2, 5, 10, 20, ... that needs no more bins than fit. */
  private static long width(long span) {
    for (long power = 1; ; power *= 10) {
      for (long step : new long[] {power, 2 * power, 5 * power}) {
        // one more for a first bin that begins below the least value
        if (span / step + 2 <= MOST_BINS) {
          return step;
        }
      }
    }
  }

  /** Number of bins. */
  int bins() {
    return counts.isEmpty() ? 0 : counts.get(0).length;
  }

  /** The least number of blocks of a bin. */
  long from(int bin) {
    return first + bin * width;
  }

  /** The greatest number of blocks of a bin. */
  long to(int bin) {
    return from(bin) + width - 1;
  }

  /** DataNodes of an outcome in a bin. */
  long count(int outcome, int bin) {
    return counts.get(outcome)[bin];
  }
}
