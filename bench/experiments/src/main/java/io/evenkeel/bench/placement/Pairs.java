package io.evenkeel.bench.placement;

import io.evenkeel.bench.experiment.RunSettings;
import io.evenkeel.bench.sim.placement.Candidate;
import io.evenkeel.bench.sim.placement.Releases;
import java.util.List;
import org.apache.hadoop.util.VersionInfo;

/** The policies that are compared. Stateless. */
final class Pairs {
  /** With node groups, stock first. */
  static final List<Candidate> NODE_GROUPS =
      List.of(Candidate.STOCK_NODE_GROUPS, Candidate.OURS_NODE_GROUPS);

  /** On plain racks, stock first. */
  static final List<Candidate> PLAIN = List.of(Candidate.STOCK_PLAIN, Candidate.OURS_PLAIN);

  private Pairs() {}

  /**
   * Whether this Hadoop release can be measured; if not, or if only stock can, says so in a line.
   */
  static boolean usable(RunSettings settings) {
    if (!Releases.runHere()) {
      settings
          .progress()
          .accept("evenkeel: placement: skipped on Hadoop " + VersionInfo.getVersion());
      return false;
    }
    if (!Candidate.OURS_PLAIN.present()) {
      settings
          .progress()
          .accept("evenkeel: " + Candidate.OURS + " is not on the class path: stock only");
    }
    return true;
  }
}
