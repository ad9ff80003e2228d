package io.evenkeel.bench.gameday.load;

import java.time.Duration;

/**
 * What a load does. The same plan draws the same operations in each thread; how the threads
 * interleave is free. Immutable.
 *
 * @param root directory that is the load's alone
 * @param seed from which each thread's choices follow
 * @param acknowledgements no new work after this many of the whole load
 * @param writers how many writers of logs, and how many of whole files, there are; at least 1
 * @param readers how many threads read what is written; may be 0
 * @param erasureCoding name of the policy of a directory with erasure coding; empty for none
 * @param pause of each thread between two operations
 */
public record LoadPlan(
    String root,
    long seed,
    long acknowledgements,
    int writers,
    int readers,
    String erasureCoding,
    Duration pause) {
  /** Block size of all files. */
  public static final int BLOCK_BYTES = 1 << 20;

  /** Refuses a load that writes nothing. */
  public LoadPlan {
    if (writers < 1 || readers < 0 || acknowledgements < 1 || !root.matches("(/[^/]+)+")) {
      throw new IllegalArgumentException(
          root + " " + acknowledgements + " " + writers + " " + readers);
    }
  }

  /** A log of a writer of logs, both counted from 0, as it is called while it is written. */
  public String log(int writer, int number) {
    return root + "/log-" + writer + "/current/" + number;
  }
}
