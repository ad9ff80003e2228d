package io.evenkeel.bench.gameday.load;

import io.evenkeel.bench.gameday.schedule.Mix;
import java.time.Duration;

/**
 * What a load does. The same plan draws the same operations in each thread; how the threads
 * interleave is free. Immutable.
 *
 * @param root directory that is the load's alone
 * @param seed from which each thread's choices follow
 * @param acknowledgements no new work after this many of the whole load
 * @param mix writers, readers, and what they do
 * @param erasureCoding name of the policy of the directory with erasure coding
 * @param pause of each thread between two operations
 */
public record LoadPlan(
    String root, long seed, long acknowledgements, Mix mix, String erasureCoding, Duration pause) {
  /** Block size of all files. */
  public static final int BLOCK_BYTES = 1 << 20;

  private static final String CURRENT = "/current/";

  /** Refuses the root directory and a load of nothing. */
  public LoadPlan {
    if (acknowledgements < 1 || !root.matches("(/[^/]+)+")) {
      throw new IllegalArgumentException(root + " " + acknowledgements);
    }
  }

  /** A log of a writer of logs, both counted from 0, as it is called while it is written. */
  public String log(int writer, int number) {
    return root + "/log-" + writer + CURRENT + number;
  }

  /** Whether a path is the one of a log while it is written. */
  static boolean isOpenLog(String path) {
    return path.contains(CURRENT);
  }
}
