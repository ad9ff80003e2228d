package io.evenkeel.common.testing;

import java.lang.reflect.Proxy;
import javax.management.MBeanServer;
import javax.management.NotCompliantMBeanException;

/** An MBean server that refuses every call: {@code NotCompliantMBeanException: no}. Stateless. */
public final class RefusingJmx {
  private RefusingJmx() {}

  /** Makes one. */
  public static MBeanServer server() {
    return (MBeanServer)
        Proxy.newProxyInstance(
            MBeanServer.class.getClassLoader(),
            new Class<?>[] {MBeanServer.class},
            (proxy, method, args) -> {
              throw new NotCompliantMBeanException("no");
            });
  }
}
