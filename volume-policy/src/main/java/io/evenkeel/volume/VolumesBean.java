package io.evenkeel.volume;

import io.evenkeel.common.jmx.NumberedBeans;
import io.evenkeel.volume.VolumeGroups.Counters;
import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers JMX for one policy without keeping it alive, and so is not the policy: the platform's
 * MBean server lives as long as the JVM, a policy only as long as its DataNode. Thread-safe.
 */
final class VolumesBean implements VolumesMXBean {
  /** Of the first DataNode; {@link NumberedBeans} numbers the others of a mini cluster. */
  static final String NAME = "io.evenkeel:type=Volumes,module=volume";

  private static final Logger LOG = LoggerFactory.getLogger(LatencyAwareVolumeChoosingPolicy.class);
  private static final NumberedBeans PLATFORM =
      new NumberedBeans(ManagementFactory.getPlatformMBeanServer(), NAME);

  private final WeakReference<LatencyAwareVolumeChoosingPolicy<?>> policy;

  private VolumesBean(LatencyAwareVolumeChoosingPolicy<?> policy) {
    this.policy = new WeakReference<>(policy);
  }

  /** Shows the volumes of a policy in {@code /jmx}. Never throws, only warns. */
  static void publish(LatencyAwareVolumeChoosingPolicy<?> policy) {
    publish(policy, PLATFORM);
  }

  static void publish(LatencyAwareVolumeChoosingPolicy<?> policy, NumberedBeans beans) {
    VolumesBean bean = new VolumesBean(policy);
    beans.publish(
        bean, bean::isGone, problem -> LOG.warn("The volumes are not visible in JMX: {}", problem));
  }

  /** Whether the policy has been collected, so that the name is free for another. */
  private boolean isGone() {
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
