package io.evenkeel.bench.gameday.load;

import io.evenkeel.bench.gameday.history.Operation.Create;

/**
 * A directory of the load. Immutable.
 *
 * @param policy storage policy
 * @param erasureCoding erasure coding policy; empty for replicated files
 */
record Directory(String path, Use use, String policy, String erasureCoding) {
  static final int REPLICATION = 3;
  static final String LAZY_PERSIST = "LAZY_PERSIST";

  /** What HDFS allows for its files. */
  enum Use {
    /** Everything. */
    ANY,
    /** Files are written once: no append and no truncate with erasure coding or LAZY_PERSIST. */
    WRITE_ONCE,
    /** There are snapshots of it, hence no concat. */
    SNAPSHOTS
  }

  static Directory replicated(String path, Use use, String policy) {
    return new Directory(path, use, policy, "");
  }

  Create create(String name) {
    int replication = erasureCoding.isEmpty() ? REPLICATION : 1;
    return new Create(path + "/" + name, replication, policy, erasureCoding);
  }
}
