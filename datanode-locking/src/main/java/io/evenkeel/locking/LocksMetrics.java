package io.evenkeel.locking;

import io.evenkeel.common.jmx.NumberedBeans;
import io.evenkeel.common.jmx.Published;
import io.evenkeel.locking.core.TimeHistogram;
import java.lang.management.ManagementFactory;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import javax.management.MBeanServer;
import org.apache.hadoop.metrics2.MetricsCollector;
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
 * <p>One record {@code EvenkeelLocks}, times in microseconds since start. One source serves all
 * DataNodes of a JVM, because a name can be registered only once: counts are their sums,
 * percentiles and maxima those of the worst. One that has ended is left out. Hence apart from
 * {@link LockMonitor}, which is of one DataNode. Only 3 of the 17 numbers are also those of a
 * getter of {@link LocksBean}; Hadoop's {@code @Metric} would make this longer. Thread-safe.
 */
final class LocksMetrics implements MetricsSource {
  static final String NAME = "EvenkeelLocks";

  private static final Logger LOG = LoggerFactory.getLogger(FineGrainedDatasetFactory.class);
  private static final String CONTEXT = "dfs"; // that of the DataNode's own metrics
  private static final double P50 = 0.5;
  private static final double P99 = 0.99;
  private static final Published<LocksBean> PUBLISHED =
      publishedIn(ManagementFactory.getPlatformMBeanServer());
  private static final LocksMetrics INSTANCE = new LocksMetrics(PUBLISHED);

  private final Published<LocksBean> published;

  LocksMetrics(Published<LocksBean> published) {
    this.published = published;
  }

  static Published<LocksBean> publishedIn(MBeanServer server) {
    return new Published<>(
        new NumberedBeans(server, LocksBean.NAME),
        LocksBean::isGone,
        (where, problem) -> LOG.warn("The locks are not visible in {}: {}", where, problem));
  }

  /** Shows the locks of a DataNode in JMX and metrics until it ends. Never throws, only warns. */
  static void publish(LockMonitor monitor) {
    PUBLISHED.publish(new LocksBean(monitor), LocksMetrics::register);
  }

  private static void register() {
    MetricsSystem system = DefaultMetricsSystem.instance();
    if (system.getSource(NAME) != INSTANCE) {
      system.register(NAME, "Locks of blocks", INSTANCE);
    }
  }

  private Stream<LockMonitor> monitors() {
    return published.live().stream().map(LocksBean::live).filter(Objects::nonNull);
  }

  @Override
  public void getMetrics(MetricsCollector collector, boolean all) {
    if (published.live().isEmpty()) {
      return;
    }
    MetricsRecordBuilder record = collector.addRecord(NAME).setContext(CONTEXT);
    gauge(record, "LiveLocks", "Locks that exist now", sum(m -> m.operations().liveLocks()));
    gauge(
        record,
        "ThreadsWaiting",
        "Threads that wait for a lock now",
        sum(m -> m.operations().waiting()));
    gauge(
        record,
        "LongestHoldMillis",
        "How long the longest holder has had its lock",
        max(LocksMetrics::longestMillis));
    gauge(
        record,
        "ClosedPools",
        "Block pools that refuse operations",
        sum(m -> m.operations().closedPools().size()));
    counter(
        record,
        "BrokenRules",
        "How often a rule of the locks was broken",
        sum(m -> m.operations().brokenRules()));
    counter(
        record,
        "SlowHoldNumOps",
        "Holds longer than evenkeel.locking.slow-hold",
        sum(m -> m.statistics().slowHolds()));
    add(record, "Hold", "locks were held", m -> m.statistics().held());
    add(
        record,
        "Wait",
        "threads waited for locks that were not free",
        m -> m.statistics().waited());
  }

  private void add(
      MetricsRecordBuilder record,
      String name,
      String what,
      Function<LockMonitor, TimeHistogram> times) {
    counter(record, name + "NumOps", "How often " + what, sum(m -> times.apply(m).count()));
    counter(
        record,
        name + "Micros",
        "Microseconds " + what + ", all together",
        sum(m -> times.apply(m).totalMicros()));
    gauge(
        record,
        name + "P50Micros",
        "Microseconds " + what + ", median",
        max(m -> times.apply(m).percentileMicros(P50)));
    gauge(
        record,
        name + "P99Micros",
        "Microseconds " + what + ", 99th percentile",
        max(m -> times.apply(m).percentileMicros(P99)));
    gauge(
        record,
        name + "MaxMicros",
        "Microseconds " + what + ", at most",
        max(m -> times.apply(m).maxMicros()));
  }

  private long sum(ToLongFunction<LockMonitor> figure) {
    return monitors().mapToLong(figure).sum();
  }

  private long max(ToLongFunction<LockMonitor> figure) {
    return monitors().mapToLong(figure).max().orElse(0);
  }

  private static long longestMillis(LockMonitor monitor) {
    return monitor.holdings().stream()
        .mapToLong(holding -> TimeUnit.NANOSECONDS.toMillis(holding.heldNanos()))
        .max()
        .orElse(0);
  }

  private static void gauge(MetricsRecordBuilder record, String name, String what, long value) {
    record.addGauge(Interns.info(name, what), value);
  }

  private static void counter(MetricsRecordBuilder record, String name, String what, long value) {
    record.addCounter(Interns.info(name, what), value);
  }
}
