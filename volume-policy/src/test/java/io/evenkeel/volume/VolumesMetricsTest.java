package io.evenkeel.volume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.evenkeel.common.jmx.Published;
import io.evenkeel.common.testing.LogLines;
import java.io.IOException;
import java.io.StringWriter;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.management.MBeanServerFactory;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.metrics2.AbstractMetric;
import org.apache.hadoop.metrics2.MetricsRecord;
import org.apache.hadoop.metrics2.MetricsSink;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.MetricsSystem;
import org.apache.hadoop.metrics2.MetricsTag;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a DataNode shows of its volumes in metrics2; the names are API. */
class VolumesMetricsTest {
  private final FakeVolume a = FakeVolume.roomy("data/a", StorageType.DISK);
  private final FakeVolume b = FakeVolume.roomy("data/b", StorageType.DISK);
  private final Published<VolumesBean> published =
      VolumesMetrics.publishedIn(MBeanServerFactory.newMBeanServer());
  private final VolumesMetrics source = new VolumesMetrics(published);

  /** In fields, because the beans hold policies weakly: a local one may be collected early. */
  private final WatchedPolicy watched = new WatchedPolicy();

  private final WatchedPolicy before = new WatchedPolicy();

  @AfterEach
  void endMetrics() {
    DefaultMetricsSystem.shutdown();
  }

