package io.evenkeel.bench.gameday.fault;

import java.util.List;

/**
 * One replica as a DataNode's replica map has it. Immutable.
 *
 * @param pool block pool id
 * @param block block id
 * @param generation generation stamp
 * @param length bytes received, 0 or more
 * @param state FINALIZED, RBW, RWR, RUR or TEMPORARY
 * @param storage storage id of its volume
 */
public record ReplicaLine(
    String pool, long block, long generation, long length, String state, String storage) {

  /** The six words of a line, in the order of the components. */
  public String toLine() {
    return String.join(
        " ",
        pool,
        Long.toString(block),
        Long.toString(generation),
        Long.toString(length),
        state,
        storage);
  }

  /**
   * Reads what {@link #toLine} wrote.
   *
   * @throws IllegalArgumentException when it is no such line
   */
  public static ReplicaLine parse(String line) {
    List<String> words = List.of(line.split(" "));
    if (words.size() != 6) {
      throw new IllegalArgumentException("not a replica: " + line);
    }
    return new ReplicaLine(
        words.get(0),
        Long.parseLong(words.get(1)),
        Long.parseLong(words.get(2)),
        Long.parseLong(words.get(3)),
        words.get(4),
        words.get(5));
  }
}
