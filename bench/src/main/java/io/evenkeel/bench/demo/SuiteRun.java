package io.evenkeel.bench.demo;

import io.evenkeel.bench.demo.TeraSuite.Phase;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * The TeraSort suite on one arm: its HDFS, and everything measured on it over all passes. Confined
 * to the demo's main thread.
 */
final class SuiteRun {
  private final Arm arm;
  private final EmbeddedHdfs hdfs;
  private final SuiteLog log;
  private final TeraSuite suite;
  private final Map<String, List<Phase>> phases = new LinkedHashMap<>();
  private final PlacementSurvey placement;
  private final Locality locality;
  private Map<String, Object> lastPass = Map.of();
  private boolean complete = true;
  private int passes;

  SuiteRun(
      Arm arm,
      EmbeddedHdfs hdfs,
      Map<String, String> jobSettings,
      SuiteLog log,
      Progress progress) {
    this.arm = arm;
    this.hdfs = hdfs;
    this.log = log;
    Configuration conf = hdfs.clientConf();
    jobSettings.forEach(conf::set);
    this.suite = new TeraSuite(conf, log, progress);
    this.placement = new PlacementSurvey(hdfs.plan());
    this.locality = new Locality(hdfs.plan());
  }

  /** Generates and sorts a little, numbers thrown away: it loads classes and fills caches. */
  void warmUp(long rows, long deadline) throws Exception {
    TeraSuite small = suite.with(DemoSettings.warmUp());
    Path input = new Path("/warm-up/input");
    Phase phase = small.generate("warm-up", rows, input, deadline);
    if (phase.ok()) {
      phase = small.sort("warm-up", input, new Path("/warm-up/output"), deadline);
    }
    if (!phase.ok()) {
      throw new IOException("warm-up: " + phase.name() + " " + phase.result());
    }
  }

  /** Runs the suite once and measures it; what it wrote is removed afterwards. */
  void pass(long rows, long deadline) throws Exception {
    passes++;
    Path root = new Path("/pass" + passes);
    try (DistributedFileSystem fs = hdfs.fileSystem()) {
      try (InFlightSampler sampler =
          new InFlightSampler(hdfs, DemoSettings.blockSize(rows * 100))) {
        fs.mkdirs(root);
        // One replica of every block on SSD, so that both storage types take writes.
        fs.setStoragePolicy(root, "ONE_SSD");
        run(fs, root, rows, deadline);
        sampler.close();
        Map<String, Object> seen = new LinkedHashMap<>();
        seen.put("inFlight", sampler.inFlight());
        seen.put("volumes", sampler.volumes());
        seen.put("volumeQueue", sampler.volumeQueue());
        lastPass = seen;
      }
      fs.delete(root, true);
    }
  }

  /** The three phases, as far as they go well. */
  private void run(DistributedFileSystem fs, Path root, long rows, long deadline) throws Exception {
    String label = arm.label() + " pass " + passes;
    Path input = new Path(root, "input");
    Path output = new Path(root, "output");
    Path report = new Path(root, "report");
    boolean ok = took(suite.generate(label, rows, input, deadline));
    if (ok) {
      placement.add(fs, input);
      ok = took(suite.sort(label, input, output, deadline));
    }
    if (ok) {
      placement.add(fs, output);
      ok =
          took(
              arm == Arm.STOCK
                  ? suite.validate(label, output, report, deadline)
                  : suite.validateByBlock(label, output, report, deadline));
      log.reads().forEach(locality::add);
    }
    complete &= ok;
  }

  private boolean took(Phase phase) {
    phases.computeIfAbsent(phase.name(), name -> new ArrayList<>()).add(phase);
    return phase.ok();
  }

  /** Whether every phase of every pass ran to its end and every pass validated. */
  boolean good() {
    return complete
        && phases.getOrDefault("TeraValidate", List.of()).stream()
            .allMatch(phase -> phase.result().startsWith("valid"));
  }

  /**
   * Everything measured, in the schema of the report.
   *
   * @param dropFirst leave the times of the first pass out when there are others
   */
  Map<String, Object> result(boolean dropFirst) throws IOException {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("label", arm.label());
    map.put("complete", complete);
    map.put("passes", passes);
    map.put("settings", hdfs.plugPoints());
    List<Map<String, Object>> rows = new ArrayList<>();
    phases.forEach(
        (name, runs) ->
            rows.add(row(name, runs.subList(dropFirst && runs.size() > 1 ? 1 : 0, runs.size()))));
    map.put("phases", rows);
    map.put("placement", placement.result(hdfs.fsck()));
    map.putAll(lastPass);
    map.put("locality", locality.result());
    return map;
  }

  private static Map<String, Object> row(String name, List<Phase> runs) {
    Phase last = runs.get(runs.size() - 1);
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("name", name);
    row.put("seconds", runs.stream().map(Phase::seconds).toList());
    row.put("taskCpuSeconds", runs.stream().map(Phase::taskCpu).filter(s -> s >= 0).toList());
    row.put("daemonCpuSeconds", runs.stream().map(Phase::daemonCpu).toList());
    row.put("tasks", last.tasks());
    row.put("result", last.result());
    return row;
  }
}
