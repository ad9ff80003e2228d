package io.evenkeel.placement;

import io.evenkeel.common.jmx.NumberedBeans;
import io.evenkeel.common.jmx.Published;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Locale;
import java.util.Map;
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
 * The placement of this JVM's NameNode as a metrics2 source, so that every sink and {@code /prom}
 * show it: one record {@value #SOURCE}. In a mini cluster with several NameNodes it shows the
 * latest. Thread-safe. Separate from the policies, as it serves all NameNodes of a JVM.
 */
final class PlacementMetrics implements MetricsSource {
  static final String BEAN = "io.evenkeel:type=Placement,module=placement";
  static final String SOURCE = "EvenkeelPlacement";

  private static final Logger LOG = LoggerFactory.getLogger(PlacementMetrics.class);
  private static final Published<PlacementBean> PUBLISHED =
      publishedIn(ManagementFactory.getPlatformMBeanServer());
  private static final PlacementMetrics INSTANCE = new PlacementMetrics(PUBLISHED);
  private static final String CONTEXT = "dfs"; // that of the NameNode's own metrics

  private final Published<PlacementBean> published;

  PlacementMetrics(Published<PlacementBean> published) {
    this.published = published;
  }

  static Published<PlacementBean> publishedIn(MBeanServer server) {
    return new Published<>(
        new NumberedBeans(server, BEAN),
        PlacementBean::isGone,
        (where, problem) -> LOG.warn("The placement is not visible in {}: {}", where, problem));
  }

  /** Shows the policies of a NameNode in JMX and metrics. Never throws, only warns. */
  static void publish(PlacementBean bean) {
    PUBLISHED.publish(bean, PlacementMetrics::register);
  }

  private static void register() {
    MetricsSystem system = DefaultMetricsSystem.instance();
    if (system.getSource(SOURCE) != INSTANCE) {
      system.register(SOURCE, "Block placement by Evenkeel", INSTANCE);
    }
  }

  @Override
  public void getMetrics(MetricsCollector collector, boolean all) {
    List<PlacementBean> live = published.live();
    if (!live.isEmpty()) {
      record(collector, live.get(live.size() - 1));
    }
  }

  private static void record(MetricsCollector collector, PlacementBean bean) {
    MetricsRecordBuilder record = collector.addRecord(SOURCE).setContext(CONTEXT);
    record.addCounter(info("Choices", "Choices of DataNodes for a block"), bean.getChoices());
    record.addCounter(info("Replicas", "Replicas and internal blocks chosen"), bean.getReplicas());
    record.addCounter(
        info("ShortChoices", "Choices with fewer replicas than wanted"), bean.getShortChoices());
    record.addCounter(
        info("UndecidedChecks", "Checks that could not know the storage types"),
        bean.getUndecidedChecks());
    record.addGauge(
        info("MisplacedBlocksEstimate", "Blocks a failover would have copied; -1: not known yet"),
        bean.getMisplacedBlocksEstimate());
    counters(record, "Refused", "Refusals of DataNodes: ", bean.getRefusals());
    counters(record, "Relaxed", "Preferences and rules that gave way: ", bean.getRelaxations());
    record.addGauge(
        info("MicrosPerChoice", "Mean time of a choice since start"), bean.getMicrosPerChoice());
    record.addGauge(
        info("ReplicasMaxOverMean", "Replicas on the fullest DataNode over the mean"),
        bean.getReplicasMaxOverMean());
    record.addGauge(
        info("InFlightMaxOverMean", "Blocks in flight on the busiest DataNode over the mean"),
        bean.getInFlightMaxOverMean());
    counters(record, "Observed", "Blocks compared with stock: ", bean.getObserved());
    record.addGauge(
        info(
            "ObservedStockMaxOverMean",
            "New replicas on the DataNode that stock used most, over the mean"),
        bean.getObservedStockMaxOverMean());
    record.addGauge(
        info("ObservedOursMaxOverMean", "The same if this policy had decided"),
        bean.getObservedOursMaxOverMean());
    record.addGauge(info("DataNodes", "DataNodes known"), bean.getDataNodes());
    record.addGauge(
        info("EligibleHosts", "Hosts that could take a replica"), bean.getEligibleHosts());
    record.addGauge(
        info("EligibleRacks", "Racks that could take a replica"), bean.getEligibleRacks());
  }

  private static void counters(
      MetricsRecordBuilder record, String prefix, String text, Map<String, Long> counts) {
    counts.forEach(
        (name, count) -> record.addCounter(info(prefix + camel(name), text + name), count));
  }

  private static String camel(String name) {
    StringBuilder camel = new StringBuilder();
    for (String word : name.split("_")) {
      camel.append(word.charAt(0)).append(word.substring(1).toLowerCase(Locale.ROOT));
    }
    return camel.toString();
  }

  private static MetricsInfo info(String name, String description) {
    return Interns.info(name, description);
  }
}
