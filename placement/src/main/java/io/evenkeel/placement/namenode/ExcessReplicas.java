package io.evenkeel.placement.namenode;

import io.evenkeel.placement.core.ExcessRedundancy;
import io.evenkeel.placement.core.ExcessRedundancy.Replica;
import java.util.ArrayList;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.EvenkeelPlacementBridge;

/**
 * The replicas of one block when there are too many, for {@link ExcessRedundancy}, which knows
 * nothing of Hadoop. Confined to one call. Separate from the policy, whose other half chooses.
 */
public final class ExcessReplicas {
  private final Map<DatanodeStorageInfo, Replica<DatanodeStorageInfo>> replicas =
      new IdentityHashMap<>();
  private final Collection<DatanodeStorageInfo> candidates;
  private final ExcessRedundancy<DatanodeStorageInfo> redundancy;

  /**
   * Takes the replicas over.
   *
   * @param available all replicas of the block
   * @param candidates those that may be deleted
   * @param oldest heartbeats before this time, in monotonic milliseconds, are overdue
   * @param everyRack see {@link ExcessRedundancy}
   */
  public ExcessReplicas(
      HostIdentity hostIdentity,
      Collection<DatanodeStorageInfo> available,
      Collection<DatanodeStorageInfo> candidates,
      long oldest,
      boolean everyRack) {
    this.candidates = candidates;
    List<Replica<DatanodeStorageInfo>> all = new ArrayList<>();
    for (DatanodeStorageInfo storage : available) {
      DatanodeDescriptor node = storage.getDatanodeDescriptor();
      Replica<DatanodeStorageInfo> replica =
          new Replica<>(
              storage, hostIdentity.rack(node), hostIdentity.host(node), node.getDatanodeUuid());
      replicas.put(storage, replica);
      all.add(replica);
    }
    for (DatanodeStorageInfo storage : candidates) {
      long heartbeat = storage.getDatanodeDescriptor().getLastUpdateMonotonic();
      Replica<DatanodeStorageInfo> replica = replicas.get(storage);
      if (replica != null) {
        replica.candidate(
            heartbeat, heartbeat < oldest, EvenkeelPlacementBridge.remaining(storage));
      }
    }
    redundancy = new ExcessRedundancy<>(all, everyRack);
  }

  /** The storages to delete until {@code expected} candidates are left, or none fits any more. */
  public List<DatanodeStorageInfo> choose(
      int expected,
      List<StorageType> excessTypes,
      DatanodeDescriptor added,
      DatanodeDescriptor hint) {
    List<DatanodeStorageInfo> chosen = new ArrayList<>();
    int tooMany = candidates.size() - expected;
    Replica<DatanodeStorageInfo> hinted = on(hint);
    if (tooMany > 0 && hinted != null && hintFits(hinted, excessTypes, on(added))) {
      // as in stock a hint does not use up its type
      redundancy.remove(hinted);
      chosen.add(hinted.source());
    }
    while (chosen.size() < tooMany) {
      DatanodeStorageInfo next = next(excessTypes);
      if (next == null) {
        break;
      }
      chosen.add(next);
    }
    return chosen;
  }

  /** The next storage to delete, of one of the types; uses the type up. Null when none fits. */
  public DatanodeStorageInfo next(List<StorageType> excessTypes) {
    Replica<DatanodeStorageInfo> next =
        redundancy.next(storage -> excessTypes.contains(storage.getStorageType()));
    if (next == null) {
      return null;
    }
    excessTypes.remove(next.source().getStorageType());
    redundancy.remove(next);
    return next.source();
  }

  private boolean hintFits(
      Replica<DatanodeStorageInfo> hint,
      List<StorageType> excessTypes,
      Replica<DatanodeStorageInfo> added) {
    return excessTypes.contains(hint.source().getStorageType()) && redundancy.hintFits(hint, added);
  }

  private Replica<DatanodeStorageInfo> on(DatanodeDescriptor node) {
    for (DatanodeStorageInfo storage : candidates) {
      if (storage.getDatanodeDescriptor() == node) {
        return replicas.get(storage);
      }
    }
    return null;
  }
}
