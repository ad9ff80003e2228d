package io.evenkeel.volume;

import io.evenkeel.volume.VolumeGroups.Counters;
import java.lang.ref.WeakReference;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;

/**
 * Answers JMX for one policy without keeping it alive, and so is not the policy: the platform's
 * MBean server lives as long as the JVM, a policy only as long as its DataNode. Thread-safe.
 */
final class VolumesBean implements VolumesMXBean {
  /** Of the first DataNode; the others of a mini cluster are numbered. */
  static final String NAME = "io.evenkeel:type=Volumes,module=volume";

  private final WeakReference<LatencyAwareVolumeChoosingPolicy<?>> policy;

  VolumesBean(LatencyAwareVolumeChoosingPolicy<?> policy) {
    this.policy = new WeakReference<>(policy);
  }

  /** Null once it has been collected, so that the name is free for another. */
  LatencyAwareVolumeChoosingPolicy<?> policy() {
    return policy.get();
  }

  @Override
  public String getState() {
    LatencyAwareVolumeChoosingPolicy<?> p = policy.get();
    return p == null ? "gone" : p.state().name().toLowerCase(Locale.ROOT);
  }

  @Override
  public long getChoices() {
    return sum(counters -> counters.choices);
  }

  @Override
  public long getOutOfSpace() {
    return sum(counters -> counters.outOfSpace);
  }

  @Override
  public long getRescued() {
    return sum(counters -> counters.rescued);
  }

  @Override
  public long getWouldDiffer() {
    return sum(counters -> counters.wouldDiffer);
  }

  private long sum(Function<Counters, LongAdder> counter) {
    LatencyAwareVolumeChoosingPolicy<?> p = policy.get();
    return p == null ? 0 : counter.apply(p.groups().counters()).sum();
  }

  @Override
  public List<VolumeReport> getVolumes() {
    LatencyAwareVolumeChoosingPolicy<?> p = policy.get();
    return p == null ? Collections.emptyList() : p.volumes();
  }
}
