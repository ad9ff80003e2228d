package io.evenkeel.terasort.core.report;

import io.evenkeel.common.svg.BarChart;
import io.evenkeel.common.svg.ChartSpec;
import io.evenkeel.common.svg.ChartStyle;
import io.evenkeel.common.svg.LineChart;
import io.evenkeel.common.svg.ValueFormat;
import io.evenkeel.terasort.core.dataset.Violation;
import java.util.List;
import java.util.Locale;

/**
 * A validation as one HTML page, complete in itself; apart from {@link ValidationReport} since only
 * this one draws. Stateless.
 */
public final class ReportPage {
  private static final int MOST_ROWS = 24;
  private static final String STYLE =
      "body{font:15px/1.5 system-ui,sans-serif;color:var(--ek-ink);background:var(--ek-paper);"
          + "max-width:60rem;margin:2rem auto;padding:0 1rem}"
          + "table{border-collapse:collapse;font-variant-numeric:tabular-nums}"
          + "th,td{text-align:right;padding:.2rem .6rem;border-bottom:1px solid var(--ek-grid)}"
          + "th:first-child,td:first-child{text-align:left}.scroll{overflow-x:auto}"
          + "td.key,pre{font-family:ui-monospace,monospace;font-size:.85em}"
          + "pre{overflow-x:auto}.bad{font-weight:700}";

  private ReportPage() {}

  /** The whole page. */
  public static String html(ValidationReport report) {
    StringBuilder page = new StringBuilder("<!DOCTYPE html>\n<html lang=\"en\"><head>");
    page.append("<meta charset=\"utf-8\"><title>TeraValidate: ");
    page.append(report.verdict().valid() ? "valid" : "invalid").append("</title>");
    page.append("<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">");
    page.append("<style>").append(ChartStyle.css()).append(STYLE).append("</style></head><body>\n");
    verdict(report.verdict(), page);
    partitions(report.partitions(), page);
    tasks(report.tasks(), page);
    locality(report.tasks(), page);
    throughput(report.tasks(), page);
    return page.append("</body></html>\n").toString();
  }

  private static void verdict(Verdict verdict, StringBuilder page) {
    page.append("<h1>").append(verdict.valid() ? "Valid" : "Invalid").append("</h1>\n<p>");
    page.append(escaped(String.join(", ", verdict.inputs()))).append("<br>");
    page.append(
        String.format(
            Locale.ROOT,
            "%,d records, %,d bytes in %,d files, checksum %s",
            verdict.number("records"),
            verdict.number("bytes"),
            verdict.number("files"),
            verdict.checksum()));
    page.append(
        verdict.expected() == null
            ? "<br>No checksum was expected: lost, repeated or altered records cannot be seen."
            : "<br>Expected: " + escaped(verdict.expected()));
    page.append("</p>\n");
    if (verdict.valid()) {
      return;
    }
    page.append("<ul>");
    for (Violation.Kind kind : Violation.Kind.values()) {
      long count = (Long) verdict.violations().get(kind.label());
      if (count > 0) {
        page.append("<li class=\"bad\">").append(kind.meaning());
        page.append(String.format(Locale.ROOT, ": %,d</li>", count));
      }
    }
    page.append("</ul>\n<pre>").append(escaped(String.join("\n", verdict.errors())));
    page.append("</pre>\n");
  }

  private static void partitions(PartitionFigures partitions, StringBuilder page) {
    List<PartitionFacts> shown = partitions.shown(MOST_ROWS);
    page.append("<h2>Partitions</h2>\n<p>");
    page.append(
        String.format(
            Locale.ROOT,
            "%,d partitions, %,d of them empty; records: fewest %,d, mean %,.0f, most %,d;"
                + " largest over mean %.3f.",
            partitions.count(),
            partitions.empty(),
            partitions.fewestRecords(),
            partitions.meanRecords(),
            partitions.mostRecords(),
            partitions.skew()));
    page.append(shown.size() < partitions.count() ? " Shown: the largest and the smallest." : "");
    page.append("</p>\n");
    BarChart chart = new BarChart(ChartSpec.of("partitions", "Records by partition", ""));
    chart.series("records", 1);
    for (PartitionFacts partition : shown) {
      chart.row(partition.name(), partition.records);
    }
    page.append(chart.render());
    page.append("<div class=\"scroll\"><table><thead><tr><th scope=\"col\">partition</th>");
    page.append("<th scope=\"col\">records</th><th scope=\"col\">first key</th>");
    page.append("<th scope=\"col\">last key</th></tr></thead><tbody>\n");
    for (PartitionFacts partition : shown) {
      page.append("<tr><td>").append(escaped(partition.name())).append("</td><td>");
      page.append(String.format(Locale.ROOT, "%,d", partition.records));
      page.append("</td><td class=\"key\">").append(partition.first == null ? "" : partition.first);
      page.append("</td><td class=\"key\">").append(partition.last == null ? "" : partition.last);
      page.append("</td></tr>\n");
    }
    page.append("</tbody></table></div>\n");
  }

  private static void tasks(TaskFigures tasks, StringBuilder page) {
    TaskFacts longest = tasks.longest();
    page.append("<h2>Map tasks</h2>\n<p>");
    if (longest == null) {
      page.append("There was nothing to read.</p>\n");
      return;
    }
    page.append(
        String.format(
            Locale.ROOT,
            "%,d tasks in %.1f s; mean %.2f s, longest %.2f s on %s; largest over mean by bytes"
                + " %.2f; bytes per host, largest over mean %.2f.</p>%n",
            tasks.count(),
            tasks.seconds(),
            tasks.meanMillis() / 1e3,
            longest.millis() / 1e3,
            escaped(longest.host),
            tasks.largestOverMean(),
            tasks.hostBytesOverMean()));
    BarChart chart =
        new BarChart(
            ChartSpec.of("hosts", "Task time by host", "Sum over the tasks of a host.")
                .format(ValueFormat.SECONDS));
    chart.series("seconds", 1);
    tasks.hosts().entrySet().stream()
        .sorted((a, b) -> Long.compare(b.getValue().millis(), a.getValue().millis()))
        .limit(MOST_ROWS)
        .forEach(host -> chart.row(escaped(host.getKey()), host.getValue().millis() / 1e3));
    page.append(chart.render()).append('\n');
  }

  private static void locality(TaskFigures tasks, StringBuilder page) {
    page.append("<h2>Where the bytes came from</h2>\n");
    BarChart chart =
        new BarChart(
            ChartSpec.of(
                    "locality",
                    "Bytes by distance",
                    "Between the task and the nearest replica of what it read.")
                .format(ValueFormat.BYTES));
    chart.series("bytes", 1);
    tasks.locality().forEach((kind, bytes) -> chart.row(kind.words(), (double) bytes));
    page.append(chart.render()).append('\n');
  }

  private static void throughput(TaskFigures tasks, StringBuilder page) {
    TaskFigures.Throughput points = tasks.throughput();
    page.append("<h2>Throughput</h2>\n");
    page.append(
        new LineChart(
                ChartSpec.of("throughput", "Bytes per second, all tasks", "")
                    .format(ValueFormat.BYTES))
            .series("bytes per second", 1, points.seconds, points.rates)
            .render());
    page.append('\n');
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
