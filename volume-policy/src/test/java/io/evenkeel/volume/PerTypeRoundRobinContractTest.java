package io.evenkeel.volume;

import java.util.EnumSet;
import java.util.Set;

/** Keeps every rule on every release. */
class PerTypeRoundRobinContractTest extends VolumeChoosingPolicyContract {
  @Override
  Class<?> policyClass() {
    return PerTypeRoundRobinVolumeChoosingPolicy.class;
  }

  @Override
  Set<Capability> capabilities() {
    return EnumSet.allOf(Capability.class);
  }
}
