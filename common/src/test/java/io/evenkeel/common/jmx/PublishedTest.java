package io.evenkeel.common.jmx;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;

class PublishedTest {
  private static final String NAME = "io.evenkeel:type=Daemon";

  private final MBeanServer server = MBeanServerFactory.newMBeanServer();
  private final List<String> warnings = new ArrayList<>();
  private final List<String> registered = new ArrayList<>();
  private final Published<Daemon> published =
      new Published<>(
          new NumberedBeans(server, NAME),
          daemon -> daemon.ended,
          (where, problem) -> warnings.add(where + ": " + problem));

  /** What a daemon shows. */
  public interface DaemonMXBean {
    int getPort();
  }

  /** A daemon. */
  public static final class Daemon implements DaemonMXBean {
    private final int port;
    private boolean ended;

    Daemon(int port) {
      this.port = port;
    }

    @Override
    public int getPort() {
      return port;
    }
  }

  private Daemon publish(int port) {
    Daemon daemon = new Daemon(port);
    published.publish(daemon, () -> registered.add("port " + port));
    return daemon;
  }

  private Set<String> names() {
    Set<String> names = new TreeSet<>();
    server.queryNames(null, null).stream()
        .map(ObjectName::toString)
        .filter(name -> name.startsWith("io.evenkeel:"))
        .forEach(names::add);
    return names;
  }

  @Test
  void publish_several_numbersThemAndShowsAllInOrder() {
    Daemon first = publish(1);
    Daemon second = publish(2);
    assertThat(names()).containsExactly(NAME, NAME + ",instance=2");
    assertThat(published.live()).containsExactly(first, second);
    assertThat(registered).containsExactly("port 1", "port 2");
    assertThat(warnings).isEmpty();
  }

  @Test
  void live_oneHasEnded_leavesItOutAndGivesItsNameToTheNext() throws Exception {
    Daemon first = publish(1);
    Daemon second = publish(2);
    first.ended = true;
    assertThat(published.live()).containsExactly(second);
    Daemon third = publish(3);
    assertThat(published.live()).containsExactly(second, third);
    assertThat(server.getAttribute(new ObjectName(NAME), "Port")).isEqualTo(3);
    first.ended = false;
    assertThat(published.live()).as("it was forgotten").doesNotContain(first);
  }

  @Test
  void publish_noBean_warnsAndIsInTheMetrics() {
    Published<String> texts =
        new Published<>(
            new NumberedBeans(server, NAME),
            text -> false,
            (where, problem) -> warnings.add(where + ": " + problem));
    texts.publish("is no MBean", () -> registered.add("once"));
    assertThat(warnings)
        .singleElement()
        .asString()
        .startsWith("JMX: javax.management.NotCompliantMBeanException");
    assertThat(texts.live()).containsExactly("is no MBean");
    assertThat(registered).containsExactly("once");
  }

  @Test
  void publish_metricsSystemRefuses_warnsAndIsInJmx() {
    published.publish(
        new Daemon(1),
        () -> {
          throw new IllegalStateException("exists");
        });
    published.publish(
        new Daemon(2),
        () -> {
          throw new NoClassDefFoundError("Metrics");
        });
    assertThat(warnings)
        .containsExactly(
            "metrics: java.lang.IllegalStateException: exists",
            "metrics: java.lang.NoClassDefFoundError: Metrics");
    assertThat(names()).hasSize(2);
  }
}
