package io.evenkeel.placement;

import java.lang.management.ManagementFactory;
import java.util.List;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Shows a mapping as {@value #NAME}; the last one configured in a JVM. Thread-safe. */
final class MappingBean implements NodeGroupMappingMXBean {
  static final String NAME = "io.evenkeel:type=NodeGroupMapping,module=placement";

  private static final Logger LOG = LoggerFactory.getLogger(NodeGroupMapping.class);
  private static final int MOST_HOSTS = 100;

  private final NodeGroupMapping mapping;

  private MappingBean(NodeGroupMapping mapping) {
    this.mapping = mapping;
  }

  /** Registers a mapping in place of the one before. Never throws: JMX must not stop a daemon. */
  static void publish(NodeGroupMapping mapping) {
    try {
      replace(ManagementFactory.getPlatformMBeanServer(), new MappingBean(mapping));
    } catch (JMException | RuntimeException | LinkageError e) {
      LOG.warn("The mapping is not visible in JMX: {}", e.toString());
    }
  }

  private static synchronized void replace(MBeanServer server, MappingBean bean)
      throws JMException {
    ObjectName name = new ObjectName(NAME);
    if (server.isRegistered(name)) {
      server.unregisterMBean(name);
    }
    server.registerMBean(bean, name);
  }

  @Override
  public String getWrapped() {
    return mapping.site().toString();
  }

  @Override
  public long getNames() {
    return mapping.watch().names();
  }

  @Override
  public long getUnknown() {
    return mapping.watch().unknown();
  }

  @Override
  public long getFailures() {
    return mapping.watch().failures();
  }

  @Override
  public String[] getUnknownHosts() {
    List<String> hosts = mapping.watch().unknownHosts();
    return hosts.subList(0, Math.min(MOST_HOSTS, hosts.size())).toArray(new String[0]);
  }

  @Override
  public int getRepeatedNodeGroups() {
    return mapping.watch().repeatedGroups();
  }

  @Override
  public String getLastCheck() {
    return mapping.check().outcome();
  }

  @Override
  public void reload() {
    mapping.reloadCachedMappings();
  }
}
