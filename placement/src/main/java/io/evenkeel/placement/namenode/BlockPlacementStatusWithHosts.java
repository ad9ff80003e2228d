package io.evenkeel.placement.namenode;

import io.evenkeel.placement.core.EligibleHosts;
import io.evenkeel.placement.core.PlacementRules;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementStatus;

/** Whether the replicas of a block are on as many hosts and racks as they should be. Immutable. */
public final class BlockPlacementStatusWithHosts implements BlockPlacementStatus {
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
  public BlockPlacementStatusWithHosts(
      int missingHosts, int missingRacks, int racks, String found, boolean undecided) {
    this.undecided = undecided;
    this.racks = racks;
    this.missingHosts = missingHosts;
    this.missingRacks = missingRacks;
    this.found = found;
  }

  /**
   * Checks a block, as far as there are hosts and racks.
   *
   * @param replicas may be null
   * @param wanted replicas or internal blocks of the block in all
   * @param strict whether hosts that do not exist are asked for too
   */
  public static BlockPlacementStatusWithHosts of(
      DataNodeIndex index,
      DatanodeInfo[] replicas,
      PlacementRules rules,
      int wanted,
      boolean strict) {
    HostIdentity identity = index.hostIdentity();
    int hostsWanted = rules.hosts(wanted, identity.kind() == HostIdentity.Kind.NODE_GROUP);
    int racksWanted = rules.racks(wanted, identity.nodeGroupsInPath());
    EligibleHosts eligible = index.eligible();
    EligibleHosts.Found found = found(index, replicas == null ? new DatanodeInfo[0] : replicas);
    if (found.hosts() < hostsWanted) {
      // a complete block is given one more, to be on more hosts
      found.rackLimit(rules.rackLimit(wanted + 1, index.engine().racksServing()));
    }
    return new BlockPlacementStatusWithHosts(
        eligible.missingHosts(found, hostsWanted, strict),
        eligible.missingRacks(found, racksWanted),
        eligible.racks(),
        found.hosts() + " host(s) in " + found.racks() + " rack(s)",
        eligible.undecided(found, strict ? 0 : hostsWanted, racksWanted));
  }

  /** Where replicas are; those that leave the cluster do not count, though fsck names them. */
  private static EligibleHosts.Found found(DataNodeIndex index, DatanodeInfo[] replicas) {
    EligibleHosts.Found found = new EligibleHosts.Found();
    for (DatanodeInfo replica : replicas) {
      if (!replica.isDecommissionInProgress() && !replica.isDecommissioned()) {
        HostIdentity identity = index.hostIdentity();
        found.add(identity.host(replica), identity.rack(replica), types(index, replica));
      }
    }
    return found;
  }

  /** That of the replica, which fsck tells, or those of its DataNode. */
  private static int types(DataNodeIndex index, DatanodeInfo replica) {
    if (replica instanceof DatanodeInfoWithStorage) {
      StorageType type = ((DatanodeInfoWithStorage) replica).getStorageType();
      if (type != null) {
        return 1 << type.ordinal();
      }
    }
    return index.typesOnDisk(replica);
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
