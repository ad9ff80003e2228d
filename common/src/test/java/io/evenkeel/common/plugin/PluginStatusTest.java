package io.evenkeel.common.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.config.Nearest;
import io.evenkeel.common.config.OneLine;
import io.evenkeel.common.plugin.PluginStatus.Report;
import io.evenkeel.common.plugin.PluginStatus.State;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarOutputStream;
import java.util.zip.ZipEntry;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Tag("once")
class PluginStatusTest {
  private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();

  private static Report report(State state, String reason) {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("evenkeel.test.choices", "2");
    settings.put("evenkeel.test.pause", "5s");
    return Report.of(state, reason, "3.4.3", settings, Map.of("evenkeel.test.choices", "2"));
  }

  private Object attribute(String bean, String name) throws Exception {
    return server.getAttribute(new ObjectName(bean), name);
  }

  /** A plugin; each test has one of its own because a JVM registers each class once. */
  private static final class Seen {}

  @Test
  void publish_onePlugin_isReadThroughThePlatformServer() throws Exception {
    PluginStatus.publish("test", Seen.class, report(State.ACTIVE, ""));
    String bean = "io.evenkeel:type=Plugin,module=test,class=Seen";
    assertThat(attribute(bean, "Module")).isEqualTo("test");
    assertThat(attribute(bean, "PluginClass")).isEqualTo(Seen.class.getName());
    assertThat(attribute(bean, "Version")).isEqualTo("unpackaged");
    assertThat(attribute(bean, "State")).isEqualTo("active");
    assertThat(attribute(bean, "Reason")).isEqualTo("");
    assertThat(attribute(bean, "HadoopVersion")).isEqualTo("3.4.3");
    assertThat((String[]) attribute(bean, "Settings"))
        .containsExactly("evenkeel.test.choices=2", "evenkeel.test.pause=5s");
    assertThat((String[]) attribute(bean, "ChangedSettings"))
        .containsExactly("evenkeel.test.pause=5s");
  }

  @Test
  void startLine_nothingSet_saysSo() {
    Map<String, String> settings = Map.of("evenkeel.test.choices", "2");
    Report report = Report.of(State.ACTIVE, "", "3.4.3", settings, settings);
    assertThat(PluginStatus.publish("test", Unset.class, report).startLine())
        .isEqualTo("Evenkeel Unset unpackaged is active on Hadoop 3.4.3, default settings");
  }

  private static final class Unset {}

