package io.evenkeel.cli.status.core;

import io.evenkeel.cli.core.Finding;
import io.evenkeel.cli.core.Silence;
import io.evenkeel.common.cli.ExitCode;
import io.evenkeel.common.cli.ReportHead;
import io.evenkeel.common.cli.TextTable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Everything {@code evenkeel status} knows about a cluster, and how it says it. Immutable. */
public final class ClusterReport {
  /** Changes when a member changes its meaning or goes; new members may come without a change. */
  private static final String SCHEMA = "evenkeel.status/2";

  private static final String RED = "\u001b[31m";
  private static final String GREEN = "\u001b[32m";

  private final String source;
  private final List<DaemonReport> daemons;
  private final Set<String> dead;
  private final List<Finding> findings;

  /**
   * Creates it and looks for findings.
   *
   * @param source where the addresses came from, in words
   * @param daemons one per daemon asked
   * @param dead DataNodes the NameNode calls dead, by {@code host:port}
   */
  public ClusterReport(String source, List<DaemonReport> daemons, Set<String> dead) {
    this.source = source;
    this.daemons = Collections.unmodifiableList(new ArrayList<>(daemons));
    this.dead = Collections.unmodifiableSet(new TreeSet<>(dead));
    this.findings = Collections.unmodifiableList(Findings.of(daemons, dead));
  }

  /** Where the addresses came from, in words. */
  public String source() {
    return source;
  }

  /** One per daemon asked: NameNodes, others, DataNodes. */
  public List<DaemonReport> daemons() {
    return daemons;
  }

  /** DataNodes the NameNode calls dead, by {@code host:port}. */
  public Set<String> dead() {
    return dead;
  }

  /** What an operator should look at; empty when all is well. */
  public List<Finding> findings() {
    return findings;
  }

  /**
   * Whether every daemon answered and none has a plugin; not where a NameNode is without DataNodes,
   * which have yet to say so.
   */
  public boolean isStock() {
    boolean nameNodes = false;
    boolean dataNodes = false;
    for (DaemonReport report : daemons) {
      nameNodes |= Daemon.NAMENODE.equals(report.daemon().role());
      dataNodes |= Daemon.DATANODE.equals(report.daemon().role());
    }
    return nameNodes == dataNodes
        && daemons.stream().allMatch(each -> each.hasAnswered() && each.plugins().isEmpty());
  }

  /** 1 when no daemon answered, 2 with findings, else 0. */
  public ExitCode exitCode() {
    if (daemons.stream().noneMatch(DaemonReport::hasAnswered)) {
      return ExitCode.COULD_NOT_RUN;
    }
    return findings.isEmpty() ? ExitCode.OK : ExitCode.FINDING;
  }

  /** Why there is nothing to report, in one line; null when a daemon answered. */
  public String failure() {
    if (exitCode() != ExitCode.COULD_NOT_RUN) {
      return null;
    }
    List<String> reasons = new ArrayList<>();
    for (DaemonReport report : daemons) {
      reasons.add(report.daemon().role() + " " + report.daemon().name() + ": " + report.error());
    }
    return reasons.isEmpty() ? "no daemon to ask" : Silence.of("daemon", reasons);
  }

  /** Maps, lists and plain values in the order that {@code docs/commands-json.md} has. */
  public Map<String, Object> json() {
    Map<String, Object> json = ReportHead.of(SCHEMA, exitCode());
    json.put("source", source);
    json.put("stock", isStock());
    List<Object> answers = new ArrayList<>();
    daemons.forEach(daemon -> answers.add(daemon(daemon)));
    json.put("daemons", answers);
    json.put("deadDataNodes", new ArrayList<>(dead));
    json.put("findings", Finding.json(findings));
    return json;
  }

