package io.evenkeel.bench.report;

import io.evenkeel.common.svg.LineChart;
import io.evenkeel.common.svg.ValueFormat;
import io.evenkeel.common.svg.Xml;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Parts of the page that a section brings with it: a summary and lines over time. Stateless. */
final class SectionPlots {
  private static final int OTHER = 2;

  private SectionPlots() {}

  /** One part per section that has plots; empty where none has. */
  static String html(Doc report) {
    StringBuilder out = new StringBuilder();
    int number = 0;
    for (Doc section : report.at("sections").items()) {
      number++;
      List<Doc> plots = section.at("plots").items();
      if (plots.isEmpty()) {
        continue;
      }
      StringBuilder figures = new StringBuilder();
      for (int i = 0; i < plots.size(); i++) {
        figures.append(figure("section-" + number + "-" + (i + 1), plots.get(i)));
      }
      String summary = section.at("summary").text("");
      String before = summary.isEmpty() ? "" : "<p>" + Charts.prose(summary) + "</p>\n";
      String title = Xml.escape(section.at("title").text(section.at("id").text("Section")));
      String content = "<div class=\"grid\">\n" + figures + "</div>\n";
      out.append(HtmlReport.section("section-" + number, title, before, content));
    }
    return out.toString();
  }

  private static String figure(String id, Doc plot) {
    Charts.Caption caption =
        new Charts.Caption(id, plot.at("title").text("Over time."), plot.at("explain").text(""));
    ValueFormat format = ComparisonTable.format(plot.at("unit").text(""));
    double[] seconds = plot.at("seconds").numbers();
    return Charts.full(
        caption,
        format,
        spec -> {
          LineChart chart = new LineChart(spec);
          for (Doc span : plot.at("spans").items()) {
            String name = span.at("label").text("");
            chart.span(span.at("from").number(), span.at("to").number(), name);
          }
          int other = OTHER;
          for (Map.Entry<String, Doc> line : plot.at("series").fields().entrySet()) {
            int slot =
                switch (line.getKey().toLowerCase(Locale.ROOT)) {
                  case "stock" -> 0;
                  case "evenkeel" -> 1;
                  default -> other++;
                };
            chart.series(label(line.getKey()), slot, seconds, line.getValue().numbers());
          }
          return chart.render();
        });
  }

  private static String label(String series) {
    return switch (series) {
      case "stock" -> "Stock";
      case "evenkeel" -> "Evenkeel";
      default -> series;
    };
  }
}
