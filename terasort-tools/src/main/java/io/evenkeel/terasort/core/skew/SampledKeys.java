package io.evenkeel.terasort.core.skew;

/**
 * How many keys TeraSort's sampler really reads: it takes the first rows of at most {@code
 * mapreduce.terasort.num.partitions} splits, the same number of each. Immutable.
 */
public final class SampledKeys {
  private final int splitsRead;
  private final long rowsPerSplit;

  /**
   * Describes an input.
   *
   * @param splits splits of the input, 1 or more
   * @param rowsPerSplit whole rows of the smallest split
   * @param maxSplits value of {@code mapreduce.terasort.num.partitions}, 1 or more
   */
  public SampledKeys(long splits, long rowsPerSplit, int maxSplits) {
    this.splitsRead = (int) Math.max(1, Math.min(splits, maxSplits));
    this.rowsPerSplit = rowsPerSplit;
  }

  /** Splits the sampler opens. */
  public int splitsRead() {
    return splitsRead;
  }

  /** Keys at most, whatever is asked for. */
  public long most() {
    return rowsPerSplit * splitsRead;
  }

  /**
   * Keys read when {@code wanted} are asked for: the sampler divides without remainder and reads at
   * least one of each split.
   */
  public long read(long wanted) {
    return Math.min(Math.max(1, wanted / splitsRead), rowsPerSplit) * splitsRead;
  }

  /**
   * The smallest number to ask for so that at least {@code keys} are read, if there are so many.
   */
  public long ask(long keys) {
    return Math.min(keys + splitsRead - 1, most()) / splitsRead * splitsRead;
  }
}
