package io.evenkeel.bench.demo;

import java.lang.management.ManagementFactory;

/** CPU time of this JVM, which runs all daemons. Stateless. */
final class CpuClock {
  /** CPU seconds used since the JVM started, all threads; 0 where the JVM cannot tell. */
  double seconds() {
    return ManagementFactory.getOperatingSystemMXBean()
            instanceof com.sun.management.OperatingSystemMXBean os
        ? Math.max(0, os.getProcessCpuTime()) / 1e9
        : 0;
  }
}
