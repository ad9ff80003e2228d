package io.evenkeel.bench.demo;

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
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.util.VersionInfo;

/**
 * Collects what was measured, puts it into the documented schema and writes it as JSON, HTML and
 * text. Confined to one thread.
 */
final class DemoReport {
  private final DemoOptions options;
  private final HostPlan plan;
  private final Progress progress;
  private final Map<String, Map<String, Object>> ran = new HashMap<>();
  private Map<String, Object> suite = Map.of();

  DemoReport(DemoOptions options, HostPlan plan, Progress progress) {
    this.options = options;
    this.plan = plan;
    this.progress = progress;
  }

  /** Takes both halves of the TeraSort suite. */
  void suite(Map<String, Object> halves, double seconds) {
    suite = halves;
    Map<String, Object> section = section("terasort", "TeraSort suite", "done", "");
    section.put("seconds", Math.round(seconds));
    section(section);
  }

  /** Takes a section that ran, in the schema of the report. */
  void section(Map<String, Object> section) {
    ran.put((String) section.get("id"), section);
  }

  void write(PrintStream terminal) throws IOException {
    Map<String, Object> report = header();
    if (!suite.isEmpty()) {
      report.put("sizeBytes", options.sizeBytes());
      report.put("cluster", cluster());
    }
    report.put("modules", PlugPoints.states(used()));
    report.put("sections", sections());
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

  /** Modules that are no plugin of a daemon and took part in what ran. */
  private Set<String> used() {
    Set<String> used = new HashSet<>();
    if (!suite.isEmpty()) {
      used.add("terasort");
    }
    if ("done".equals(ran.getOrDefault("mover", Map.of()).get("status"))) {
      used.add("mover");
    }
    return used;
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
    map.put("storagesPerDataNode", EmbeddedHdfs.STORAGES);
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

  private List<Map<String, Object>> sections() {
    List<Map<String, Object>> rows = new ArrayList<>();
    String other = "only the section " + options.only() + " was asked for";
    rows.add(section("terasort", "TeraSort suite", "not selected", other));
    rows.add(section("volume", "A slow disk among equals", "not selected", other));
    rows.add(section("locking", "A disk that stalls", "not selected", other));
    rows.add(section("mover", "HBase: a region server's life", "not selected", other));
    rows.replaceAll(row -> ran.getOrDefault((String) row.get("id"), row));
    return rows;
  }

  private static Map<String, Object> section(
      String id, String title, String status, String reason) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("id", id);
    map.put("title", title);
    map.put("status", status);
    map.put("reason", reason);
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
