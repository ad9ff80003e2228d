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
    report.parts().forEach(part -> parts.append(part(part)));
    if (report.parts().isEmpty()) {
      parts.append(section("The numbers", missing("No number was measured in this run.")));
    }
    return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
        + "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
        + "<meta name=\"color-scheme\" content=\"light dark\"/>\n"
        + "<title>Evenkeel: stock beside Evenkeel</title>\n<style>\n"
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
        + section("Versions", states("Versions and machine", report.versions()))
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
    StringBuilder out = new StringBuilder("<header>\n<p class=\"brand\">Evenkeel</p>\n");
    out.append("<h1>Stock Hadoop").append(hadoop).append(" and Evenkeel, side by side</h1>\n");
    out.append("<p class=\"lead\">").append(prose(report.lead())).append("</p>\n");
    out.append("<p class=\"made\">").append(Xml.escape(report.made())).append("</p>\n</header>\n");
    out.append("<div class=\"cards\">\n");
    for (Part part : report.parts()) {
      out.append(card(part));
    }
    out.append("</div>\n");
    List<Finding> others =
        report.findings().stream()
            .filter(found -> report.parts().stream().noneMatch(p -> p.finding() == found))
            .toList();
    if (!others.isEmpty()) {
      StringBuilder list = new StringBuilder();
      others.forEach(finding -> list.append(finding(finding)));
      out.append(section("Also", list.toString()));
    }
    return out.append(report.parts().isEmpty() ? "" : section("At a glance", glance(report)))
        .toString();
  }

  /** The picture and the sentence of a part; details are further down. */
  private static String card(Part part) {
    StringBuilder out = new StringBuilder("<article class=\"card\">\n<h2><a href=\"#");
    out.append(anchor(part)).append("\">").append(Xml.escape(part.title())).append("</a></h2>\n");
    out.append(finding(part.finding()));
    out.append("<p class=\"detail\">").append(commands(part, 1)).append("</p>\n");
    if (!part.figures().isEmpty()) {
      Figure figure = part.figures().get(0);
      out.append("<figure>").append(figure.onCard("card-" + anchor(part)));
      out.append("<figcaption>").append(Xml.escape(figure.title())).append("</figcaption>");
      out.append("</figure>\n");
    }
    return out.append("</article>\n").toString();
  }

  private static String finding(Finding finding) {
    String look = finding.kind().name().toLowerCase(Locale.ROOT);
    String detail = finding.detail();
    return "<p class=\"found "
        + look
        + "\"><span class=\"kind\">"
        + finding.kind().word
        + "</span> "
        + prose(finding.headline())
        + (detail.isEmpty() ? "" : " <span class=\"detail\">" + prose(detail) + "</span>")
        + "</p>\n";
  }

  private static String anchor(Part part) {
    return "part-" + part.id().replaceAll("[^A-Za-z0-9-]", "-");
  }

  /** Two rows of each part that are judged: the problem, stock twice, Evenkeel. */
  private static String glance(Report report) {
    StringBuilder out = new StringBuilder("<table class=\"numbers\">\n<thead><tr>");
    for (String head : TextReport.COLUMNS) {
      out.append("<th scope=\"col\">").append(head).append("</th>");
    }
    out.append("<th scope=\"col\">repeat it</th></tr></thead>\n<tbody>\n");
    for (Part part : report.parts()) {
      List<Row> judged =
          part.rows().stream().filter(row -> row.verdict() != Row.Verdict.NONE).limit(2).toList();
      judged.forEach(row -> out.append(glance(part, row)));
    }
    return out.append("</tbody></table>\n").toString();
  }

  private static String glance(Part part, Row row) {
    StringBuilder out = new StringBuilder();
    out.append("<tr><th scope=\"row\"><a href=\"#").append(anchor(part)).append("\">");
    out.append(Xml.escape(row.name())).append("</a></th>");
    out.append(cell("stock as often found", row.text(0), ""));
    out.append(cell("stock at its best", row.text(row.best()), part.opponent(row)));
    out.append(cell("Evenkeel", row.evenkeelText(), "")).append(change(row));
    out.append("<td data-arm=\"repeat it\">").append(commands(part, 1)).append("</td></tr>\n");
    return out.toString();
  }

  private static String cell(String arm, String text, String note) {
    String small = note.isEmpty() ? "" : " <span class=\"arm\">" + Xml.escape(note) + "</span>";
    return "<td data-arm=\"" + Xml.escape(arm) + "\">" + Xml.escape(text) + small + "</td>";
  }

  private static String change(Row row) {
    String look = row.verdict().name().toLowerCase(Locale.ROOT).replace('_', '-');
    return "<td class=\"change "
        + look
        + "\">"
        + row.change()
        + " <span>"
        + row.verdict().words
        + "</span></td>";
  }

  private static String part(Part part) {
    String id = anchor(part);
    StringBuilder out = new StringBuilder();
    out.append("<p class=\"detail\">").append(prose(part.summary())).append("</p>\n");
    out.append(table(part)).append("<div class=\"grid\">\n");
    int number = 1;
    for (Figure figure : part.figures()) {
      out.append("<figure><figcaption><strong>").append(Xml.escape(figure.title()));
      out.append("</strong> ").append(prose(figure.explain())).append("</figcaption>");
      out.append(figure.svg(id + "-" + number++)).append("</figure>\n");
    }
    out.append("</div>\n").append(settings(part));
    return "<section id=\""
        + id
        + "\">\n<h2>"
        + Xml.escape(part.title())
        + "</h2>\n<p class=\"detail\">Repeat it: "
        + commands(part, part.commands().size())
        + "</p>\n"
        + out
        + "</section>\n";
  }

  /** The first commands that show the same numbers; one click selects one, ready to be copied. */
  private static String commands(Part part, int count) {
    StringBuilder out = new StringBuilder();
    for (String command : part.commands().stream().limit(count).toList()) {
      out.append(out.length() == 0 ? "" : ", ").append("<code class=\"command\">");
      out.append(Xml.escape(command)).append("</code>");
    }
    return out.length() == 0 ? "no command was recorded" : out.toString();
  }

  private static String head(List<String> columns, String last) {
    StringBuilder out = new StringBuilder("<thead><tr><th scope=\"col\"></th>");
    for (String column : columns) {
      out.append("<th scope=\"col\">").append(Xml.escape(column)).append("</th>");
    }
    out.append(last.isEmpty() ? "" : "<th scope=\"col\">" + last + "</th>");
    return out.append("</tr></thead>\n<tbody>\n").toString();
  }

  private static String table(Part part) {
    StringBuilder out = new StringBuilder("<table class=\"numbers\">\n");
    out.append(head(part.arms(), "Evenkeel to the best of stock"));
    for (Row row : part.rows()) {
      out.append("<tr><th scope=\"row\">").append(Xml.escape(row.name())).append("</th>");
      for (int arm = 0; arm < part.arms().size(); arm++) {
        out.append(cell(part.arms().get(arm), row.text(arm), ""));
      }
      out.append(change(row)).append("</tr>\n");
    }
    return out.append("</tbody></table>\n").toString();
  }

  /** Every key that either side sets; what all have alike stands once. */
  private static String settings(Part part) {
    if (part.settings().isEmpty()) {
      return "";
    }
    StringBuilder out = new StringBuilder("<details><summary>Settings</summary>\n");
    out.append("<table class=\"numbers settings\">\n").append(head(part.arms(), ""));
    for (Part.Setting setting : part.settings()) {
      out.append("<tr><th scope=\"row\"><code>").append(Xml.escape(setting.key()));
      out.append("</code></th>");
      boolean alike = setting.values().stream().distinct().count() == 1;
      if (alike) {
        out.append("<td colspan=\"").append(part.arms().size()).append("\" data-arm=\"all\">");
        out.append(value(setting.values().get(0))).append("</td>");
      } else {
        for (int arm = 0; arm < part.arms().size(); arm++) {
          out.append("<td data-arm=\"").append(Xml.escape(part.arms().get(arm))).append("\">");
          out.append(value(setting.values().get(arm))).append("</td>");
        }
      }
      out.append("</tr>\n");
    }
    return out.append("</tbody></table></details>\n").toString();
  }

  private static String value(String text) {
    return text.isEmpty() ? "Hadoop's default" : "<code>" + Xml.escape(text) + "</code>";
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
