package io.evenkeel.locking;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.jmx.Published;
import io.evenkeel.locking.core.Operation;
import io.evenkeel.locking.core.OperationKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.management.MBeanServerFactory;
import org.apache.hadoop.metrics2.AbstractMetric;
import org.apache.hadoop.metrics2.MetricsRecord;
import org.apache.hadoop.metrics2.MetricsTag;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a DataNode shows of its locks in metrics2; the names are API. */
class LocksMetricsTest {
  private final LockMonitorFixture fixture = new LockMonitorFixture();
  private final Published<LocksBean> published =
      LocksMetrics.publishedIn(MBeanServerFactory.newMBeanServer());
  private final LocksMetrics source = new LocksMetrics(published);

  @AfterEach
  void end() {
    fixture.close();
    DefaultMetricsSystem.shutdown();
  }

  private List<Map<String, Object>> records() {
    MetricsCollectorImpl collector = new MetricsCollectorImpl();
    source.getMetrics(collector, true);
    List<Map<String, Object>> found = new ArrayList<>();
    for (MetricsRecord record : collector.getRecords()) {
      Map<String, Object> values = new TreeMap<>();
      for (MetricsTag tag : record.tags()) {
        values.put(tag.name(), tag.value());
      }
      for (AbstractMetric metric : record.metrics()) {
        values.put(metric.name(), metric.value());
      }
      assertThat(record.name()).isEqualTo(LocksMetrics.NAME);
      found.add(values);
    }
    return found;
  }

  @Test
  void metrics_noDataNode_areNone() {
    assertThat(records()).isEmpty();
  }

  @Test
  void metrics_afterHolds_areOneRecord() {
    LockMonitor monitor = fixture.monitor();
    published.publish(new LocksBean(monitor), () -> {});
    LockMonitorFixture.hold(monitor, OperationKind.FINALIZE, 1, "a").close();
    LockMonitorFixture.hold(monitor, OperationKind.APPEND, 2, "b").close();
    monitor.operations().begin(OperationKind.CREATE_RBW, "BP-1", 3).close(); // took no lock
    assertThat(records())
        .singleElement(InstanceOfAssertFactories.map(String.class, Object.class))
        .containsEntry("Context", "dfs")
        .containsEntry("HoldNumOps", 2L)
        .containsEntry("SlowHoldNumOps", 0L)
        .containsEntry("WaitNumOps", 0L)
        .containsEntry("WaitMaxMicros", 0L)
        .containsOnlyKeys(
            "Context",
            "LiveLocks",
            "ThreadsWaiting",
            "LongestHoldMillis",
            "ClosedPools",
            "BrokenRules",
            "SlowHoldNumOps",
            "HoldNumOps",
            "HoldMicros",
            "HoldP50Micros",
            "HoldP99Micros",
            "HoldMaxMicros",
            "WaitNumOps",
            "WaitMicros",
            "WaitP50Micros",
            "WaitP99Micros",
            "WaitMaxMicros");
  }

  @Test
  void totals_twoDataNodes_areTheirSum_withoutOneThatEnded() {
    LockMonitor one = fixture.monitor();
    LockMonitor two = fixture.monitor();
    published.publish(new LocksBean(one), () -> {});
    published.publish(new LocksBean(two), () -> {});
    Operation a = LockMonitorFixture.hold(one, OperationKind.APPEND, 1, "a");
    Operation b = LockMonitorFixture.hold(two, OperationKind.APPEND, 1, "a");
    two.operations().pool("BP-2").gate().close(0);
    assertThat(records().get(0))
        .containsEntry("LiveLocks", 2L)
        .containsEntry("ThreadsWaiting", 0L)
        .containsEntry("ClosedPools", 1L)
        .containsEntry("HoldNumOps", 0L)
        .containsEntry("BrokenRules", 0L);
    b.close();
    a.close();
    assertThat(records().get(0)).containsEntry("HoldNumOps", 2L);
  }

  @Test
  void publish_monitorCloses_isWithdrawn() {
    DefaultMetricsSystem.initialize("DataNode");
    LockMonitor monitor = fixture.monitor();
    monitor.start(LockMonitorFixture.dataset("a"));
    LocksMetrics shared =
        (LocksMetrics) DefaultMetricsSystem.instance().getSource(LocksMetrics.NAME);
    LockMonitorFixture.hold(monitor, OperationKind.APPEND, 1, "a").close();
    MetricsCollectorImpl collector = new MetricsCollectorImpl();
    shared.getMetrics(collector, true);
    assertThat(collector.getRecords()).hasSize(1);
    monitor.close();
    collector = new MetricsCollectorImpl();
    shared.getMetrics(collector, true);
    assertThat(collector.getRecords()).isEmpty();
  }
}
