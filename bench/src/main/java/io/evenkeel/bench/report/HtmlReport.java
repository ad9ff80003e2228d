package io.evenkeel.bench.report;

import io.evenkeel.common.svg.ChartStyle;
import io.evenkeel.common.svg.Xml;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/**
 * The report as one HTML page that needs nothing else: no network, no script, no other file.
 *
 * <p>Light and dark follow the reader's system; a phone and paper are served by the same page.
 * Every text of the report is escaped. Stateless and thread-safe.
 */
public final class HtmlReport {
  private HtmlReport() {}

  /** The page of a report; any part of the map may be missing and is then shown as such. */
  public static String render(Map<String, Object> report) {
    Doc doc = new Doc(report);
    return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
        + "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
        + "<meta name=\"color-scheme\" content=\"light dark\"/>\n"
        + "<title>Evenkeel demo: stock beside Evenkeel</title>\n<style>\n"
        + ChartStyle.css()
        + "\n"
        + style()
        + "</style>\n</head>\n<body>\n<main>\n"
        + head(doc)
        + numbers(doc)
        + placement(doc)
        + volumes(doc)
        + locality(doc)
        + times(doc)
        + SectionPlots.html(doc)
        + SetupPart.sections(doc)
        + SetupPart.settings(doc)
        + SetupPart.notMeasured(doc)
        + "</main>\n</body>\n</html>\n";
  }

  private static String style() {
    try (InputStream in = HtmlReport.class.getResourceAsStream("report.css")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("report.css is missing from the jar", e);
    }
  }

  private static String head(Doc doc) {
    StringBuilder out = new StringBuilder("<header>\n<p class=\"brand\">Evenkeel demo</p>\n");
    out.append("<h1>").append(Xml.escape(title(doc))).append("</h1>\n<p class=\"lead\">");
    out.append(Charts.prose(Wording.whatWasRun(doc))).append(' ');
    out.append(Charts.prose(Wording.whereAndHowLong(doc))).append("</p>\n");
    String made = doc.at("generated").text("");
    String command = doc.at("command").text("");
    if (!made.isEmpty() || !command.isEmpty()) {
      out.append("<p class=\"made\">");
      out.append(made.isEmpty() ? "" : Xml.escape(made.replace('T', ' ').replace("Z", " UTC")));
      out.append(made.isEmpty() || command.isEmpty() ? "" : " \u00b7 ");
      out.append(command.isEmpty() ? "" : "<code>" + Xml.escape(command) + "</code>");
      out.append("</p>\n");
    }
    out.append(
        "</header>\n<section id=\"found\">\n<h2>What was found</h2>\n<ul class=\"found\">\n");
    for (Findings.Finding finding : Findings.of(doc)) {
      String look = finding.kind().name().toLowerCase(java.util.Locale.ROOT);
      out.append("<li class=\"").append(look).append("\"><span class=\"kind\">");
      out.append(finding.kind().word).append("</span><div><p>");
      out.append(Charts.prose(finding.headline())).append("</p>");
      if (!finding.detail().isEmpty()) {
        out.append("<p class=\"detail\">").append(Charts.prose(finding.detail())).append("</p>");
      }
      out.append("</div></li>\n");
    }
    return out.append("</ul>\n</section>\n").toString();
  }

  private static String title(Doc doc) {
    String hadoop = doc.at("hadoop").text("");
    return "Stock Hadoop" + (hadoop.isEmpty() ? "" : " " + hadoop) + " and Evenkeel, side by side";
  }

