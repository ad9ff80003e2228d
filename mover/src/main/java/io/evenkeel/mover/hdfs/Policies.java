package io.evenkeel.mover.hdfs;

import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import io.evenkeel.mover.core.plan.Layout;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.FsServerDefaults;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.server.namenode.ErasureCodingPolicyManager;

/** The storage policies, and the layouts they ask for; one layout per kind of file. Thread-safe. */
final class Policies {
  private final BlockStoragePolicy[] policies;
  private final HdfsConnection.Call<FsServerDefaults> defaults;
  private final Map<List<Object>, Layout> layouts = new ConcurrentHashMap<>();

  /**
   * Creates it.
   *
   * @param defaults asked when a file has no policy
   */
  Policies(BlockStoragePolicy[] policies, HdfsConnection.Call<FsServerDefaults> defaults) {
    this.policies = policies.clone();
    this.defaults = defaults;
  }

  private byte defaultId() throws IOException {
    byte id = defaults.run().getDefaultStoragePolicyId();
    return id == HdfsConstants.BLOCK_STORAGE_POLICY_ID_UNSPECIFIED
        ? HdfsConstants.HOT_STORAGE_POLICY_ID
        : id;
  }

  List<String> names() {
    List<String> names = new ArrayList<>();
    for (BlockStoragePolicy policy : policies) {
      names.add(policy.getName());
    }
    return Collections.unmodifiableList(names);
  }

  /** Id of the policy of that name, in any case. */
  byte id(String name) {
    for (BlockStoragePolicy policy : policies) {
      if (policy.getName().equalsIgnoreCase(name)) {
        return policy.getId();
      }
    }
    throw new CommandException(
        ExitCode.USAGE,
        "storage policy " + name + ": unknown; there are " + String.join(", ", names()));
  }

  /**
   * What a file should look like.
   *
   * @param ec null for a replicated file
   */
  Layout layout(byte policyId, int replication, ErasureCodingPolicy ec) throws IOException {
    boolean none = policyId == HdfsConstants.BLOCK_STORAGE_POLICY_ID_UNSPECIFIED;
    byte id = none ? defaultId() : policyId;
    int units = ec == null ? replication : ec.getNumDataUnits() + ec.getNumParityUnits();
    List<Object> key = new ArrayList<>();
    key.add(id);
    key.add(units);
    key.add(ec != null);
    return layouts.computeIfAbsent(key, k -> create(id, units, ec != null));
  }

  private Layout create(byte id, int units, boolean striped) {
    BlockStoragePolicy policy = null;
    for (BlockStoragePolicy candidate : policies) {
      if (candidate.getId() == id) {
        policy = candidate;
      }
    }
    if (policy == null) {
      return new Layout("policy " + id, units, striped, false, n -> Collections.emptyList());
    }
    BlockStoragePolicy known = policy;
    boolean supported =
        !striped || ErasureCodingPolicyManager.checkStoragePolicySuitableForECStripedMode(id);
    return new Layout(policy.getName(), units, striped, supported, n -> types(known, n));
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
