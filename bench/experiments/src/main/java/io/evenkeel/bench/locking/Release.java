package io.evenkeel.bench.locking;

import io.evenkeel.bench.experiment.RunSettings;

/** Whether the Hadoop of this JVM is one these experiments can run on. Stateless. */
final class Release {
  private Release() {}

  /**
   * Whether its dataset has a lock manager, as since 3.4; ours falls back to stock's elsewhere, so
   * there is nothing to compare. Says so when not.
   */
  static boolean has(RunSettings settings, String experiment) {
    try {
      Class.forName(
          "org.apache.hadoop.hdfs.server.datanode.DataSetLockManager",
          false,
          Release.class.getClassLoader());
      return true;
    } catch (ClassNotFoundException e) {
      settings.say(experiment + ": needs Hadoop 3.4 or later; left out");
      return false;
    }
  }
}
