package io.evenkeel.volume;

import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.Map;
import javax.management.InstanceAlreadyExistsException;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
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

  private final MBeanServer server;

  /** By number of the instance; guarded by this. */
  private final Map<Integer, VolumesBean> published = new HashMap<>();

  /** Names in a server; {@link #platform} is that of the JVM. */
  VolumesJmx(MBeanServer server) {
    this.server = server;
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
      register(new VolumesBean(policy));
    } catch (JMException | RuntimeException | LinkageError e) {
      LOG.warn("The volumes are not visible in JMX: {}", e.toString());
    }
  }

  private synchronized void register(VolumesBean bean) throws JMException {
    for (int number = 1; ; number++) {
      VolumesBean before = published.get(number);
      if (before != null && !before.isGone()) {
        continue;
      }
      ObjectName name = new ObjectName(NAME + (number == 1 ? "" : ",instance=" + number));
      if (before != null) {
        unregister(name);
        published.remove(number);
      }
      try {
        server.registerMBean(bean, name);
        published.put(number, bean);
        return;
      } catch (InstanceAlreadyExistsException e) {
        LOG.debug("{} is taken by this class under another class loader", name);
      }
    }
  }

  private void unregister(ObjectName name) throws JMException {
    try {
      server.unregisterMBean(name);
    } catch (InstanceNotFoundException e) {
      LOG.debug("{} was unregistered by somebody else", name);
    }
  }
}