  private static String numbers(Doc doc) {
    List<ComparisonTable.Group> groups = ComparisonTable.groups(doc);
    StringBuilder out = new StringBuilder("<section id=\"numbers\">\n<h2>The numbers</h2>\n");
    if (groups.isEmpty()) {
      return out.append(missing("No number was measured in this run."))
          .append("</section>\n")
          .toString();
    }
    out.append("<table class=\"numbers\">\n<thead><tr><th scope=\"col\">Measured</th>");
    out.append("<th scope=\"col\">Stock</th><th scope=\"col\">Evenkeel</th>");
    out.append("<th scope=\"col\">Change</th></tr></thead>\n");
    for (ComparisonTable.Group group : groups) {
      out.append("<tbody>\n<tr class=\"group\"><th scope=\"rowgroup\" colspan=\"4\">");
      out.append(Xml.escape(group.title())).append("</th></tr>\n");
      group.rows().forEach(row -> out.append(row(row)));
      if (!group.note().isEmpty()) {
        out.append("<tr class=\"note\"><td colspan=\"4\">");
        out.append(Xml.escape(group.note())).append("</td></tr>\n");
      }
      out.append("</tbody>\n");
    }
    return out.append("</table>\n</section>\n").toString();
  }

  private static String row(Row row) {
    String look = row.verdict().name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
    String words = row.verdict().words;
    return "<tr><th scope=\"row\">"
        + Xml.escape(row.name())
        + "</th><td>"
        + Xml.escape(row.stock())
        + "</td><td>"
        + Xml.escape(row.evenkeel())
        + "</td><td class=\"change "
        + look
        + "\">"
        + Xml.escape(row.change())
        + (words.isEmpty() ? "" : " <span>" + words + "</span>")
        + "</td></tr>\n";
  }

  private static String placement(Doc doc) {
    boolean any =
        HalfReport.stock(doc).doc().at("placement").present()
            || HalfReport.evenkeel(doc).doc().at("placement").present();
    String plots =
        any
            ? grid(
                Plots.whereReplicasEnded(doc)
                    + Plots.replicasPerHost(doc)
                    + Plots.replicasPerDataNode(doc)
                    + Plots.inFlight(doc))
            : missing(SetupPart.whyMissing(doc, "terasort", "Placement was not measured."));
    return section("placement", "Where replicas are placed", excuse(doc, "placement"), plots);
  }

  private static String volumes(Doc doc) {
    boolean any =
        !HalfReport.types(HalfReport.stock(doc), HalfReport.evenkeel(doc)).isEmpty()
            || HalfReport.stock(doc).doc().at("volumeQueue").present();
    String plots =
        any
            ? grid(VolumePlots.shares(doc) + VolumePlots.queues(doc))
            : missing(SetupPart.whyMissing(doc, "terasort", "Volumes were not measured."));
    return section("volumes", "How volumes share the work", excuse(doc, "volume"), plots);
  }

  private static String locality(Doc doc) {
    HalfReport stock = HalfReport.stock(doc);
    HalfReport evenkeel = HalfReport.evenkeel(doc);
    StringBuilder out = new StringBuilder();
    if (stock.localityMeasured() || evenkeel.localityMeasured()) {
      out.append(grid(Plots.locality(doc)));
    }
    for (HalfReport half : List.of(stock, evenkeel)) {
      if (!half.localityMeasured()) {
        String reason = half.doc().at("locality", "reason").text("no reason was given");
        out.append(missing(half.label() + ": locality was not measured (" + reason + ")."));
      }
    }
    return section("locality", "Where reads come from", excuse(doc, "terasort"), out.toString());
  }

  private static String times(Doc doc) {
    boolean any = !HalfReport.phases(HalfReport.stock(doc), HalfReport.evenkeel(doc)).isEmpty();
    String plots =
        any
            ? grid(Plots.elapsed(doc) + Plots.cpu(doc))
            : missing(SetupPart.whyMissing(doc, "terasort", "No phase was timed."));
    return section("times", "What it costs", "", plots);
  }

  private static String excuse(Doc doc, String module) {
    String text = Modules.excuse(doc, module);
    return text.isEmpty() ? "" : missing(text);
  }

  private static String grid(String figures) {
    return "<div class=\"grid\">\n" + figures + "</div>\n";
  }

  static String missing(String text) {
    return "<p class=\"missing\">" + Xml.escape(text) + "</p>\n";
  }

  static String section(String id, String title, String before, String content) {
    return "<section id=\""
        + id
        + "\">\n<h2>"
        + title
        + "</h2>\n"
        + before
        + content
        + "</section>\n";
  }
}
