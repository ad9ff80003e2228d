package io.evenkeel.placement;

import io.evenkeel.common.jmx.NumberedBeans;
import java.lang.management.ManagementFactory;
import javax.management.JMException;
import org.apache.hadoop.metrics2.MetricsSystem;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shows the policies of a NameNode in JMX and metrics2. Never throws: a NameNode must not fail
 * because its JMX is unusual. Thread-safe.
 */
final class Visible {
  static final String BEAN = "io.evenkeel:type=Placement,module=placement";
  static final String SOURCE = "EvenkeelPlacement";

  private static final Logger LOG = LoggerFactory.getLogger(Visible.class);
  private static final NumberedBeans BEANS =
      new NumberedBeans(ManagementFactory.getPlatformMBeanServer(), BEAN);

  private Visible() {}

  static void publish(PlacementBean bean) {
    try {
      BEANS.register(bean, bean::isGone);
      register(DefaultMetricsSystem.instance(), bean);
    } catch (JMException | RuntimeException | LinkageError e) {
      LOG.warn("The placement is not visible in JMX or metrics: {}", e.toString());
    }
  }

  private static synchronized void register(MetricsSystem system, PlacementBean bean) {
    PlacementMetrics.INSTANCE.add(bean);
    if (system.getSource(SOURCE) != PlacementMetrics.INSTANCE) {
      system.register(SOURCE, "Block placement by Evenkeel", PlacementMetrics.INSTANCE);
    }
  }
}
