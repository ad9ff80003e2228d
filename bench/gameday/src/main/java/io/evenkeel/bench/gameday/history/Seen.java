package io.evenkeel.bench.gameday.history;

/** What a reader saw of a path, besides the bytes. Implementations are immutable. */
sealed interface Seen {
  /** No file. */
  record Absent() implements Seen {}

  /** A file of this many bytes, all of which were read. */
  record Whole(long length) implements Seen {}

  /** A file, some bytes of which were read. */
  record Part() implements Seen {}
}
