package io.evenkeel.common.plugin;

import io.evenkeel.common.config.OneLine;
import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URL;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * Publishes the state of a plugin as {@code io.evenkeel:type=Plugin,module=M,class=C}.
 *
 * <p>Registered once per plugin class and JVM; a later instance (a refresh, a second DataNode of a
 * mini cluster) replaces state, reason and settings. Publishing never throws: a daemon must not
 * fail because its JMX is unusual. Thread-safe.
 */
public final class PluginStatus implements PluginMXBean {
  /** What a plugin does at the moment. */
  public enum State {
    /** It decides. */
    ACTIVE,
    /** It watches, counts and lets stock decide. */
    OBSERVE,
    /** Stock decides; the reason says why. */
    FALLBACK
  }

  private static final Map<String, PluginStatus> PUBLISHED = new ConcurrentHashMap<>();

  private final String module;
  private final Class<?> plugin;
  private final String doubled;
  private volatile Report report;
  private volatile List<String> findings = Collections.emptyList();

  /** Why there is no bean, empty when there is one; written before the status is published. */
  private volatile String jmxProblem = "";

  private PluginStatus(String module, Class<?> plugin) {
    this.module = module;
    this.plugin = plugin;
    this.doubled = doubled(plugin);
    this.report =
        new Report(
            State.FALLBACK, "not initialised", "unknown", new ArrayList<>(), new ArrayList<>());
  }

  /**
   * Publishes what one new instance of a plugin does.
   *
   * @return the status bean, never null, even where it could not be registered
   */
  public static PluginStatus publish(String module, Class<?> plugin, Report report) {
    PluginStatus status =
        PUBLISHED.computeIfAbsent(plugin.getName(), name -> register(module, plugin));
    status.show(Objects.requireNonNull(report));
    return status;
  }

  private synchronized void show(Report newest) {
    report = newest;
    findings = Collections.emptyList();
  }

  private static PluginStatus register(String module, Class<?> plugin) {
    PluginStatus status = new PluginStatus(module, plugin);
    try {
      ManagementFactory.getPlatformMBeanServer()
          .registerMBean(
              status,
              new ObjectName(
                  "io.evenkeel:type=Plugin,module=" + module + ",class=" + plugin.getSimpleName()));
    } catch (JMException | RuntimeException e) {
      // Without its bean the plugin still works; the line logged at start says so.
      status.jmxProblem = "; not visible in JMX: " + e;
    }
    return status;
  }

  /** That the plugin is on the class path more than once, as after an upgrade; else empty. */
  private static String doubled(Class<?> plugin) {
    String name = plugin.getName().replace('.', '/') + ".class";
    Map<String, String> byFile = new LinkedHashMap<>();
    try {
      ClassLoader loader = plugin.getClassLoader();
      for (URL url : Collections.list(loader.getResources(name))) {
        String jar = url.toString().replaceFirst("^jar:(?:file:)?", "").replaceFirst("!/.*", "");
        // a link to the same file does no harm
        byFile.putIfAbsent(new File(jar.replace("%20", " ")).getCanonicalPath(), jar);
      }
    } catch (IOException | RuntimeException e) {
      return ""; // it runs, that much is known
    }
    Collection<String> jars = byFile.values();
    return jars.size() < 2
        ? ""
        : OneLine.of(
            "it is on the class path "
                + jars.size()
                + " times and the first is used: "
                + String.join(", ", jars));
  }

  /**
   * Says what an operator should look at, in place of what was said before; not when a later
   * instance has published since.
   *
   * @param of what the instance that found it has published
   */
  public synchronized void found(Report of, List<String> sentences) {
    if (report == of) {
      List<String> lines = new ArrayList<>();
      sentences.forEach(sentence -> lines.add(OneLine.of(sentence)));
      findings = lines;
    }
  }

  /** The line a daemon logs at start: active or not, why, and what was set. */
  public String startLine() {
    Report r = report;
    String line =
        "Evenkeel "
            + plugin.getSimpleName()
            + " "
            + getVersion()
            + " is "
            + getState()
            + (r.reason.isEmpty() ? "" : " (" + r.reason + ")")
            + " on Hadoop "
            + r.hadoopVersion
            + (r.changed.isEmpty() ? ", default settings" : ", settings " + r.changed)
            + (doubled.isEmpty() ? "" : "; " + doubled)
            + jmxProblem;
    return OneLine.of(line);
  }

  @Override
  public String getModule() {
    return module;
  }

  @Override
  public String getPluginClass() {
    return plugin.getName();
  }

  @Override
  public String getVersion() {
    Package p = plugin.getPackage();
    String version = p == null ? null : p.getImplementationVersion();
    return version == null ? "unpackaged" : version;
  }

  @Override
  public String getState() {
    return report.state.name().toLowerCase(java.util.Locale.ROOT);
  }

  @Override
  public String getReason() {
    return report.reason;
  }

  @Override
  public String getHadoopVersion() {
    return report.hadoopVersion;
  }

  @Override
  public String[] getSettings() {
    return report.settings.toArray(new String[0]);
  }

  @Override
  public String[] getChangedSettings() {
    return report.changed.toArray(new String[0]);
  }

  @Override
  public String[] getFindings() {
    List<String> all = new ArrayList<>(findings);
    if (!doubled.isEmpty()) {
      all.add(0, doubled);
    }
    return all.toArray(new String[0]);
  }

  /** An immutable statement of what an instance does. */
  public static final class Report {
    private final State state;
    private final String reason;
    private final String hadoopVersion;
    private final List<String> settings;
    private final List<String> changed;

    private Report(
        State state,
        String reason,
        String hadoopVersion,
        List<String> settings,
        List<String> changed) {
      this.state = state;
      this.reason = reason;
      this.hadoopVersion = hadoopVersion;
      this.settings = settings;
      this.changed = changed;
    }

    /**
     * States what an instance does.
     *
     * @param reason empty when active as configured
     * @param hadoopVersion version of the Hadoop it runs in
     * @param settings values in force by key name
     * @param defaults the default of each key that has one
     */
    public static Report of(
        State state,
        String reason,
        String hadoopVersion,
        Map<String, String> settings,
        Map<String, String> defaults) {
      List<String> lines = new ArrayList<>();
      List<String> changed = new ArrayList<>();
      settings.forEach(
          (key, value) -> {
            lines.add(key + "=" + value);
            if (!value.equals(defaults.get(key))) {
              changed.add(key + "=" + value);
            }
          });
      return new Report(state, reason, hadoopVersion, lines, changed);
    }
  }
}
