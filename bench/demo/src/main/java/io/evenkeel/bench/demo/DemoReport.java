package io.evenkeel.bench.demo;

import io.evenkeel.bench.demo.DemoSection.Passes;
import io.evenkeel.bench.report.HtmlReport;
import io.evenkeel.bench.report.TextReport;
import io.evenkeel.bench.runtime.HadoopRuntime;
import io.evenkeel.bench.runtime.PlugPoints;
import io.evenkeel.common.json.Json;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.util.VersionInfo;

/**
 * Collects what was measured, puts it into the documented schema and writes it as JSON, HTML and
 * text. Apart from {@link DemoMain}, which knows what to run and nothing of the schema. Confined to
 * one thread.
 */
final class DemoReport {
  private final DemoOptions options;
  private final Passes passes;
  private final Progress progress;
  private final List<Map<String, Object>> sections = new ArrayList<>();

  DemoReport(DemoOptions options, Passes passes, Progress progress) {
    this.options = options;
    this.passes = passes;
    this.progress = progress;
  }

  /** Takes a section in the schema of the report; returns whether it is no failure. */
  boolean section(Map<String, Object> section) {
    sections.add(section);
    return !"failed".equals(section.get("status"));
  }

  void write(PrintStream terminal) throws IOException {
    Map<String, Object> report = header();
    report.put("modules", PlugPoints.states(used()));
    report.put("sections", sections);
    report.put("notMeasured", notMeasured());
    String json = Json.pretty(report);
    Files.writeString(options.out().resolve("report.json"), json + "\n");
    Path html = options.out().resolve("report.html");
    Files.writeString(html, HtmlReport.render(report));
    progress.done("wrote " + html + " and report.json");
    terminal.println(options.json() ? json : "\n" + TextReport.render(report));
    terminal.flush();
  }

  /** The modules whose section went well; they were used, whether or not a daemon loads them. */
  private Set<String> used() {
    return sections.stream()
        .filter(section -> "done".equals(section.get("status")))
        .map(section -> (String) section.get("id"))
        .collect(Collectors.toSet());
  }

  private Map<String, Object> header() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("schema", 2);
    map.put("generated", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
    map.put("command", System.getProperty("evenkeel.command", "evenkeel demo"));
    map.put("evenkeel", System.getProperty("evenkeel.version", "unpackaged"));
    map.put("hadoop", VersionInfo.getVersion());
    map.put("examples", HadoopRuntime.examplesVersion(options.hadoop()));
    map.put("java", System.getProperty("java.version"));
    map.put("os", System.getProperty("os.name") + " " + System.getProperty("os.arch"));
    map.put("cores", Runtime.getRuntime().availableProcessors());
    map.put("passes", passes.count());
    map.put("elapsedSeconds", Math.round(progress.elapsedSeconds()));
    return map;
  }

  private List<String> notMeasured() {
    return List.of(
        "Disks and networks of real machines: every daemon runs in one JVM on one machine, and all"
            + " volumes are directories of one disk.",
        "Times under load: daemons and tasks share the cores, and clusters of earlier sections"
            + " still send heartbeats. A single pass judges no time but those that differ by far"
            + " more than that; `evenkeel bench --report` makes three.");
  }
}
