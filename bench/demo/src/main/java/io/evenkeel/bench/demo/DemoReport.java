package io.evenkeel.bench.demo;

import io.evenkeel.bench.embedded.HostPlan;
import io.evenkeel.bench.report.HtmlReport;
import io.evenkeel.bench.report.TextReport;
import io.evenkeel.bench.runtime.HadoopRuntime;
import io.evenkeel.bench.runtime.Layout.Vm;
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
  /** What {@code --only} calls the TeraSort suite. */
  static final String SUITE = "terasort";

  static final String SUITE_TITLE = "TeraSort suite";

  private final DemoOptions options;
  private final HostPlan plan;
  private final Progress progress;
  private final List<Map<String, Object>> sections = new ArrayList<>();
  private final Map<String, Object> suite = new LinkedHashMap<>();

  DemoReport(DemoOptions options, HostPlan plan, Progress progress) {
    this.options = options;
    this.plan = plan;
    this.progress = progress;
  }

  /** Takes both arms of the TeraSort suite. */
  void suite(Map<String, Object> stock, Map<String, Object> evenkeel, double seconds) {
    suite.put("stock", stock);
    suite.put("evenkeel", evenkeel);
    Map<String, Object> section = DemoSection.frame(SUITE, SUITE_TITLE, "done", "");
    section.put("seconds", Math.round(seconds));
    section(section);
  }

  /** Takes a section in the schema of the report; returns whether it was run to its end. */
  boolean section(Map<String, Object> section) {
    sections.add(section);
    return "done".equals(section.get("status"));
  }

  /** Takes a section that was not asked for. */
  void notSelected(String id, String title) {
    String other = "only the section " + options.only() + " was asked for";
    section(DemoSection.frame(id, title, "not selected", other));
  }

  void write(PrintStream terminal) throws IOException {
    Map<String, Object> report = header();
    if (!suite.isEmpty()) {
      report.put("sizeBytes", options.sizeBytes());
      report.put("cluster", cluster());
    }
    report.put("modules", PlugPoints.states(used()));
    report.put("sections", sections);
    if (!suite.isEmpty()) {
      report.put("terasort", suite);
    }
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
    map.put("schema", 1);
    map.put("generated", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
    map.put("command", System.getProperty("evenkeel.command", "evenkeel demo"));
    map.put("evenkeel", System.getProperty("evenkeel.version", "unpackaged"));
    map.put("hadoop", VersionInfo.getVersion());
    map.put("examples", HadoopRuntime.examplesVersion(options.hadoop()));
    map.put("java", System.getProperty("java.version"));
    map.put("os", System.getProperty("os.name") + " " + System.getProperty("os.arch"));
    map.put("cores", Runtime.getRuntime().availableProcessors());
    map.put("elapsedSeconds", Math.round(progress.elapsedSeconds()));
    return map;
  }

  private Map<String, Object> cluster() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("racks", plan.layout().racks());
    map.put("hosts", plan.layout().hosts());
    map.put("dataNodes", plan.vms().size());
    map.put("replication", 3);
    map.put("blockSizeBytes", DemoSettings.blockSize(options.sizeBytes()));
    map.put("storagesPerDataNode", DemoSettings.STORAGES);
    List<Map<String, Object>> nodes = new ArrayList<>();
    for (Vm vm : plan.vms()) {
      Map<String, Object> node = new LinkedHashMap<>();
      node.put("name", vm.name());
      node.put("host", vm.path());
      node.put("rack", "/" + vm.rack());
      node.put("address", plan.address(vm));
      nodes.add(node);
    }
    map.put("nodes", nodes);
    return map;
  }

  private List<String> notMeasured() {
    List<String> lines = new ArrayList<>();
    lines.add(
        "Disk and network speed of real machines: every daemon runs in one JVM on one machine,"
            + " and all volumes are directories of one disk.");
    if (suite.isEmpty()) {
      return lines;
    }
    lines.add(
        "Imbalance at scale: two tasks write at a time here; hundreds of writers on hundreds of"
            + " DataNodes are not shown.");
    lines.add(
        "CPU of the daemons includes the other cluster's idle heartbeats, the samplers and the"
            + " ResourceManager.");
    if (!plan.ownAddresses()) {
      lines.add(
          "Locality of reads: this system has no loopback address per host, so reads cannot be"
              + " told apart.");
    }
    return lines;
  }
}
