package io.evenkeel.bench.report;

import io.evenkeel.bench.report.Row.Better;
import io.evenkeel.common.svg.LineChart;
import io.evenkeel.common.svg.ValueFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The parts and findings that sections bring with them as rows, plots and sentences. Stateless. */
final class Sections {
  private Sections() {}

  /** A section by its id; missing when the report has none. */
  static Doc of(Doc report, String id) {
    return report.at("sections").items().stream()
        .filter(section -> section.at("id").text("").equals(id))
        .findFirst()
        .orElse(new Doc(null));
  }

  /** Why a section has no numbers, from its own status; empty where it says nothing. */
  static String why(Doc report, String id) {
    Doc section = of(report, id);
    String reason = section.at("reason").text("");
    return section.present()
        ? "Section status: "
            + section.at("status").text("unknown")
            + (reason.isEmpty() ? "." : ", " + reason + ".")
        : "";
  }

  static String title(Doc section) {
    return section.at("title").text(section.at("id").text("Section"));
  }

  /** Adds a part for each section that has something to show, and what it found. */
  static void measured(Doc report, List<Part> parts, List<Finding> findings) {
    for (Doc section : report.at("sections").items()) {
      if (section.at("status").text("").equals("failed")) {
        String why = section.at("reason").text("No reason was given.");
        findings.add(Finding.note(title(section) + " failed.", why));
      } else if (section.at("finding").present()) {
        findings.add(finding(report, section));
      }
      List<Row> rows = section.at("rows").items().stream().map(Sections::row).toList();
      List<Figure> figures = section.at("plots").items().stream().map(Sections::figure).toList();
      if (!rows.isEmpty() || !figures.isEmpty()) {
        parts.add(new Part(title(section), section.at("summary").text(""), rows, figures));
      }
    }
  }

  /** Its first row says whether that is better or worse, if its module decided. */
  private static Finding finding(Doc report, Doc section) {
    String headline = section.at("finding").text("");
    String summary = section.at("summary").text("");
    String module = section.at("id").text("");
    List<Doc> rows = section.at("rows").items();
    if (rows.isEmpty()) {
      return Finding.note(headline, summary);
    }
    if (!Modules.active(report, module)) {
      String why =
          "Evenkeel's "
              + Modules.title(module)
              + " module did not say that it was active, so this is not credited to it.";
      return Finding.note(headline, why);
    }
    return Finding.of(row(rows.get(0)), headline, summary);
  }

  private static Row row(Doc row) {
    Better better =
        switch (row.at("better").text("less")) {
          case "more" -> Better.MORE;
          case "neither" -> Better.NEITHER;
          default -> Better.LESS;
        };
    return Row.of(
        row.at("name").text("unnamed"),
        format(row.at("unit").text("")),
        better,
        row.at("stock").number(),
        row.at("evenkeel").number());
  }

  /** How numbers of a unit, as named in the report, are written. */
  private static ValueFormat format(String unit) {
    return switch (unit) {
      case "s", "seconds" -> ValueFormat.SECONDS;
      case "ms" -> ValueFormat.MILLISECONDS;
      case "bytes" -> ValueFormat.BYTES;
      case "fraction" -> ValueFormat.PERCENT;
      case "ratio" -> ValueFormat.RATIO;
      default -> ValueFormat.COUNT;
    };
  }

  private static Figure figure(Doc plot) {
    return Figure.lines(
        plot.at("title").text("Over time."),
        plot.at("explain").text(""),
        format(plot.at("unit").text("")),
        chart -> fill(chart, plot));
  }

  private static LineChart fill(LineChart chart, Doc plot) {
    for (Doc span : plot.at("spans").items()) {
      chart.span(span.at("from").number(), span.at("to").number(), span.at("label").text(""));
    }
    int other = Figure.EVENKEEL + 1;
    for (Map.Entry<String, Doc> line : plot.at("series").fields().entrySet()) {
      double[] values = line.getValue().numbers();
      double[] seconds = plot.at("seconds").numbers();
      switch (line.getKey().toLowerCase(Locale.ROOT)) {
        case "stock" -> chart.series("Stock", Figure.STOCK, seconds, values);
        case "evenkeel" -> chart.series("Evenkeel", Figure.EVENKEEL, seconds, values);
        default -> chart.series(line.getKey(), other++, seconds, values);
      }
    }
    return chart;
  }
}
