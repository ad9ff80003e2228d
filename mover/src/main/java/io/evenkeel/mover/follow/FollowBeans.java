package io.evenkeel.mover.follow;

import io.evenkeel.common.jmx.NumberedBeans;
import io.evenkeel.mover.config.FollowKeys;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.management.JMException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Where a daemon's numbers can be seen: JMX, and an HTTP port when one is set. Thread-safe. */
final class FollowBeans implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(FollowBeans.class);
  private static final NumberedBeans BEANS =
      new NumberedBeans(
          ManagementFactory.getPlatformMBeanServer(), "io.evenkeel:type=Mover,name=Follow");

  private final AtomicBoolean gone = new AtomicBoolean();
  private final PrometheusEndpoint endpoint;

  private FollowBeans(PrometheusEndpoint endpoint) {
    this.endpoint = endpoint;
  }

  static FollowBeans publish(FollowSettings settings, FollowCounters counters) throws IOException {
    String address = settings.get(FollowKeys.HTTP_ADDRESS);
    FollowBeans beans =
        new FollowBeans(address.isEmpty() ? null : PrometheusEndpoint.start(address, counters));
    try {
      BEANS.register(counters, beans.gone::get);
    } catch (JMException | RuntimeException e) {
      LOG.warn("Not visible in JMX: {}", e.toString());
    }
    return beans;
  }

  @Override
  public void close() {
    gone.set(true);
    if (endpoint != null) {
      endpoint.close();
    }
  }
}
