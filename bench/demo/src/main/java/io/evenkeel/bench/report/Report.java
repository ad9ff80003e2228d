package io.evenkeel.bench.report;

import io.evenkeel.common.svg.ValueFormat;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What both renderers show, computed from the report as recorded.
 *
 * @param lead what ran where, in sentences
 * @param made when and by which command, may be empty
 * @param parts sections that measured something, in their order
 * @param findings of those and of sections that failed; never empty
 */
record Report(
    String hadoop,
    String lead,
    String made,
    List<Finding> findings,
    List<Part> parts,
    List<Line> sections,
    List<Line> modules,
    List<Line> versions,
    List<String> notMeasured) {

  /**
   * A thing, the state it is in, and more about it.
   *
   * @param state may be empty, as may the detail
   */
  record Line(String name, String state, String detail) {}

  /** The report; any part of the document may be missing. */
  static Report of(Map<String, Object> recorded) {
    Doc doc = new Doc(recorded);
    List<Part> parts = Sections.parts(doc);
    List<Finding> findings = new ArrayList<>();
    parts.forEach(part -> findings.add(part.finding()));
    findings.addAll(Sections.failures(doc));
    if (findings.isEmpty()) {
      findings.add(Finding.note("Nothing was measured in this run.", ""));
    }
    String generated = doc.at("generated").text("").replace('T', ' ').replace("Z", " UTC");
    return new Report(
        doc.at("hadoop").text(""),
        lead(doc),
        joined(" \u00b7 ", generated, doc.at("command").text("")),
        findings,
        parts,
        doc.at("sections").items().stream().map(Report::section).toList(),
        doc.at("modules").items().stream().map(Report::module).toList(),
        versions(doc),
        doc.at("notMeasured").items().stream().map(item -> item.text("?")).toList());
  }

  private static String joined(String between, String first, String second) {
    return first + (first.isEmpty() || second.isEmpty() ? "" : between) + second;
  }

  private static Line section(Doc section) {
    String state = section.at("status").text("unknown");
    String seconds = duration(section.at("seconds").number());
    String reason = section.at("reason").text("");
    return new Line(Sections.title(section), state, joined("; ", seconds, reason));
  }

  private static Line module(Doc module) {
    String name = module.at("module").text("?");
    String detail = joined("; ", module.at("plugin").text(""), module.at("detail").text(""));
    return new Line(name, module.at("state").text("unknown"), detail);
  }

  private static List<Line> versions(Doc doc) {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("Evenkeel", doc.at("evenkeel").text(""));
    facts.put("Hadoop", doc.at("hadoop").text(""));
    facts.put("TeraSort (hadoop-mapreduce-examples)", doc.at("examples").text(""));
    facts.put("Java", doc.at("java").text(""));
    facts.put("System", doc.at("os").text(""));
    facts.put("Cores", doc.at("cores").text(""));
    return facts.entrySet().stream()
        .map(f -> new Line(f.getKey(), "", f.getValue().isEmpty() ? "not recorded" : f.getValue()))
        .toList();
  }

  private static String lead(Doc report) {
    return "Stock Hadoop as it is often found and at its best, beside Evenkeel: "
        + passes(report.at("passes").number())
        + ", everything on one machine"
        + after(" with ", plural(report.at("cores"), "core"))
        + after(", in ", duration(report.at("elapsedSeconds").number()))
        + ".";
  }

  private static String passes(double passes) {
    return passes > 1
        ? ValueFormat.COUNT.format(passes) + " passes of each in turn"
        : "one pass of each";
  }

  private static String after(String before, String text) {
    return text.isEmpty() ? "" : before + text;
  }

  private static String duration(double seconds) {
    if (!Double.isFinite(seconds)) {
      return "";
    }
    long whole = Math.round(Math.min(seconds, 1e9));
    return whole < 60 ? whole + " s" : whole / 60 + " min " + whole % 60 + " s";
  }

  private static String plural(Doc count, String noun) {
    double number = count.number();
    return Double.isFinite(number)
        ? ValueFormat.COUNT.format(number) + " " + noun + (number == 1 ? "" : "s")
        : "";
  }
}