  /** Values by metric, of the records with that name and, unless empty, that volume. */
  private List<Map<String, Object>> records(String name, String volume) {
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
      if (record.name().equals(name) && (volume.isEmpty() || volume.equals(values.get("volume")))) {
        found.add(values);
      }
    }
    return found;
  }

  @Test
  void metrics_twoVolumes_areARecordEach() throws IOException {
    published.publish(new VolumesBean(watched.policy), () -> {});
    watched.choose(4, a, b);
    Map<String, Object> record = records(VolumesMetrics.NAME, "/data/b").get(0);
    assertThat(record)
        .containsEntry("storageType", "DISK")
        .containsEntry("deviceClass", "")
        .containsEntry("Context", "dfs")
        .containsEntry("Choices", 2L)
        .containsEntry("Share", 0.5)
        .containsEntry("InUse", 1)
        .containsEntry("AvailableBytes", FakeVolume.ROOMY - (2 << 20));
    assertThat(record.keySet())
        .containsExactlyInAnyOrder(
            "Context",
            "volume",
            "storageType",
            "deviceClass",
            "Choices",
            "WouldHaveChosen",
            "Ejections",
            "Probes",
            "InUse",
            "Share",
            "RecentShare",
            "Weight",
            "InFlight",
            "IdleUsers",
            "Score",
            "AvailableBytes",
            "CapacityBytes",
            "SampleAgeSeconds");
    assertThat(records(VolumesMetrics.NAME, "")).hasSize(2);
    assertThat(records(VolumesMetrics.HEALTH_RECORD, "/data/a").get(0))
        .containsEntry("health", "in_use")
        .containsEntry("Seconds", 0.0);
    assertThat(records(VolumesMetrics.TOTALS_RECORD, "").get(0))
        .containsEntry("Choices", 4L)
        .containsEntry("OutOfSpace", 0L)
        .containsEntry("Rescued", 0L)
        .containsEntry("WouldDiffer", 0L);
  }

  @Test
  void metrics_failingVolume_leavesOutWhatIsNotKnown() {
    published.publish(new VolumesBean(watched.policy), () -> {});
    a.failWith(new IOException("gone"));
    try {
      watched.choose(1, a);
    } catch (IOException e) {
      assertThat(e).hasMessage("gone");
    }
    assertThat(records(VolumesMetrics.NAME, "/data/a").get(0))
        .containsEntry("InUse", 0)
        .doesNotContainKeys("LatencyMillis", "AvailableBytes", "CapacityBytes", "SampleAgeSeconds");
    assertThat(records(VolumesMetrics.HEALTH_RECORD, "/data/a").get(0))
        .containsEntry("health", "failing");
  }

  @Test
  void metrics_twoPoliciesWithOneDirectory_showTheLater() throws IOException {
    published.publish(new VolumesBean(before.policy), () -> {});
    published.publish(new VolumesBean(watched.policy), () -> {});
    before.choose(5, a);
    watched.choose(2, a);
    watched.choose(1, b);
    assertThat(records(VolumesMetrics.NAME, "/data/a"))
        .singleElement()
        .extracting(record -> record.get("Choices"))
        .isEqualTo(2L);
    assertThat(records(VolumesMetrics.NAME, "")).hasSize(2);
  }

  @Test
  void metrics_quoteInADirectory_isReplaced() throws IOException {
    published.publish(new VolumesBean(watched.policy), () -> {});
    watched.choose(1, FakeVolume.roomy("data/%22x%5C", StorageType.DISK));
    assertThat(records(VolumesMetrics.NAME, ""))
        .singleElement()
        .extracting(record -> record.get("volume"))
        .isIn("/data/_x_", "/data/%22x%5C"); // Hadoop 2 gives the path as it is
  }

  @Test
  void publish_metricsSystemEndsAndStartsAgain_isThereAgain() {
    DefaultMetricsSystem.initialize("DataNode");
    VolumesMetrics.publish(watched.policy);
    MetricsSource first = DefaultMetricsSystem.instance().getSource(VolumesMetrics.NAME);
    assertThat(first).isInstanceOf(VolumesMetrics.class);
    VolumesMetrics.publish(new WatchedPolicy().policy);
    DefaultMetricsSystem.shutdown();
    assertThat(DefaultMetricsSystem.instance().getSource(VolumesMetrics.NAME)).isNull();
    DefaultMetricsSystem.initialize("DataNode");
    VolumesMetrics.publish(watched.policy);
    assertThat(DefaultMetricsSystem.instance().getSource(VolumesMetrics.NAME)).isSameAs(first);
  }

  @Test
  void publish_metricsSystemRefuses_warnsOnceAndGoesOn() {
    DefaultMetricsSystem.setMiniClusterMode(false);
    MetricsSystem system = DefaultMetricsSystem.initialize("DataNode");
    system.register(VolumesMetrics.NAME, "this class under another class loader", source);
    try (LogLines log = LogLines.of(LatencyAwareVolumeChoosingPolicy.class)) {
      VolumesMetrics.publish(watched.policy);
      assertThat(log.at("WARN"))
          .singleElement()
          .asString()
          .startsWith("The volumes are not visible in metrics: ")
          .endsWith("Metrics source EvenkeelVolumes already exists!");
    }
  }

  @Test
  void prometheus_eachVolume_isASeriesWithItsLabels() throws Exception {
    Class<?> sinkClass = prometheusSink();
    assumeTrue(sinkClass != null, "this Hadoop has no /prom");
    MetricsSystem system = DefaultMetricsSystem.initialize("DataNode");
    MetricsSink sink = (MetricsSink) sinkClass.getConstructor().newInstance();
    system.register("prometheus", "", sink);
    VolumesMetrics.publish(watched.policy);
    watched.choose(3, FakeVolume.roomy("prom/a", StorageType.DISK));
    watched.choose(5, FakeVolume.roomy("prom/s", StorageType.SSD));
    system.publishMetricsNow();
    StringWriter page = new StringWriter();
    sinkClass.getMethod("writeMetrics", Writer.class).invoke(sink, page);
    assertThat(page.toString().split("\n"))
        .anyMatch(line -> isSeries(line, "evenkeel_volumes_choices", "/prom/a", "DISK", "3"))
        .anyMatch(line -> isSeries(line, "evenkeel_volumes_choices", "/prom/s", "SSD", "5"))
        .anyMatch(line -> isSeries(line, "evenkeel_volumes_recent_share", "/prom/s", "SSD", "1.0"))
        .anyMatch(
            line ->
                isSeries(line, "evenkeel_volume_health_seconds", "/prom/a", "DISK", "0.0")
                    && line.contains("health=\"in_use\""))
        .contains("# TYPE evenkeel_volumes_choices counter", "# TYPE evenkeel_volumes_score gauge")
        .anyMatch(line -> line.startsWith("evenkeel_volume_policy_rescued{"))
        .noneMatch(line -> line.endsWith("NaN"));
  }

  private static boolean isSeries(
      String line, String metric, String volume, String type, String value) {
    return line.startsWith(metric + "{")
        && line.contains("volume=\"" + volume + "\"")
        && line.contains("storagetype=\"" + type + "\"")
        && line.endsWith("} " + value);
  }

  private static Class<?> prometheusSink() {
    try {
      return Class.forName("org.apache.hadoop.metrics2.sink.PrometheusMetricsSink");
    } catch (ClassNotFoundException e) {
      return null;
    }
  }
}
