package io.evenkeel.cli.locality.core;

import io.evenkeel.cli.core.TextTable;
import io.evenkeel.cli.core.history.JobHistory;
import io.evenkeel.cli.core.history.LocalityFinding;
import io.evenkeel.cli.core.history.LocalityReport;
import io.evenkeel.common.svg.ValueFormat;
import io.evenkeel.terasort.core.locality.Locality;
import java.util.Locale;

/** A report on the places of a job's map tasks as text. Stateless. */
public final class LocalityText {
  private LocalityText() {}

  /**
   * The text.
   *
   * @param topology where the places of hosts came from, in words
   */
  public static String of(LocalityReport report, String topology) {
    StringBuilder text = new StringBuilder();
    heading(text, report, topology);
    TextTable table = new TextTable("MAP TASKS ON", "TASKS", "", "READ FROM HDFS", "", "TASK TIME");
    for (int column = 1; column <= 5; column++) {
      table.alignRight(column);
    }
    for (Locality locality : Locality.values()) {
      LocalityReport.Row row = report.row(locality);
      table.add(
          locality.words(),
          String.valueOf(row.tasks()),
          percent(row.tasks(), report.tasks()),
          bytes(row.bytes()) + (row.withoutCounters() > 0 ? " +?" : ""),
          percent(row.bytes(), report.bytes()),
          String.format(Locale.ROOT, "%.1f s", row.millis() / 1e3));
    }
    table.appendTo(text);
    for (LocalityFinding finding : report.findings()) {
      text.append('\n').append(finding.kind()).append(": ").append(finding.message());
    }
    return text.append(report.findings().isEmpty() ? "" : "\n").toString();
  }

  private static void heading(StringBuilder text, LocalityReport report, String topology) {
    JobHistory job = report.history();
    text.append(job.jobId().isEmpty() ? "a job without an id" : job.jobId());
    if (!job.name().isEmpty()) {
      text.append(" '").append(job.name()).append('\'');
    }
    if (!job.user().isEmpty()) {
      text.append(" of ").append(job.user());
    }
    text.append(": ").append(job.state().isEmpty() ? "not finished" : job.state());
    text.append(", ").append(report.tasks()).append(" map tasks succeeded");
    if (report.withoutEnd() > 0) {
      text.append(", ").append(report.withoutEnd()).append(" did not");
    }
    text.append("\nplaces of hosts: ").append(topology);
    if (report.toldByMaster() > 0) {
      text.append("; of ").append(report.toldByMaster());
      text.append(" tasks what the application master knew");
    }
    String own = ownCount(job);
    text.append(own.isEmpty() ? "" : "\nMapReduce's own count of launched maps: " + own);
    text.append("\n\n");
  }

  private static String ownCount(JobHistory job) {
    StringBuilder text = new StringBuilder();
    for (String name : LocalityJson.OWN_COUNTERS) {
      Long value = job.counters().get(name);
      if (value != null) {
        text.append(text.length() == 0 ? "" : ", ");
        text.append(name.toLowerCase(Locale.ROOT).replace("_maps", "").replace('_', ' '));
        text.append(' ').append(value);
      }
    }
    return text.toString();
  }

  private static String bytes(long bytes) {
    return ValueFormat.BYTES.format(bytes);
  }

  private static String percent(long part, long whole) {
    return whole == 0 ? "-" : String.format(Locale.ROOT, "%.1f%%", 100.0 * part / whole);
  }
}
