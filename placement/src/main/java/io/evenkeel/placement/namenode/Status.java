package io.evenkeel.placement.namenode;

import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementStatus;

/** The result of a check of a block's placement. Immutable. */
public final class Status implements BlockPlacementStatus {
  private final int missingHosts;
  private final int missingRacks;
  private final int racks;
  private final String found;
  private final boolean undecided;

  /**
   * Creates a result.
   *
   * @param racks that could take a replica, for the error text
   * @param found where the replicas are, for the error text
   * @param undecided whether more may be missing, by the storage types of the replicas
   */
  public Status(int missingHosts, int missingRacks, int racks, String found, boolean undecided) {
    this.undecided = undecided;
    this.racks = racks;
    this.missingHosts = missingHosts;
    this.missingRacks = missingRacks;
    this.found = found;
  }

  @Override
  public boolean isPlacementPolicySatisfied() {
    return missingHosts == 0 && missingRacks == 0;
  }

  /** Whether more may be missing than is said: the replicas' storage types are not known. */
  public boolean undecided() {
    return undecided;
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
      // stock's words, which scripts look for in the output of fsck
      text +=
          " Block should be additionally replicated on "
              + missingRacks
              + " more rack(s). Total number of racks in the cluster: "
              + racks;
    }
    return text;
  }

  @Override
  public int getAdditionalReplicasRequired() {
    return Math.max(missingHosts, missingRacks);
  }
}
