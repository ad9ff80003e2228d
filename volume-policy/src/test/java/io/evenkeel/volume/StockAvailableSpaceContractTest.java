package io.evenkeel.volume;

import java.util.EnumSet;
import java.util.Set;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.AvailableSpaceVolumeChoosingPolicy;

/**
 * Stock's choice by free space is a round robin while volumes differ by less than 10 GB; it never
 * hands the space to keep free to that round robin.
 */
class StockAvailableSpaceContractTest extends VolumeChoosingPolicyContract {
  @Override
  Class<?> policyClass() {
    return AvailableSpaceVolumeChoosingPolicy.class;
  }

  @Override
  Set<Capability> capabilities() {
    Set<Capability> has = EnumSet.of(Capability.EXACT_ROTATION, Capability.TURNS_BACK_AFTER_A_LOSS);
    if (!SHARED_COUNTER) {
      has.add(Capability.ROTATION_PER_TYPE);
    }
    return has;
  }
}
