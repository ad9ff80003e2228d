package io.evenkeel.volume;

import io.evenkeel.common.jmx.NumberedBeans;
import java.lang.management.ManagementFactory;
import javax.management.JMException;
import javax.management.MBeanServer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Names of {@link VolumesBean}s in the MBean server of this JVM: {@value #NAME} for the first
 * DataNode, {@code ,instance=2} and so on added for the others of a mini cluster. Thread-safe.
 */
final class VolumesJmx {
  static final String NAME = "io.evenkeel:type=Volumes,module=volume";

  private static final Logger LOG = LoggerFactory.getLogger(LatencyAwareVolumeChoosingPolicy.class);

  private static final VolumesJmx PLATFORM =
      new VolumesJmx(ManagementFactory.getPlatformMBeanServer());

  private final NumberedBeans beans;

  /** Names in a server; {@link #platform} is that of the JVM. */
  VolumesJmx(MBeanServer server) {
    this.beans = new NumberedBeans(server, NAME);
  }

  /** The one whose beans {@code /jmx} shows. */
  static VolumesJmx platform() {
    return PLATFORM;
  }

  /**
   * Registers a bean under the first free name; a name is free when its policy is gone. Never
   * throws: a DataNode must not fail because its JMX is unusual.
   */
  void publish(LatencyAwareVolumeChoosingPolicy<?> policy) {
    try {
      VolumesBean bean = new VolumesBean(policy);
      beans.register(bean, bean::isGone);
    } catch (JMException | RuntimeException | LinkageError e) {
      LOG.warn("The volumes are not visible in JMX: {}", e.toString());
    }
  }
}