  /** As after an upgrade that left the old jar beside the new one. */
  @Test
  void publish_jarTwiceOnTheClassPath_isAFindingAndInTheStartLine(@TempDir Path dir)
      throws Exception {
    String name = OneLine.class.getName().replace('.', '/') + ".class";
    List<URL> path = new ArrayList<>();
    for (String version : new String[] {"0.1.0", "0.2.0"}) {
      Path jar = dir.resolve("evenkeel-test-" + version + ".jar");
      try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
          InputStream in = OneLine.class.getClassLoader().getResourceAsStream(name)) {
        out.putNextEntry(new ZipEntry(name));
        in.transferTo(out);
      }
      path.add(jar.toUri().toURL());
    }
    try (URLClassLoader loader = new URLClassLoader(path.toArray(new URL[0]), null)) {
      Class<?> plugin = loader.loadClass(OneLine.class.getName());
      PluginStatus status = PluginStatus.publish("test", plugin, report(State.ACTIVE, ""));
      assertThat(status.getFindings())
          .singleElement()
          .asString()
          .startsWith("it is on the class path 2 times and the first is used: " + dir)
          .contains("evenkeel-test-0.1.0.jar, ")
          .endsWith("evenkeel-test-0.2.0.jar");
      assertThat(status.startLine()).contains("2 times");
    }
  }

  /** A link in share/hadoop/hdfs/lib beside the shell profile: it is the same file. */
  @Test
  void publish_jarThatIsThereByALinkToo_isNoFinding(@TempDir Path dir) throws Exception {
    String name = Nearest.class.getName().replace('.', '/') + ".class";
    Path jar = dir.resolve("evenkeel-test-0.1.0.jar");
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
        InputStream in = Nearest.class.getClassLoader().getResourceAsStream(name)) {
      out.putNextEntry(new ZipEntry(name));
      in.transferTo(out);
    }
    Path link = Files.createSymbolicLink(dir.resolve("a link.jar"), jar);
    URL[] path = {link.toUri().toURL(), jar.toUri().toURL()};
    try (URLClassLoader loader = new URLClassLoader(path, null)) {
      Class<?> plugin = loader.loadClass(Nearest.class.getName());
      PluginStatus status = PluginStatus.publish("test", plugin, report(State.ACTIVE, ""));
      assertThat(status.getFindings()).isEmpty();
    }
  }

  private static final class Followed {}

  @Test
  void found_byAnInstanceThatWasReplaced_isNotShown() {
    Report before = report(State.ACTIVE, "");
    Report now = report(State.ACTIVE, "");
    PluginStatus status = PluginStatus.publish("test", Followed.class, before);
    status.found(before, List.of("first"));
    assertThat(status.getFindings()).containsExactly("first");
    PluginStatus.publish("test", Followed.class, now);
    assertThat(status.getFindings()).isEmpty();
    status.found(now, List.of("second"));
    status.found(before, List.of("late"));
    assertThat(status.getFindings()).containsExactly("second");
  }

  private static final class Replaced {}

  @Test
  void publish_laterInstance_replacesTheReport() throws Exception {
    PluginStatus first = PluginStatus.publish("test", Replaced.class, report(State.ACTIVE, ""));
    PluginStatus second =
        PluginStatus.publish("test", Replaced.class, report(State.FALLBACK, "untested release"));
    assertThat(second).isSameAs(first);
    String bean = "io.evenkeel:type=Plugin,module=test,class=Replaced";
    assertThat(attribute(bean, "State")).isEqualTo("fallback");
    assertThat(attribute(bean, "Reason")).isEqualTo("untested release");
  }

  private static final class Taken {}

  @Test
  void publish_nameAlreadyTaken_stillGivesAStatus() throws Exception {
    ObjectName name = new ObjectName("io.evenkeel:type=Plugin,module=test,class=Taken");
    server.registerMBean(new javax.management.timer.Timer(), name);
    try {
      PluginStatus status = PluginStatus.publish("test", Taken.class, report(State.OBSERVE, ""));
      assertThat(status.getState()).isEqualTo("observe");
      assertThat(status.startLine()).contains("not visible in JMX").doesNotContain("\n");
    } finally {
      server.unregisterMBean(name);
    }
  }

  private static final class Odd {}

  @Test
  void publish_moduleThatIsNoJmxName_stillGivesAStatus() {
    PluginStatus status = PluginStatus.publish("a:b=*", Odd.class, report(State.ACTIVE, ""));
    assertThat(status.getModule()).isEqualTo("a:b=*");
  }

  private static final class Line {}

  @Test
  void startLine_fallback_saysStateReasonReleaseAndSettings() {
    assertThat(
            PluginStatus.publish("test", Line.class, report(State.FALLBACK, "not tested"))
                .startLine())
        .isEqualTo(
            "Evenkeel Line unpackaged is fallback (not tested) on Hadoop 3.4.3,"
                + " settings [evenkeel.test.pause=5s]");
  }

  private static final class Broken {}

  @Test
  void startLine_lineBreakInASetting_staysOneLine() {
    Report report =
        Report.of(State.ACTIVE, "", "3.4.3", Map.of("evenkeel.test.dirs", "/a,\n/b"), Map.of());
    assertThat(PluginStatus.publish("test", Broken.class, report).startLine())
        .contains("[evenkeel.test.dirs=/a,\\n/b]")
        .doesNotContain("\n");
  }

  private static final class Shared {}

  @Test
  @Timeout(30)
  void publish_manyThreads_haveOneBean() throws Exception {
    int threads = 4;
    int each = 500;
    Set<PluginStatus> published = ConcurrentHashMap.newKeySet();
    CountDownLatch start = new CountDownLatch(1);
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    for (int t = 0; t < threads; t++) {
      pool.execute(
          () -> {
            awaitQuietly(start);
            for (int i = 0; i < each; i++) {
              published.add(PluginStatus.publish("test", Shared.class, report(State.ACTIVE, "")));
            }
          });
    }
    start.countDown();
    pool.shutdown();
    assertThat(pool.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
    assertThat(published).hasSize(1);
    assertThat(attribute("io.evenkeel:type=Plugin,module=test,class=Shared", "State"))
        .isEqualTo("active");
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
