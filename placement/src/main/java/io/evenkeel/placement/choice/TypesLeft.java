package io.evenkeel.placement.choice;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;

/**
 * A storage policy for the replicas a block still needs when others of it have their storages: it
 * asks for the types that are left, with the policy's own fallbacks.
 *
 * <p>Stock's choice can be given the types since Hadoop 3.1. Before, it asks for those of a block
 * of its own, and a ONE_SSD block gets two SSDs; and in every release it does so when it tries
 * again with stale DataNodes. Immutable. Separate from the bridge, so that little stands in
 * Hadoop's package.
 */
public final class TypesLeft extends BlockStoragePolicy {
  private final List<StorageType> taken = new ArrayList<>();

  /** What {@code policy} still wants of a block with replicas on {@code chosen}. */
  public TypesLeft(BlockStoragePolicy policy, List<DatanodeStorageInfo> chosen) {
    super(
        policy.getId(),
        policy.getName(),
        policy.getStorageTypes(),
        policy.getCreationFallbacks(),
        policy.getReplicationFallbacks());
    chosen.forEach(storage -> taken.add(storage.getStorageType()));
  }

  /**
   * The same policy with the fallbacks of a new block only, for a block that is being created and
   * whose first replicas have their targets. Stock takes a block with a replica for an old one and
   * then falls back to the storage types for copies: HOT, which is created on DISK only, would be
   * created on ARCHIVE too.
   */
  public static BlockStoragePolicy atCreation(BlockStoragePolicy policy) {
    return new BlockStoragePolicy(
        policy.getId(),
        policy.getName(),
        policy.getStorageTypes(),
        policy.getCreationFallbacks(),
        policy.getCreationFallbacks());
  }

  /**
   * How many storages of each type a block of {@code replicas} wants, as stock counts them down.
   */
  public static EnumMap<StorageType, Integer> ofBlock(BlockStoragePolicy policy, int replicas) {
    EnumMap<StorageType, Integer> types = new EnumMap<>(StorageType.class);
    for (StorageType type : policy.chooseStorageTypes((short) replicas)) {
      types.merge(type, 1, Integer::sum);
    }
    return types;
  }

  @Override
  public List<StorageType> chooseStorageTypes(
      short replicas,
      Iterable<StorageType> chosen,
      EnumSet<StorageType> unavailable,
      boolean newBlock) {
    List<StorageType> all = new ArrayList<>(taken);
    chosen.forEach(all::add);
    return super.chooseStorageTypes((short) (replicas + taken.size()), all, unavailable, newBlock);
  }
}
