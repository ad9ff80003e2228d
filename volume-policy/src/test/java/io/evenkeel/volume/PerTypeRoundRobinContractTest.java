package io.evenkeel.volume;

import java.util.EnumSet;
import java.util.Set;

/** Keeps every rule on every release; its rotation is exact after a loss as well. */
class PerTypeRoundRobinContractTest extends VolumeChoosingPolicyContract {
  @Override
  Class<?> policyClass() {
    return PerTypeRoundRobinVolumeChoosingPolicy.class;
  }

  @Override
  Set<Capability> capabilities() {
    return EnumSet.complementOf(EnumSet.of(Capability.TURNS_BACK_AFTER_A_LOSS));
  }
}
