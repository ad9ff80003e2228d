package io.evenkeel.bench.placement;

import io.evenkeel.bench.experiment.RunSettings;
import io.evenkeel.bench.sim.placement.Candidate;
import io.evenkeel.bench.sim.placement.Releases;
import java.util.List;
import org.apache.hadoop.util.VersionInfo;

/**
 * Two policies that are compared.
 *
 * @param stock the one of the running Hadoop
 * @param ours on the same topology
 */
record PolicyPair(Candidate stock, Candidate ours) {
  static final PolicyPair NODE_GROUPS =
      new PolicyPair(Candidate.STOCK_NODE_GROUPS, Candidate.OURS_NODE_GROUPS);

  static final PolicyPair PLAIN_RACKS = new PolicyPair(Candidate.STOCK_PLAIN, Candidate.OURS_PLAIN);

  static final List<PolicyPair> BOTH = List.of(NODE_GROUPS, PLAIN_RACKS);

  /** Whether this Hadoop release can be measured; if not, says so in a line. */
  static boolean usable(RunSettings settings) {
    if (!Releases.runHere()) {
      settings.say("placement: skipped on Hadoop " + VersionInfo.getVersion());
    }
    return Releases.runHere();
  }
}
