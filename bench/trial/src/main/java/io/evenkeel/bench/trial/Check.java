package io.evenkeel.bench.trial;

import java.lang.management.ManagementFactory;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/** What a trial expects. Stateless. */
final class Check {
  private Check() {}

  static void that(boolean holds, String otherwise) {
    if (!holds) {
      throw new AssertionError(otherwise);
    }
  }

  /** That a plugin says it is active. */
  static void active(String module, String className) throws JMException {
    MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
    String simpleName = className.substring(className.lastIndexOf('.') + 1);
    ObjectName name =
        new ObjectName("io.evenkeel:type=Plugin,module=" + module + ",class=" + simpleName);
    that(beans.isRegistered(name), className + " was not started");
    Object state = beans.getAttribute(name, "State");
    that(
        "active".equals(state),
        className + " is " + state + ": " + beans.getAttribute(name, "Reason"));
  }
}
