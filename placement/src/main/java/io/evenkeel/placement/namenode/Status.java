package io.evenkeel.placement.namenode;

import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementStatus;

/** The result of a check of a block's placement. Immutable. */
public final class Status implements BlockPlacementStatus {
  private final int missingHosts;
  private final int missingRacks;
  private final String found;

  /**
   * Creates a result.
   *
   * @param found where the replicas are, for the error text
   */
  public Status(int missingHosts, int missingRacks, String found) {
    this.missingHosts = missingHosts;
    this.missingRacks = missingRacks;
    this.found = found;
  }

  @Override
  public boolean isPlacementPolicySatisfied() {
    return missingHosts == 0 && missingRacks == 0;
  }

  @Override
  public String getErrorDescription() {
    if (isPlacementPolicySatisfied()) {
      return null;
    }
    String text = "The block is on " + found + ".";
    if (missingHosts > 0) {
      text += " It should be on " + missingHosts + " more host(s) or node group(s).";
    }
    if (missingRacks > 0) {
      text += " It should be in " + missingRacks + " more rack(s).";
    }
    return text;
  }

  @Override
  public int getAdditionalReplicasRequired() {
    return Math.max(missingHosts, missingRacks);
  }
}
