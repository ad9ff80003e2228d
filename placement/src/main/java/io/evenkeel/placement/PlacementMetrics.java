package io.evenkeel.placement;

import io.evenkeel.common.jmx.NumberedBeans;
import io.evenkeel.common.jmx.Published;
import java.lang.management.ManagementFactory;
import java.util.List;
import javax.management.MBeanServer;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.MetricsSystem;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
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
      live.get(live.size() - 1).getMetrics(collector, all);
    }
  }
}
