package io.evenkeel.bench.report;

import io.evenkeel.bench.report.Part.Setting;
import io.evenkeel.bench.report.Row.Better;
import io.evenkeel.common.svg.LineChart;
import io.evenkeel.common.svg.ValueFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * What the sections of a recorded report show. Apart from {@link Report}, which has what stands
 * around them. Stateless.
 */
final class Sections {
  private static final Map<String, String> MODULES =
      Map.of(
          "placement", "block placement",
          "volume", "volume choice",
          "locking", "DataNode locking",
          "mover", "mover",
          "terasort", "block-wise TeraValidate");

  private Sections() {}

  static String title(Doc section) {
    return section.at("title").text(section.at("id").text("Section"));
  }

  /** A part for each section that has something to show. */
  static List<Part> parts(Doc report) {
    List<Part> parts = new ArrayList<>();
    for (Doc section : report.at("sections").items()) {
      if (shows(section)) {
        parts.add(part(report, section));
      }
    }
    return parts;
  }

  /** What went wrong in sections that show nothing. */
  static List<Finding> failures(Doc report) {
    return report.at("sections").items().stream()
        .filter(section -> section.at("status").text("").equals("failed"))
        .filter(section -> !shows(section))
        .map(Sections::failure)
        .toList();
  }

  private static boolean shows(Doc section) {
    return !section.at("rows").items().isEmpty() && !section.at("arms").items().isEmpty();
  }

  private static Finding failure(Doc section) {
    String why = section.at("reason").text("No reason was given.");
    return Finding.note(title(section) + " failed.", why);
  }

  private static Part part(Doc report, Doc section) {
    List<Doc> arms = section.at("arms").items();
    List<String> names = arms.stream().map(arm -> arm.at("name").text("unnamed")).toList();
    List<Boolean> stock = arms.stream().map(arm -> !arm.at("evenkeel").yes()).toList();
    String excuse = excuse(report, section);
    List<Row> rows = new ArrayList<>();
    for (Doc row : section.at("rows").items()) {
      Row read = row(row, stock);
      rows.add(excuse.isEmpty() ? read : read.notCompared());
    }
    return new Part(
        section.at("id").text("section"),
        title(section),
        finding(section, rows.get(0), excuse),
        section.at("summary").text(""),
        section.at("commands").items().stream().map(command -> command.text("")).toList(),
        names,
        rows,
        figures(section, names, rows),
        settings(section, arms));
  }

  /** Why no difference is the module's effect; empty if it is. */
  private static String excuse(Doc report, Doc section) {
    if (section.at("status").text("").equals("failed")) {
      return "It failed: " + section.at("reason").text("no reason was given") + ".";
    }
    String module = section.at("module").text("");
    String state =
        report.at("modules").items().stream()
            .filter(m -> m.at("module").text("").equals(module))
            .map(m -> m.at("state").text("").toLowerCase(Locale.ROOT))
            .findFirst()
            .orElse("not reported");
    return state.equals("active")
        ? ""
        : "Evenkeel's "
            + MODULES.getOrDefault(module, module)
            + " module was "
            + state
            + " in this run, so no difference is credited to it.";
  }

  /** Its first row says whether that is better or worse. */
  private static Finding finding(Doc section, Row first, String excuse) {
    String headline = section.at("finding").text(title(section));
    return excuse.isEmpty() ? Finding.of(first, headline) : Finding.note(headline, excuse);
  }

  /** A row; an arm without a list of values was not measured, and lists too many are left out. */
  private static Row row(Doc row, List<Boolean> stock) {
    List<Doc> values = row.at("values").items();
    List<Spread> spreads = new ArrayList<>();
    for (int i = 0; i < stock.size(); i++) {
      spreads.add(i < values.size() ? Spread.of(values.get(i).numbers()) : Spread.NONE);
    }
    return Row.of(
        row.at("name").text("unnamed"),
        format(row.at("unit").text("")),
        row.at("absent").text(Row.UNMEASURED),
        switch (row.at("better").text("less")) {
          case "more" -> Better.MORE;
          case "neither" -> Better.NEITHER;
          default -> Better.LESS;
        },
        row.at("oneRunDecides").yes(),
        stock,
        spreads);
  }

  /** How numbers of a unit, as named in the report, are written. */
  private static ValueFormat format(String unit) {
    return switch (unit) {
      case "s" -> ValueFormat.SECONDS;
      case "ms" -> ValueFormat.MILLISECONDS;
      case "bytes" -> ValueFormat.BYTES;
      case "fraction" -> ValueFormat.PERCENT;
      case "ratio" -> ValueFormat.RATIO;
      default -> ValueFormat.COUNT;
    };
  }

  private static List<Figure> figures(Doc section, List<String> arms, List<Row> rows) {
    List<Figure> figures = new ArrayList<>();
    for (Doc plot : section.at("plots").items()) {
      figures.add(
          Figure.lines(
              plot.at("title").text("Measured."),
              plot.at("explain").text(""),
              format(plot.at("unit").text("")),
              arms,
              (chart, arm) -> fill(chart, plot, arms, arm)));
    }
    Set<String> bars = new TreeSet<>();
    section.at("bars").items().forEach(name -> bars.add(name.text("")));
    List<Row> drawn = rows.stream().filter(row -> bars.contains(row.name())).toList();
    if (!drawn.isEmpty() && !arms.isEmpty()) {
      figures.add(Figure.bars(title(section) + ".", "", arms, drawn));
    }
    return figures;
  }

  private static void fill(LineChart chart, Doc plot, List<String> arms, int arm) {
    if (arm == 0) {
      chart.along(format(plot.at("along").text("")));
      for (Doc span : plot.at("spans").items()) {
        chart.span(span.at("from").number(), span.at("to").number(), span.at("label").text(""));
      }
    }
    List<Doc> values = plot.at("values").items();
    if (arm < values.size()) {
      chart.series(
          arms.get(arm),
          Figure.slot(arm, arms.size()),
          plot.at("at").numbers(),
          values.get(arm).numbers());
    }
  }

  private static List<Setting> settings(Doc section, List<Doc> arms) {
    Set<String> keys = new TreeSet<>();
    arms.forEach(arm -> keys.addAll(arm.at("settings").fields().keySet()));
    Doc shared = section.at("settings");
    keys.addAll(shared.fields().keySet());
    List<Setting> settings = new ArrayList<>();
    for (String key : keys) {
      settings.add(
          new Setting(
              key,
              arms.stream()
                  .map(arm -> arm.at("settings", key).text(shared.at(key).text("")))
                  .toList()));
    }
    return settings;
  }
}
