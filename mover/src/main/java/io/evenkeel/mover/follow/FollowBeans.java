package io.evenkeel.mover.follow;

import io.evenkeel.common.jmx.NumberedBeans;
import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.management.JMException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A daemon's numbers in JMX. Thread-safe. */
final class FollowBeans implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(FollowBeans.class);
  private static final NumberedBeans BEANS =
      new NumberedBeans(
          ManagementFactory.getPlatformMBeanServer(), "io.evenkeel:type=Mover,name=Follow");

  private final AtomicBoolean gone = new AtomicBoolean();

  private FollowBeans() {}

  static FollowBeans publish(FollowCounters counters) {
    FollowBeans beans = new FollowBeans();
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
  }
}
