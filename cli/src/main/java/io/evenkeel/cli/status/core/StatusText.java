package io.evenkeel.cli.status.core;

import io.evenkeel.cli.core.TextTable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The human form of a report: one aligned table, settings below, findings last. Daemons of a role
 * that say the same share a line, so that a thousand DataNodes stay readable. Stateless.
 */
public final class StatusText {
  private StatusText() {}

  /** Lines without trailing blanks, each ended by a line feed. */
  public static String of(ClusterReport report) {
    Map<String, List<DaemonReport>> groups = new LinkedHashMap<>();
    Map<String, Integer> perRole = new LinkedHashMap<>();
    for (DaemonReport daemon : report.daemons()) {
      groups.computeIfAbsent(daemon.sameness(), s -> new ArrayList<>()).add(daemon);
      perRole.merge(daemon.daemon().role(), 1, Integer::sum);
    }
    TextTable table = new TextTable("DAEMON", "HADOOP", "PLUGIN", "VERSION", "STATE", "REASON");
    Map<String, List<String>> settings = new LinkedHashMap<>();
    for (List<DaemonReport> group : groups.values()) {
      String label = label(group, perRole.get(group.get(0).daemon().role()));
      addRows(table, label, group.get(0));
      for (PluginReport plugin : group.get(0).plugins()) {
        settings.put(plugin.title() + " on " + label, plugin.settings());
      }
    }
    StringBuilder text = new StringBuilder("Cluster: ").append(report.source()).append("\n\n");
    table.appendTo(text);
    appendSettings(text, settings);
    appendVerdict(text, report);
    return text.toString();
  }

  private static String label(List<DaemonReport> group, int ofRole) {
    DaemonReport first = group.get(0);
    String role = first.daemon().role();
    if (group.size() == 1) {
      String state = first.identity().haState();
      return role + " " + first.daemon().address() + (state.isEmpty() ? "" : " (" + state + ")");
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
          text.append("\nSettings of ").append(title).append(":\n");
          lines.forEach(line -> text.append("  ").append(line).append('\n'));
        });
  }

  private static void appendVerdict(StringBuilder text, ClusterReport report) {
    text.append('\n');
    boolean answered = report.daemons().stream().anyMatch(DaemonReport::hasAnswered);
    if (!answered) {
      text.append("No daemon answered.\n");
    } else if (report.isStock()) {
      text.append("No Evenkeel plugin is loaded: stock everywhere.\n");
    }
    for (Finding finding : report.findings()) {
      text.append("Finding (").append(finding.kind().label()).append("): ");
      text.append(finding.message()).append('\n');
    }
    if (answered && report.findings().isEmpty()) {
      text.append("No findings.\n");
    }
  }
}
