package io.evenkeel.cli.status.core;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What one daemon says about one plugin. Immutable. */
public final class PluginReport {
  private final Map<String, Object> bean;

  private PluginReport(Map<String, Object> bean) {
    this.bean = bean;
  }

  /**
   * Reads a plugin bean as {@code /jmx} shows it.
   *
   * @param bean attributes by name; a missing one reads as {@code unknown}
   */
  public static PluginReport of(Map<String, Object> bean) {
    return new PluginReport(bean);
  }

  private List<String> texts(String attribute) {
    List<String> texts = new ArrayList<>();
    Object given = bean.get(attribute);
    if (given instanceof List) {
      ((List<?>) given).forEach(text -> texts.add(String.valueOf(text)));
    }
    return texts;
  }

  private String text(String attribute, String otherwise) {
    Object value = bean.get(attribute);
    return value == null ? otherwise : String.valueOf(value);
  }

  /** Short name of the module. */
  public String module() {
    return text("Module", "unknown");
  }

  /** Fully qualified class name. */
  public String pluginClass() {
    return text("PluginClass", "unknown");
  }

  /** Module and simple class name: what identifies a plugin to a reader. */
  public String title() {
    String name = pluginClass();
    return module() + " " + name.substring(name.lastIndexOf('.') + 1);
  }

  /** Version of the jar. */
  public String version() {
    return text("Version", "unknown");
  }

  /** {@code active}, {@code observe} or {@code fallback}. */
  public String state() {
    return text("State", "unknown");
  }

  /** Why it is in that state; may be empty. */
  public String reason() {
    return text("Reason", "");
  }

  /** Version of the Hadoop it runs in. */
  public String hadoopVersion() {
    return text("HadoopVersion", "unknown");
  }

  /** Settings in force, {@code key=value}. */
  public List<String> settings() {
    return texts("Settings");
  }

  /** Those that differ from their defaults; all of them with an older jar, which does not say. */
  List<String> changedSettings() {
    return bean.get("ChangedSettings") instanceof List ? texts("ChangedSettings") : settings();
  }

  /** What the plugin itself says should be looked at; empty also with an older jar. */
  public List<String> findings() {
    return texts("Findings");
  }

  /** Equal for two daemons whose plugin does the same. */
  String sameness() {
    return String.join(
        "\n", title(), pluginClass(), version(), state(), reason(), settings().toString());
  }
}