  private static Map<String, Object> daemon(DaemonReport report) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("role", report.daemon().role());
    json.put("name", report.daemon().name());
    json.put("url", report.daemon().uri().toString());
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
      item.put("settings", settings(plugin.settings()));
      item.put("changedSettings", settings(plugin.changedSettings()));
      item.put("findings", plugin.findings());
      plugins.add(item);
    }
    json.put("plugins", plugins);
    return json;
  }

  private static Map<String, Object> settings(List<String> settings) {
    Map<String, Object> json = new LinkedHashMap<>();
    for (String setting : settings) {
      int equals = setting.indexOf('=');
      json.put(
          equals < 0 ? setting : setting.substring(0, equals),
          equals < 0 ? "" : setting.substring(equals + 1));
    }
    return json;
  }

  /**
   * Lines without trailing blanks, each ended by a line feed: findings, a table, settings. Daemons
   * of a role that say the same share a line, so that a thousand DataNodes stay readable.
   *
   * @param verbose whether settings at their defaults are shown too
   * @param colour whether a terminal shows it
   */
  public String text(boolean verbose, boolean colour) {
    Map<String, List<DaemonReport>> groups = new LinkedHashMap<>();
    Map<String, Integer> perRole = new LinkedHashMap<>();
    for (DaemonReport daemon : daemons) {
      groups.computeIfAbsent(daemon.sameness(), s -> new ArrayList<>()).add(daemon);
      perRole.merge(daemon.daemon().role(), 1, Integer::sum);
    }
    TextTable table = new TextTable("DAEMON", "HADOOP", "PLUGIN", "VERSION", "STATE", "REASON");
    Map<String, List<String>> settings = new LinkedHashMap<>();
    for (List<DaemonReport> group : groups.values()) {
      String label = label(group, perRole.get(group.get(0).daemon().role()));
      addRows(table, label, group.get(0));
      for (PluginReport plugin : group.get(0).plugins()) {
        settings.put(
            plugin.title() + " on " + label,
            verbose ? plugin.settings() : plugin.changedSettings());
      }
    }
    StringBuilder text = new StringBuilder("Cluster: ").append(source).append("\n\n");
    appendVerdict(text, colour);
    table.appendTo(text.append('\n'));
    appendSettings(text, settings);
    return text.toString();
  }

  private static String label(List<DaemonReport> group, int ofRole) {
    DaemonReport first = group.get(0);
    String role = first.daemon().role();
    if (group.size() == 1) {
      String state = first.identity().haState();
      return role + " " + first.daemon().name() + (state.isEmpty() ? "" : " (" + state + ")");
    }
    return group.size() + " of " + ofRole + " " + role + "s";
  }

  private static void addRows(TextTable table, String label, DaemonReport report) {
    String hadoop = report.identity().hadoopVersion();
    if (!report.hasAnswered()) {
      table.add(label, hadoop, "no answer", "", "", report.error());
    } else if (report.plugins().isEmpty()) {
      table.add(label, hadoop, "none (stock)", "", "", "");
    }
    String name = label;
    for (PluginReport plugin : report.plugins()) {
      table.add(name, hadoop, plugin.title(), plugin.version(), plugin.state(), plugin.reason());
      name = "";
      hadoop = "";
    }
  }

  private static void appendSettings(StringBuilder text, Map<String, List<String>> settings) {
    settings.forEach(
        (title, lines) -> {
          text.append("\nSettings of ").append(title);
          text.append(lines.isEmpty() ? ": defaults\n" : ":\n");
          lines.forEach(line -> text.append("  ").append(line).append('\n'));
        });
  }

  private void appendVerdict(StringBuilder text, boolean colour) {
    boolean answered = daemons.stream().anyMatch(DaemonReport::hasAnswered);
    for (Finding finding : findings) {
      text.append(coloured(finding.toString(), RED, colour)).append('\n');
    }
    if (!answered) {
      text.append(coloured("No daemon answered.", RED, colour)).append('\n');
    } else if (findings.isEmpty()) {
      text.append(coloured("No findings.", GREEN, colour)).append('\n');
    }
    if (isStock()) {
      text.append("No Evenkeel plugin is loaded: stock everywhere.\n");
    }
  }

  private static String coloured(String line, String colour, boolean wanted) {
    return wanted ? colour + line + "\u001b[0m" : line;
  }
}
