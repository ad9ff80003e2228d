package io.evenkeel.volume;

import io.evenkeel.common.jmx.NumberedBeans;
import io.evenkeel.common.jmx.Published;
import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import javax.management.MBeanServer;
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
 * The volumes of this JVM as a metrics2 source, so that every sink and {@code /prom} show them.
 *
 * <p>Records: {@code EvenkeelVolumes} per volume; {@code EvenkeelVolumeHealth} per volume with its
 * health as a tag, apart from the first, so that a counter keeps its labels when the health
 * changes; one {@code EvenkeelVolumePolicy} with the totals. A number that is not known is left
 * out. Values are the beans', names stand here: Hadoop's {@code @Metric} knows no value that may be
 * missing and no sum of several beans, and with it 18 getters would have an annotation and each
 * volume a registry, which is no less.
 *
 * <p>One source serves all DataNodes of a JVM, because a name can be registered only once; hence
 * apart from the beans, which hold the policies weakly. Thread-safe.
 */
final class VolumesMetrics implements MetricsSource {
  static final String NAME = "EvenkeelVolumes";
  static final String HEALTH_RECORD = "EvenkeelVolumeHealth";
  static final String TOTALS_RECORD = "EvenkeelVolumePolicy";

  private static final Logger LOG = LoggerFactory.getLogger(LatencyAwareVolumeChoosingPolicy.class);
  private static final String CONTEXT = "dfs"; // that of the DataNode's own metrics
  private static final Published<VolumesBean> PUBLISHED =
      publishedIn(ManagementFactory.getPlatformMBeanServer());
  private static final VolumesMetrics INSTANCE = new VolumesMetrics(PUBLISHED);

  private static final MetricsInfo VOLUME = Interns.info("volume", "Data directory");
  private static final MetricsInfo TYPE = Interns.info("storageType", "Storage type");
  private static final MetricsInfo CLASS = Interns.info("deviceClass", "Device class, or empty");
  private static final MetricsInfo HEALTH = Interns.info("health", "Health");

  private final Published<VolumesBean> published;

  VolumesMetrics(Published<VolumesBean> published) {
    this.published = published;
  }

  static Published<VolumesBean> publishedIn(MBeanServer server) {
    return new Published<>(
        new NumberedBeans(server, VolumesBean.NAME),
        bean -> bean.policy() == null,
        (where, problem) -> LOG.warn("The volumes are not visible in {}: {}", where, problem));
  }

  /** Shows the volumes of a policy in JMX and metrics. Never throws, only warns. */
  static void publish(LatencyAwareVolumeChoosingPolicy<?> policy) {
    PUBLISHED.publish(new VolumesBean(policy), VolumesMetrics::register);
  }

  private static void register() {
    MetricsSystem system = DefaultMetricsSystem.instance();
    if (system.getSource(NAME) != INSTANCE) {
      system.register(NAME, "Volumes as the latency-aware policy sees them", INSTANCE);
    }
  }

  @Override
  public void getMetrics(MetricsCollector collector, boolean all) {
    List<VolumesBean> live = published.live();
    if (live.isEmpty()) {
      return;
    }
    // A directory belongs to one DataNode at a time: after a restart in the same JVM the policy of
    // the earlier one may not have been collected yet, and the later one counts.
    Map<String, VolumeReport> volumes = new LinkedHashMap<>();
    for (VolumesBean bean : live) {
      bean.getVolumes().forEach(r -> volumes.put(r.getStorageType() + " " + r.getDirectory(), r));
    }
    for (VolumeReport volume : volumes.values()) {
      addVolume(collector, volume);
      addHealth(collector, volume);
    }
    collector
        .addRecord(TOTALS_RECORD)
        .setContext(CONTEXT)
        .addCounter(info("Choices", "Choices"), sum(live, VolumesBean::getChoices))
        .addCounter(
            info("OutOfSpace", "Choices that found no volume with room"),
            sum(live, VolumesBean::getOutOfSpace))
        .addCounter(
            info("Rescued", "Choices made by stock after an error"),
            sum(live, VolumesBean::getRescued))
        .addCounter(
            info(
                "WouldDiffer",
                "Choices where this policy would have taken another volume, in observe-only mode"),
            sum(live, VolumesBean::getWouldDiffer));
  }

  private static long sum(List<VolumesBean> beans, ToLongFunction<VolumesBean> counter) {
    return beans.stream().mapToLong(counter).sum();
  }

  private static MetricsRecordBuilder record(
      MetricsCollector collector, String name, VolumeReport volume) {
    return collector
        .addRecord(name)
        .setContext(CONTEXT)
        .tag(VOLUME, label(volume.getDirectory()))
        .tag(TYPE, volume.getStorageType())
        .tag(CLASS, label(volume.getDeviceClass()));
  }

  /** Hadoop's Prometheus page does not escape: one quote in a path would break all of it. */
  private static String label(String text) {
    return text.replaceAll("[\"\\\\\\p{Cntrl}]", "_");
  }

  private static void addVolume(MetricsCollector collector, VolumeReport volume) {
    MetricsRecordBuilder record = record(collector, NAME, volume);
    record.addCounter(info("Choices", "Blocks sent to it"), volume.getChoices());
    record.addCounter(
        info("WouldHaveChosen", "Blocks it would have got, in observe-only mode"),
        volume.getWouldHaveChosen());
    record.addCounter(info("Ejections", "How often it was ejected"), volume.getEjections());
    record.addCounter(info("Probes", "Blocks sent as probes"), volume.getProbes());
    record.addGauge(info("InUse", "1 when in use, 0 when not"), inUse(volume) ? 1 : 0);
    record.addGauge(info("Share", "Fraction of its type's blocks since start"), volume.getShare());
    record.addGauge(
        info("RecentShare", "Fraction of its type's blocks in about the last minute"),
        volume.getRecentShare());
    record.addGauge(info("Weight", "Weight of its device class"), volume.getWeight());
    record.addGauge(info("InFlight", "Users at this moment"), volume.getInFlight());
    record.addGauge(info("IdleUsers", "Users that hardly write"), volume.getIdleUsers());
    record.addGauge(info("Score", "Users that are not idle, over weight"), volume.getScore());
    if (volume.getLatencyMillis() >= 0) {
      record.addGauge(
          info("LatencyMillis", "Recent latency of a write"), volume.getLatencyMillis());
    }
    if (volume.getAvailableBytes() >= 0) {
      record.addGauge(
          info("AvailableBytes", "Free bytes, less what was promised"), volume.getAvailableBytes());
    }
    if (volume.getCapacityBytes() > 0) {
      record.addGauge(info("CapacityBytes", "Bytes in all"), volume.getCapacityBytes());
    }
    if (volume.getSampleAgeSeconds() >= 0) {
      record.addGauge(
          info("SampleAgeSeconds", "Age of its free space"), volume.getSampleAgeSeconds());
    }
  }

  private static boolean inUse(VolumeReport volume) {
    return "in_use".equals(volume.getHealth());
  }

  private static void addHealth(MetricsCollector collector, VolumeReport volume) {
    record(collector, HEALTH_RECORD, volume)
        .tag(HEALTH, volume.getHealth())
        .addGauge(
            info("Seconds", "Seconds in this health; 0 when in use"), volume.getHealthSeconds());
  }

  private static MetricsInfo info(String name, String description) {
    return Interns.info(name, description);
  }
}
