package io.evenkeel.placement.choice;

import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;

/**
 * A storage policy for a block that is being created, whose first replicas have their targets.
 * Stock takes a block with a replica for an old one and then falls back to the storage types for
 * copies: HOT, which is created on DISK only, would be created on ARCHIVE too. Stateless.
 */
public final class AtCreation {
  private AtCreation() {}

  /** The same policy, with the fallbacks of a new block only. */
  public static BlockStoragePolicy of(BlockStoragePolicy policy) {
    return new BlockStoragePolicy(
        policy.getId(),
        policy.getName(),
        policy.getStorageTypes(),
        policy.getCreationFallbacks(),
        policy.getCreationFallbacks());
  }
}
