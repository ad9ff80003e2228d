package io.evenkeel.mover.hdfs;

import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import io.evenkeel.mover.core.plan.WantedTypes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.FsServerDefaults;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.server.namenode.ErasureCodingPolicyManager;

/**
 * The storage policies, and the types they ask for. The list is read again when a file has a policy
 * that is not in it, at most once in {@value #AGAIN_SECONDS} s: a NameNode of a newer release may
 * have more. Thread-safe.
 */
final class StoragePolicies {
  static final long AGAIN_SECONDS = 60;

  private final HdfsConnection.Call<BlockStoragePolicy[]> source;
  private final HdfsConnection.Call<FsServerDefaults> defaults;
  private final LongSupplier nanos;

  // both guarded by this
  private BlockStoragePolicy[] policies;
  private long readAgainAt;

  /**
   * Creates it; one call to {@code source}.
   *
   * @param defaults asked when a file has no policy
   * @param nanos a clock that never goes back, nanoseconds
   */
  StoragePolicies(
      HdfsConnection.Call<BlockStoragePolicy[]> source,
      HdfsConnection.Call<FsServerDefaults> defaults,
      LongSupplier nanos)
      throws IOException {
    this.source = source;
    this.defaults = defaults;
    this.nanos = nanos;
    this.readAgainAt = nanos.getAsLong();
    this.policies = source.run();
  }

  /** Id of the policy of that name, in any case. */
  synchronized byte id(String name) {
    List<String> names = new ArrayList<>();
    for (BlockStoragePolicy policy : policies) {
      if (policy.getName().equalsIgnoreCase(name)) {
        return policy.getId();
      }
      names.add(policy.getName());
    }
    throw new CommandException(
        ExitCode.USAGE,
        "storage policy " + name + ": unknown; there are " + String.join(", ", names));
  }

  /**
   * What a file should look like.
   *
   * @param ec null for a replicated file
   */
  WantedTypes wantedTypes(byte policyId, int replication, ErasureCodingPolicy ec)
      throws IOException {
    boolean none = policyId == HdfsConstants.BLOCK_STORAGE_POLICY_ID_UNSPECIFIED;
    byte id = none ? defaults.run().getDefaultStoragePolicyId() : policyId;
    int units = ec == null ? replication : ec.getNumDataUnits() + ec.getNumParityUnits();
    BlockStoragePolicy policy = policy(id);
    return policy == null
        ? WantedTypes.unknown("storage policy " + id, units, ec != null)
        : wantedTypes(policy, units, ec != null);
  }

  /**
   * Null when the NameNode does not know it either, or was asked not long ago. A call that fails
   * may be made again.
   */
  private synchronized BlockStoragePolicy policy(byte id) throws IOException {
    BlockStoragePolicy policy = listed(id);
    if (policy == null && nanos.getAsLong() - readAgainAt >= 0) {
      policies = source.run();
      readAgainAt = nanos.getAsLong() + TimeUnit.SECONDS.toNanos(AGAIN_SECONDS);
      policy = listed(id);
    }
    return policy;
  }

  private BlockStoragePolicy listed(byte id) {
    for (BlockStoragePolicy policy : policies) {
      if (policy.getId() == id) {
        return policy;
      }
    }
    return null;
  }

  private static WantedTypes wantedTypes(BlockStoragePolicy policy, int units, boolean striped) {
    boolean supported =
        !striped
            || ErasureCodingPolicyManager.checkStoragePolicySuitableForECStripedMode(
                policy.getId());
    return new WantedTypes(policy.getName(), units, striped, supported, n -> types(policy, n));
  }

  /**
   * A DataNode moves nothing to or from RAM_DISK and PROVIDED; what is asked of them is left out.
   */
  private static List<String> types(BlockStoragePolicy policy, int replicas) {
    return policy.chooseStorageTypes((short) Math.min(replicas, Short.MAX_VALUE)).stream()
        .filter(StorageType::isMovable)
        .map(StorageType::name)
        .collect(Collectors.toList());
  }
}
