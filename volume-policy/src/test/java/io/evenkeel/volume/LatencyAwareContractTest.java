package io.evenkeel.volume;

import java.util.EnumSet;
import java.util.Set;

/**
 * Volumes without work rotate as exactly as in the round robin. A failing volume is avoided and
 * fails ever fewer choices, see {@link LatencyAwareVolumeChoosingPolicyTest}.
 */
class LatencyAwareContractTest extends VolumeChoosingPolicyContract {
  @Override
  Class<?> policyClass() {
    return LatencyAwareVolumeChoosingPolicy.class;
  }

  @Override
  Set<Capability> capabilities() {
    return EnumSet.complementOf(EnumSet.of(Capability.OUTLIVES_A_FAILING_VOLUME));
  }
}
