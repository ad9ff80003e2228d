package io.evenkeel.cli.status.core;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The JSON form of a report; its schema is documented in {@code docs/commands.md}. Stateless. */
public final class StatusJson {
  /** Changes when a member changes its meaning or goes; new members may come without a change. */
  public static final String SCHEMA = "evenkeel.status/1";

  private StatusJson() {}

  /** Maps, lists and plain values in the documented order. */
  public static Map<String, Object> of(ClusterReport report, String toolVersion) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("schema", SCHEMA);
    json.put("evenkeel", toolVersion);
    json.put("source", report.source());
    json.put("exitCode", report.exitCode().code());
    json.put("stock", report.isStock());
    List<Object> daemons = new ArrayList<>();
    report.daemons().forEach(daemon -> daemons.add(daemon(daemon)));
    json.put("daemons", daemons);
    json.put("deadDataNodes", new ArrayList<>(report.dead()));
    List<Object> findings = new ArrayList<>();
    for (Finding finding : report.findings()) {
      Map<String, Object> item = new LinkedHashMap<>();
      item.put("kind", finding.kind().label());
      item.put("role", finding.role());
      item.put("plugin", finding.plugin());
      item.put("message", finding.message());
      findings.add(item);
    }
    json.put("findings", findings);
    return json;
  }

  private static Map<String, Object> daemon(DaemonReport report) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("role", report.daemon().role());
    json.put("url", report.daemon().uri().toString());
    json.put("answered", report.hasAnswered());
    json.put("error", report.error());
    json.put("hadoopVersion", report.identity().hadoopVersion());
    json.put("haState", report.identity().haState());
    List<Object> plugins = new ArrayList<>();
    for (PluginReport plugin : report.plugins()) {
      Map<String, Object> item = new LinkedHashMap<>();
      item.put("module", plugin.module());
      item.put("class", plugin.pluginClass());
      item.put("version", plugin.version());
      item.put("state", plugin.state());
      item.put("reason", plugin.reason());
      item.put("hadoopVersion", plugin.hadoopVersion());
      item.put("settings", settings(plugin));
      item.put("findings", plugin.findings());
      item.put("instances", plugin.instances());
      plugins.add(item);
    }
    json.put("plugins", plugins);
    return json;
  }

  private static Map<String, Object> settings(PluginReport plugin) {
    Map<String, Object> json = new LinkedHashMap<>();
    for (String setting : plugin.settings()) {
      int equals = setting.indexOf('=');
      json.put(
          equals < 0 ? setting : setting.substring(0, equals),
          equals < 0 ? "" : setting.substring(equals + 1));
    }
    return json;
  }
}
