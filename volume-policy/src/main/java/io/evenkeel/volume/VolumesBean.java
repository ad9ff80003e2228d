package io.evenkeel.volume;

import io.evenkeel.volume.VolumeGroups.Counters;
import java.lang.ref.WeakReference;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;

/**
 * Answers JMX for one policy without keeping it alive: the platform's MBean server lives as long as
 * the JVM, a policy only as long as its DataNode. Thread-safe.
 */
final class VolumesBean implements VolumesMXBean {
  private final WeakReference<LatencyAwareVolumeChoosingPolicy<?>> policy;

  VolumesBean(LatencyAwareVolumeChoosingPolicy<?> policy) {
    this.policy = new WeakReference<>(policy);
  }

  /** Whether the policy has been collected, so that the name is free for another. */
  boolean isGone() {
    return policy.get() == null;
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
