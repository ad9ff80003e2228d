package io.evenkeel.common.jmx;

import java.util.HashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import javax.management.InstanceAlreadyExistsException;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/**
 * Beans of one kind in an MBean server, for daemons that may run several times in one JVM: the base
 * name for the first, {@code ,instance=2} and so on added for others. A name is free again when its
 * bean says it is gone. Thread-safe.
 */
public final class NumberedBeans {
  private final MBeanServer server;
  private final String baseName;

  /** By number of the instance; guarded by this. */
  private final Map<Integer, BooleanSupplier> published = new HashMap<>();

  /** Names in a server that start with {@code baseName}. */
  public NumberedBeans(MBeanServer server, String baseName) {
    this.server = server;
    this.baseName = baseName;
  }

  /**
   * Registers a bean under the first free name. Never throws: a daemon must not fail because its
   * JMX is unusual.
   *
   * @param gone whether the name is free for another
   * @param problem told why the bean could not be registered
   */
  public void publish(Object bean, BooleanSupplier gone, Consumer<String> problem) {
    try {
      register(bean, gone);
    } catch (JMException | RuntimeException | LinkageError e) {
      problem.accept(e.toString());
    }
  }

  /** The same for who handles what may go wrong. */
  public synchronized void register(Object bean, BooleanSupplier gone) throws JMException {
    for (int number = 1; ; number++) {
      BooleanSupplier before = published.get(number);
      if (before != null && !before.getAsBoolean()) {
        continue;
      }
      ObjectName name = new ObjectName(baseName + (number == 1 ? "" : ",instance=" + number));
      if (before != null) {
        unregister(name);
        published.remove(number);
      }
      if (registered(bean, name)) {
        published.put(number, gone);
        return;
      }
    }
  }

  /** False when the name is taken, as by this class under another class loader. */
  private boolean registered(Object bean, ObjectName name) throws JMException {
    try {
      server.registerMBean(bean, name);
      return true;
    } catch (InstanceAlreadyExistsException e) {
      return false;
    }
  }

  private void unregister(ObjectName name) throws JMException {
    try {
      server.unregisterMBean(name);
    } catch (InstanceNotFoundException e) {
      return; // somebody else did
    }
  }
}
