package io.evenkeel.locking;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsInfo;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.MetricsSystem;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.metrics2.lib.Interns;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The locks of this JVM as a metrics2 source, so that every sink and {@code /prom} show them.
 *
 * <p>Records: {@code EvenkeelLocks} per operation and volume, times in microseconds since start;
 * one {@code EvenkeelLockTotals}. One source serves all DataNodes of a JVM, because a name can be
 * registered only once; one that has ended is left out. Thread-safe.
 */
final class LocksMetrics implements MetricsSource {
  static final String NAME = "EvenkeelLocks";
  static final String TOTALS_RECORD = "EvenkeelLockTotals";

  private static final Logger LOG = LoggerFactory.getLogger(FineGrainedDatasetFactory.class);
  private static final String CONTEXT = "dfs"; // that of the DataNode's own metrics
  private static final LocksMetrics INSTANCE = new LocksMetrics();

  private static final MetricsInfo OPERATION = Interns.info("operation", "Method of the dataset");
  private static final MetricsInfo VOLUME = Interns.info("volume", "Data directory, or none");

  private final List<LockMonitor> monitors = new CopyOnWriteArrayList<>();

  LocksMetrics() {}

  /** Adds a DataNode. Never throws: a DataNode must not fail because of its metrics. */
  static void publish(LockMonitor monitor) {
    try {
      INSTANCE.add(monitor);
      register(DefaultMetricsSystem.instance());
    } catch (RuntimeException | LinkageError e) {
      LOG.warn("The locks are not visible in metrics: {}", e.toString());
    }
  }

  /** Takes it out again; nothing where it is not in. */
  static void withdraw(LockMonitor monitor) {
    INSTANCE.monitors.remove(monitor);
  }

  /** Once per life of the metrics system: a mini cluster may end it and start it again. */
  private static synchronized void register(MetricsSystem system) {
    if (system.getSource(NAME) != INSTANCE) {
      system.register(NAME, "Locks of blocks", INSTANCE);
    }
  }

  void add(LockMonitor monitor) {
    monitors.add(monitor);
  }

  @Override
  public void getMetrics(MetricsCollector collector, boolean all) {
    if (monitors.isEmpty()) {
      return;
    }
    for (LockMonitor monitor : monitors) {
      for (OperationReport report : LocksBean.reports(monitor)) {
        addOperation(collector, report);
      }
    }
    addTotals(collector);
  }

  private static void addOperation(MetricsCollector collector, OperationReport report) {
    MetricsRecordBuilder record =
        collector
            .addRecord(NAME)
            .setContext(CONTEXT)
            .tag(OPERATION, report.getOperation())
            .tag(VOLUME, label(report.getVolume()));
    record.addCounter(info("HoldNumOps", "How often a lock was held"), report.getHolds());
    record.addCounter(
        info("HoldMicros", "Microseconds locks were held, all together"),
        report.getHoldTotalMicros());
    record.addCounter(
        info("SlowHoldNumOps", "Holds longer than evenkeel.locking.slow-hold"),
        report.getSlowHolds());
    record.addGauge(info("HoldP50Micros", "Median of holds"), report.getHoldP50Micros());
    record.addGauge(info("HoldP99Micros", "99th percentile of holds"), report.getHoldP99Micros());
    record.addGauge(info("HoldMaxMicros", "Longest hold"), report.getHoldMaxMicros());
    record.addCounter(info("WaitNumOps", "How often a lock was not free"), report.getWaits());
    record.addCounter(
        info("WaitMicros", "Microseconds locks were waited for, all together"),
        report.getWaitTotalMicros());
    record.addGauge(info("WaitP50Micros", "Median of waits"), report.getWaitP50Micros());
    record.addGauge(info("WaitP99Micros", "99th percentile of waits"), report.getWaitP99Micros());
    record.addGauge(info("WaitMaxMicros", "Longest wait"), report.getWaitMaxMicros());
  }

  /** Hadoop's Prometheus page does not escape: one quote in a path would break all of it. */
  private static String label(String text) {
    return text.isEmpty() ? "none" : text.replaceAll("[\"\\\\\\p{Cntrl}]", "_");
  }

  private void addTotals(MetricsCollector collector) {
    long live = 0;
    long waiting = 0;
    long longest = 0;
    long waits = 0;
    long broken = 0;
    long closed = 0;
    for (LockMonitor monitor : monitors) {
      live += monitor.operations().liveLocks();
      waiting += monitor.operations().waiting();
      longest = Math.max(longest, longestMillis(monitor));
      waits += monitor.statistics().waits();
      broken += monitor.brokenRules();
      closed += monitor.operations().closedPools().size();
    }
    collector
        .addRecord(TOTALS_RECORD)
        .setContext(CONTEXT)
        .addGauge(info("LiveLocks", "Locks that exist now"), live)
        .addGauge(info("ThreadsWaiting", "Threads that wait for a lock now"), waiting)
        .addGauge(
            info("LongestHoldMillis", "How long the longest holder has had its lock"), longest)
        .addGauge(info("ClosedPools", "Block pools that refuse operations"), closed)
        .addCounter(info("WaitNumOps", "How often a lock was not free"), waits)
        .addCounter(info("BrokenRules", "How often a rule of the locks was broken"), broken);
  }

  private static long longestMillis(LockMonitor monitor) {
    return monitor.holdings().stream()
        .mapToLong(holding -> TimeUnit.NANOSECONDS.toMillis(holding.heldNanos()))
        .max()
        .orElse(0);
  }

  private static MetricsInfo info(String name, String description) {
    return Interns.info(name, description);
  }
}
