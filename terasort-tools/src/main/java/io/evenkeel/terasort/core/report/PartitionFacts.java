package io.evenkeel.terasort.core.report;

import java.util.Map;

/** One partition as the reducer described it. Immutable. */
public final class PartitionFacts {
  final String path;
  final long bytes;
  final long records;
  final String first;
  final String last;

  private PartitionFacts(Map<?, ?> line) {
    path = (String) line.get("path");
    bytes = (Long) line.get("bytes");
    records = (Long) line.get("records");
    first = (String) line.get("first");
    last = (String) line.get("last");
  }

  /** Made of a parsed line of {@code _partitions}. */
  public static PartitionFacts of(Map<?, ?> line) {
    return new PartitionFacts(line);
  }

  String name() {
    return path.substring(path.lastIndexOf('/') + 1);
  }
}
