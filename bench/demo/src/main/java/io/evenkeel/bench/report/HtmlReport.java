package io.evenkeel.bench.report;

import io.evenkeel.common.svg.ChartStyle;
import io.evenkeel.common.svg.Xml;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The report as one HTML page that needs nothing else: no network, no script, no other file. Apart
 * from what measures: it makes a page of any report that was recorded.
 *
 * <p>Light and dark follow the reader's system; a phone and paper are served by the same page.
 * Every text of the report is escaped. Stateless and thread-safe.
 */
public final class HtmlReport {
  private HtmlReport() {}

  /** The page of a report; any part of the map may be missing and is then shown as such. */
  public static String render(Map<String, Object> recorded) {
    Report report = Report.of(recorded);
    StringBuilder parts = new StringBuilder();
    for (int i = 0; i < report.parts().size(); i++) {
      parts.append(part("part-" + (i + 1), report.parts().get(i)));
    }
    if (report.parts().isEmpty()) {
      parts.append(section("The numbers", missing("No number was measured in this run.")));
    }
    return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
        + "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
        + "<meta name=\"color-scheme\" content=\"light dark\"/>\n"
        + "<title>Evenkeel demo: stock beside Evenkeel</title>\n<style>\n"
        + ChartStyle.css()
        + "\n"
        + style()
        + "</style>\n</head>\n<body>\n<main>\n"
        + head(report)
        + parts
        + section(
            "What ran and what did not",
            states("Sections of the demo", report.sections())
                + states("Evenkeel modules", report.modules()))
        + section(
            "Settings and versions",
            states("Versions and cluster", report.versions()) + settings(report.settings()))
        + section("What was not measured", notMeasured(report.notMeasured()))
        + "</main>\n</body>\n</html>\n";
  }

  private static String style() {
    try (InputStream in = HtmlReport.class.getResourceAsStream("report.css")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("report.css is missing from the jar", e);
    }
  }

  private static String head(Report report) {
    String hadoop = report.hadoop().isEmpty() ? "" : " " + Xml.escape(report.hadoop());
    StringBuilder out = new StringBuilder("<header>\n<p class=\"brand\">Evenkeel demo</p>\n");
    out.append("<h1>Stock Hadoop").append(hadoop).append(" and Evenkeel, side by side</h1>\n");
    out.append("<p class=\"lead\">").append(prose(report.lead())).append("</p>\n");
    out.append("<p class=\"made\">").append(Xml.escape(report.made())).append("</p>\n</header>\n");
    StringBuilder found = new StringBuilder("<ul class=\"found\">\n");
    for (Finding finding : report.findings()) {
      String look = finding.kind().name().toLowerCase(Locale.ROOT);
      found.append("<li class=\"").append(look).append("\"><span class=\"kind\">");
      found.append(finding.kind().word).append("</span><div><p>");
      found.append(prose(finding.headline())).append("</p>");
      found.append("<p class=\"detail\">").append(prose(finding.detail()));
      found.append("</p></div></li>\n");
    }
    return out.append(section("What was found", found.append("</ul>\n").toString())).toString();
  }

  private static String part(String id, Part part) {
    StringBuilder out = new StringBuilder();
    if (!part.note().isEmpty()) {
      out.append("<p class=\"missing\">").append(prose(part.note())).append("</p>\n");
    }
    out.append(part.rows().isEmpty() ? "" : table(part.rows(), true))
        .append("<div class=\"grid\">\n");
    int number = 1;
    for (Figure figure : part.figures()) {
      out.append("<figure><figcaption><strong>").append(Xml.escape(figure.title()));
      out.append("</strong> ").append(prose(figure.explain())).append("</figcaption>");
      out.append(figure.svg(id + "-" + number++)).append("</figure>\n");
    }
    return section(Xml.escape(part.title()), out.append("</div>\n").toString());
  }

  private static String table(List<Row> rows, boolean compared) {
    StringBuilder out = new StringBuilder("<table class=\"numbers\">\n<thead><tr>");
    out.append("<th scope=\"col\"></th><th scope=\"col\">Stock</th>");
    out.append("<th scope=\"col\">Evenkeel</th>");
    out.append(compared ? "<th scope=\"col\">Change</th>" : "").append("</tr></thead>\n<tbody>\n");
    for (Row row : rows) {
      String look = row.verdict().name().toLowerCase(Locale.ROOT).replace('_', '-');
      out.append("<tr><th scope=\"row\">").append(Xml.escape(row.name())).append("</th><td>");
      out.append(Xml.escape(row.stockText())).append("</td><td>");
      out.append(Xml.escape(row.evenkeelText())).append("</td>");
      if (compared) {
        out.append("<td class=\"change ").append(look).append("\">").append(row.change());
        out.append(" <span>").append(row.verdict().words).append("</span></td>");
      }
      out.append("</tr>\n");
    }
    return out.append("</tbody></table>\n").toString();
  }

  private static String states(String caption, List<Report.Line> lines) {
    if (lines.isEmpty()) {
      return missing(caption + ": nothing was recorded.");
    }
    StringBuilder out = new StringBuilder("<table class=\"plain\"><caption>");
    out.append(caption).append("</caption>\n<tbody>\n");
    for (Report.Line line : lines) {
      out.append("<tr><th scope=\"row\">").append(Xml.escape(line.name())).append("</th><td>");
      if (!line.state().isEmpty()) {
        String look = line.state().toLowerCase(Locale.ROOT).replaceAll("[^a-z]+", "-");
        out.append("<span class=\"state ").append(look).append("\">");
        out.append(Xml.escape(line.state())).append("</span> ");
      }
      out.append(Xml.escape(line.detail())).append("</td></tr>\n");
    }
    return out.append("</tbody></table>\n").toString();
  }

  private static String settings(List<Row> settings) {
    return settings.isEmpty()
        ? missing("The settings of the two halves were not recorded.")
        : "<h3>Settings that matter here</h3>\n" + table(settings, false);
  }

  private static String notMeasured(List<String> items) {
    StringBuilder out = new StringBuilder("<ul>\n");
    items.forEach(item -> out.append("<li>").append(Xml.escape(item)).append("</li>\n"));
    return items.isEmpty()
        ? missing("The run did not say what it left out.")
        : out.append("</ul>\n").toString();
  }

  /** Escaped text in which a number never stands on another line than its unit. */
  private static String prose(String text) {
    return Xml.escape(text).replaceAll("(\\d) (%|s\\b|min\\b|[KMGTP]?i?B\\b)", "$1\u00a0$2");
  }

  private static String missing(String text) {
    return "<p class=\"missing\">" + Xml.escape(text) + "</p>\n";
  }

  /** The title and the content are HTML. */
  private static String section(String title, String content) {
    return "<section>\n<h2>" + title + "</h2>\n" + content + "</section>\n";
  }
}
