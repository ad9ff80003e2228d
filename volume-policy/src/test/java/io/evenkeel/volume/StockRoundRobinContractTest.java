package io.evenkeel.volume;

import java.util.EnumSet;
import java.util.Set;
import org.apache.hadoop.conf.Configurable;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.RoundRobinVolumeChoosingPolicy;

/**
 * Stock rotates positions in a list, not volumes, and stays on a volume that throws. Up to 2.7 all
 * types share one position (HDFS-9608); the key for space to keep free came with 3.4 (HDFS-16111).
 */
class StockRoundRobinContractTest extends VolumeChoosingPolicyContract {
  @Override
  Class<?> policyClass() {
    return RoundRobinVolumeChoosingPolicy.class;
  }

  @Override
  Set<Capability> capabilities() {
    Set<Capability> has = EnumSet.of(Capability.EXACT_ROTATION, Capability.TURNS_BACK_AFTER_A_LOSS);
    if (!SHARED_COUNTER) {
      has.add(Capability.ROTATION_PER_TYPE);
    }
    if (Configurable.class.isAssignableFrom(policyClass())) {
      has.add(Capability.KEEPS_SPACE_FREE);
    }
    return has;
  }
}
