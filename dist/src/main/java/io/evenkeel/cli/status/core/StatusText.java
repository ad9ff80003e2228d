package io.evenkeel.cli.status.core;

import java.util.ArrayList;
import java.util.Arrays;
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
    List<String[]> rows = new ArrayList<>();
    rows.add(new String[] {"DAEMON", "HADOOP", "PLUGIN", "VERSION", "STATE", "REASON"});
    Map<String, List<String>> settings = new LinkedHashMap<>();
    for (List<DaemonReport> group : groups.values()) {
      String label = label(group, perRole.get(group.get(0).daemon().role()));
      addRows(rows, label, group.get(0));
      for (PluginReport plugin : group.get(0).plugins()) {
        settings.put(plugin.title() + " on " + label, plugin.settings());
      }
    }
    StringBuilder text = new StringBuilder("Cluster: ").append(report.source()).append("\n\n");
    appendTable(text, rows);
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

  private static void addRows(List<String[]> rows, String label, DaemonReport report) {
    String hadoop = report.identity().hadoopVersion();
    if (!report.hasAnswered()) {
      rows.add(new String[] {label, hadoop, "no answer", "", "", report.error()});
    } else if (report.plugins().isEmpty()) {
      rows.add(new String[] {label, hadoop, "none (stock)", "", "", ""});
    }
    String name = label;
    for (PluginReport plugin : report.plugins()) {
      rows.add(
          new String[] {
            name, hadoop, plugin.title(), plugin.version(), plugin.state(), plugin.reason()
          });
      name = "";
      hadoop = "";
    }
  }

  private static void appendTable(StringBuilder text, List<String[]> rows) {
    int[] widths = new int[rows.get(0).length];
    for (String[] row : rows) {
      for (int i = 0; i < row.length; i++) {
        widths[i] = Math.max(widths[i], row[i].length());
      }
    }
    for (String[] row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < row.length; i++) {
        char[] pad = new char[widths[i] - row[i].length() + 2];
        Arrays.fill(pad, ' ');
        line.append(row[i]).append(pad);
      }
      text.append(line.toString().replaceAll("\\s+$", "")).append('\n');
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
