package io.evenkeel.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The report for a terminal: what was found, then stock, Evenkeel and the change side by side.
 *
 * <p>Plain text with Unix line ends, ending with one; control characters of the data are replaced,
 * so that a hostile name cannot steer a terminal. Stateless and thread-safe.
 */
public final class TextReport {
  private static final int WIDTH = 100;
  private static final int FIRST = 46;
  private static final int COLUMN = 21;

  private TextReport() {}

  /** The text of a report; any part of the map may be missing. */
  public static String render(Map<String, Object> report) {
    Doc doc = new Doc(report);
    List<String> lines = new ArrayList<>();
    wrap(lines, "", Wording.whatWasRun(doc) + " " + Wording.whereAndHowLong(doc));
    lines.add("");
    lines.add("FOUND");
    for (Findings.Finding finding : Findings.of(doc)) {
      wrap(lines, "  " + finding.kind().word + ": ", finding.headline());
      if (!finding.detail().isEmpty()) {
        wrap(lines, "      ", finding.detail());
      }
    }
    for (ComparisonTable.Group group : ComparisonTable.groups(doc)) {
      table(lines, group);
    }
    sections(lines, doc);
    List<Doc> missing = doc.at("notMeasured").items();
    if (!missing.isEmpty()) {
      lines.add("");
      lines.add("NOT MEASURED");
      missing.forEach(item -> wrap(lines, "  - ", item.text("")));
    }
    StringBuilder out = new StringBuilder();
    lines.forEach(line -> out.append(line.stripTrailing()).append('\n'));
    return out.toString();
  }

  private static void table(List<String> lines, ComparisonTable.Group group) {
    lines.add("");
    lines.add(
        row(
            clean(group.title()).toUpperCase(java.util.Locale.ROOT),
            "stock",
            "evenkeel",
            "change"));
    for (Row row : group.rows()) {
      String words = row.verdict().words;
      String change = clean(row.change()) + (words.isEmpty() ? "" : " (" + words + ")");
      lines.add(row("  " + clean(row.name()), clean(row.stock()), clean(row.evenkeel()), change));
    }
    if (!group.note().isEmpty()) {
      wrap(lines, "  ", group.note());
    }
  }

  /** A cell wider than its column pushes the rest to the right: nothing is cut off. */
  private static String row(String name, String stock, String evenkeel, String change) {
    return pad(name, FIRST) + pad(stock, COLUMN) + pad(evenkeel, COLUMN) + change;
  }

  private static String pad(String text, int width) {
    return text.length() < width ? text + " ".repeat(width - text.length()) : text + "  ";
  }

  private static void sections(List<String> lines, Doc doc) {
    List<Doc> all = doc.at("sections").items();
    List<Doc> modules = doc.at("modules").items();
    if (!all.isEmpty()) {
      lines.add("");
      lines.add("SECTIONS");
    }
    for (Doc section : all) {
      String title = section.at("title").text(section.at("id").text("?"));
      String reason = section.at("reason").text("");
      String state = section.at("status").text("unknown");
      wrap(lines, "  " + clean(title) + ": ", state + (reason.isEmpty() ? "" : ", " + reason));
    }
    if (!modules.isEmpty()) {
      lines.add("");
      lines.add("MODULES");
    }
    for (Doc module : modules) {
      String plugin = module.at("plugin").text("");
      String name = clean(module.at("module").text("?"));
      String state = module.at("state").text("unknown");
      wrap(lines, "  " + name + ": ", state + (plugin.isEmpty() ? "" : ", " + plugin));
    }
  }

  private static void wrap(List<String> lines, String first, String text) {
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
