package io.evenkeel.bench.report;

import io.evenkeel.common.svg.ValueFormat;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * What both renderers show, computed from the report as recorded.
 *
 * @param lead what ran where, in sentences
 * @param made when and by which command, may be empty
 * @param findings the most important first; never empty
 * @param parts of what ran
 * @param settings keys that matter, with the value of each arm
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
    List<Row> settings,
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
    List<Finding> findings = new ArrayList<>();
    List<Part> parts = new ArrayList<>();
    Suite suite = new Suite(doc, parts, findings);
    suite.measured();
    Sections.measured(doc, parts, findings);
    suite.times();
    if (findings.isEmpty()) {
      findings.add(Finding.note("Nothing was measured in this run.", ""));
    }
    String generated = doc.at("generated").text("").replace('T', ' ').replace("Z", " UTC");
    return new Report(
        doc.at("hadoop").text(""),
        whatWasRun(doc) + " " + whereAndHowLong(doc),
        joined(" \u00b7 ", generated, doc.at("command").text("")),
        findings,
        parts,
        doc.at("sections").items().stream().map(Report::section).toList(),
        doc.at("modules").items().stream().map(Report::module).toList(),
        versions(doc),
        settings(doc),
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
    Doc cluster = doc.at("cluster");
    String storages =
        cluster.at("storagesPerDataNode").items().stream()
            .map(storage -> storage.text("?"))
            .collect(Collectors.joining(", "));
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("Evenkeel", doc.at("evenkeel").text(""));
    facts.put("Hadoop", doc.at("hadoop").text(""));
    facts.put("TeraSort (hadoop-mapreduce-examples)", doc.at("examples").text(""));
    facts.put("Java", doc.at("java").text(""));
    facts.put("System", doc.at("os").text(""));
    facts.put("Cores", doc.at("cores").text(""));
    facts.put("Data", bytes(doc.at("sizeBytes")));
    facts.put("Block size", bytes(cluster.at("blockSizeBytes")));
    facts.put("Replication", cluster.at("replication").text(""));
    facts.put("Storages of each DataNode", storages);
    return facts.entrySet().stream()
        .map(f -> new Line(f.getKey(), "", f.getValue().isEmpty() ? "not recorded" : f.getValue()))
        .toList();
  }

  private static List<Row> settings(Doc doc) {
    Map<String, Doc> stock = SuiteArm.stock(doc).doc().at("settings").fields();
    Map<String, Doc> evenkeel = SuiteArm.evenkeel(doc).doc().at("settings").fields();
    Set<String> keys = new TreeSet<>(stock.keySet());
    keys.addAll(evenkeel.keySet());
    Doc unset = new Doc("Hadoop's default");
    return keys.stream()
        .map(
            key ->
                Row.words(
                    key,
                    stock.getOrDefault(key, unset).text("(empty)"),
                    evenkeel.getOrDefault(key, unset).text("(empty)")))
        .toList();
  }

  /** What was run, in one or two sentences; says only what the report knows. */
  private static String whatWasRun(Doc report) {
    boolean a = SuiteArm.stock(report).doc().present();
    boolean b = SuiteArm.evenkeel(report).doc().present();
    if (!a && !b) {
      return "The TeraSort suite was not run.";
    }
    String size = bytes(report.at("sizeBytes"));
    String stock = "with stock settings" + after(" of Hadoop ", report.at("hadoop").text(""));
    String evenkeel = "with Evenkeel" + after(" ", report.at("evenkeel").text(""));
    return "The TeraSort suite ran"
        + (size.isEmpty() ? "" : " on " + size + " of generated data")
        + after(" on ", cluster(report))
        + (a && b ? ", once " + stock + " and once " + evenkeel + "." : "")
        + (a && !b ? ", " + stock + "; the Evenkeel half was not run." : "")
        + (!a ? ", " + evenkeel + "; the stock half was not run." : "");
  }

  private static String after(String before, String text) {
    return text.isEmpty() ? "" : before + text;
  }

  private static String cluster(Doc report) {
    Doc cluster = report.at("cluster");
    String nodes = plural(cluster.at("dataNodes"), "DataNode");
    return nodes.isEmpty()
        ? ""
        : "an HDFS of "
            + nodes
            + after(" on ", plural(cluster.at("hosts"), "physical host"))
            + after(" in ", plural(cluster.at("racks"), "rack"))
            + after(", replication ", cluster.at("replication").text(""));
  }

  private static String whereAndHowLong(Doc report) {
    return "Everything ran on one machine"
        + after(" with ", plural(report.at("cores"), "core"))
        + after(", in ", duration(report.at("elapsedSeconds").number()))
        + ".";
  }

  private static String duration(double seconds) {
    if (!Double.isFinite(seconds)) {
      return "";
    }
    long whole = Math.round(Math.min(seconds, 1e9));
    return whole < 60 ? whole + " s" : whole / 60 + " min " + whole % 60 + " s";
  }

  private static String bytes(Doc value) {
    return Double.isFinite(value.number()) ? ValueFormat.BYTES.format(value.number()) : "";
  }

  private static String plural(Doc count, String noun) {
    double number = count.number();
    return Double.isFinite(number)
        ? ValueFormat.COUNT.format(number) + " " + noun + (number == 1 ? "" : "s")
        : "";
  }
}
