package io.evenkeel.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The report for a terminal: what was found, then stock as often found, stock at its best and
 * Evenkeel side by side; the other arms are in the page. Apart from what measures: it makes a text
 * of any report that was recorded.
 *
 * <p>Plain text with Unix line ends, ending with one; control characters of the data are replaced,
 * so that a hostile name cannot steer a terminal. Used by one thread.
 */
public final class TextReport {
  /** Heads of the table at a glance. */
  static final List<String> COLUMNS =
      List.of("problem", "stock as often found", "stock at its best", "Evenkeel", "change");

  private static final int WIDTH = 100;
  private static final int FIRST = 40;
  private static final int COLUMN = 22;

  private final List<String> lines = new ArrayList<>();

  private TextReport() {}

  /** The text of a report; any part of the map may be missing. */
  public static String render(Map<String, Object> recorded) {
    Report report = Report.of(recorded);
    TextReport text = new TextReport();
    text.wrap("", report.lead());
    text.title("FOUND");
    for (Finding finding : report.findings()) {
      text.wrap("  " + finding.kind().word + ": ", finding.headline());
      if (!finding.detail().isEmpty()) {
        text.wrap("      ", finding.detail());
      }
    }
    report.parts().forEach(text::part);
    text.states("SECTIONS", report.sections());
    text.states("MODULES", report.modules());
    if (!report.notMeasured().isEmpty()) {
      text.title("NOT MEASURED");
      report.notMeasured().forEach(item -> text.wrap("  - ", item));
    }
    StringBuilder out = new StringBuilder();
    text.lines.forEach(line -> out.append(line.stripTrailing()).append('\n'));
    return out.toString();
  }

  private void title(String title) {
    lines.add("");
    lines.add(title);
  }

  private void part(Part part) {
    title(
        row(
            clean(part.title()).toUpperCase(Locale.ROOT),
            COLUMNS.get(1),
            COLUMNS.get(2),
            COLUMNS.get(3),
            ""));
    for (Row row : part.rows()) {
      String words = row.verdict().words;
      String change = clean(row.change()) + (words.isEmpty() ? "" : " (" + words + ")");
      String name = "  " + clean(row.name());
      String best = clean(row.text(row.best()));
      String whose = part.opponent(row);
      String beside = change.isEmpty() || whose.isEmpty() ? "" : "; best: " + clean(whose);
      lines.add(row(name, clean(row.text(0)), best, clean(row.evenkeelText()), change + beside));
    }
    if (!part.commands().isEmpty()) {
      wrap("  Commands: ", String.join("; ", part.commands()));
    }
  }

  /** A cell wider than its column pushes the rest to the right: nothing is cut off. */
  private static String row(
      String name, String often, String best, String evenkeel, String change) {
    return pad(name, FIRST)
        + pad(often, COLUMN)
        + pad(best, COLUMN)
        + pad(evenkeel, COLUMN)
        + change;
  }

  private static String pad(String text, int width) {
    return text.length() < width ? text + " ".repeat(width - text.length()) : text + "  ";
  }

  private void states(String title, List<Report.Line> states) {
    if (!states.isEmpty()) {
      title(title);
    }
    for (Report.Line line : states) {
      String detail = line.detail().isEmpty() ? "" : ", " + line.detail();
      wrap("  " + clean(line.name()) + ": ", line.state() + detail);
    }
  }

  private void wrap(String first, String text) {
    StringBuilder line = new StringBuilder(first);
    boolean fresh = true;
    for (String word : clean(text).split(" ", -1)) {
      if (!fresh && line.length() + 1 + word.length() > WIDTH) {
        lines.add(line.toString());
        line = new StringBuilder(" ".repeat(Math.min(first.length(), 6)));
        fresh = true;
      }
      line.append(fresh ? "" : " ").append(word);
      fresh = false;
    }
    lines.add(line.toString());
  }

  private static String clean(String text) {
    return text.replaceAll("\\s+", " ")
        .replaceAll("[\\p{Cntrl}\\p{Cf}]", "?")
        .replace('\u2212', '-')
        .replace('\u2013', '-');
  }
}
