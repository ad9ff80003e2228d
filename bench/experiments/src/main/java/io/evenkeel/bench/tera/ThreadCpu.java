package io.evenkeel.bench.tera;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.Callable;

/** Processor time of the calling thread, which others on the machine do not add to. Stateless. */
final class ThreadCpu {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private ThreadCpu() {}

  /** Processor time of one call, in nanoseconds. */
  static long nanos(Callable<?> call) throws Exception {
    long before = THREADS.getCurrentThreadCpuTime();
    call.call();
    return THREADS.getCurrentThreadCpuTime() - before;
  }
}
