package io.evenkeel.locking;

import io.evenkeel.common.jmx.NumberedBeans;
import java.lang.management.ManagementFactory;
import javax.management.JMException;
import javax.management.MBeanServer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Names of {@link LocksBean}s in the MBean server of this JVM: {@value #NAME} for the first
 * DataNode, {@code ,instance=2} and so on added for the others of a mini cluster. Thread-safe.
 */
final class LocksJmx {
  static final String NAME = "io.evenkeel:type=Locks,module=locking";

  private static final Logger LOG = LoggerFactory.getLogger(FineGrainedDatasetFactory.class);

  private static final LocksJmx PLATFORM = new LocksJmx(ManagementFactory.getPlatformMBeanServer());

  private final NumberedBeans beans;

  /** Names in a server; {@link #platform} is that of the JVM. */
  LocksJmx(MBeanServer server) {
    this.beans = new NumberedBeans(server, NAME);
  }

  /** The one whose beans {@code /jmx} shows. */
  static LocksJmx platform() {
    return PLATFORM;
  }

  /**
   * Registers a bean under the first free name; a name is free when its DataNode has ended. Never
   * throws: a DataNode must not fail because its JMX is unusual.
   */
  void publish(LockMonitor monitor) {
    try {
      LocksBean bean = new LocksBean(monitor);
      beans.register(bean, bean::isGone);
    } catch (JMException | RuntimeException | LinkageError e) {
      LOG.warn("The locks are not visible in JMX: {}", e.toString());
    }
  }
}
