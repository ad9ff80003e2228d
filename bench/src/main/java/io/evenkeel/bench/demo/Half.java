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
 * One side of the comparison, stock or Evenkeel: its HDFS, and everything measured on it over all
 * passes. Confined to the demo's main thread.
 */
final class Half {
  private final Kind kind;
  private final EmbeddedHdfs hdfs;
  private final SuiteLog log;
  private final Progress progress;
  private final Map<String, String> jobSettings;
  private final Map<String, List<Phase>> phases = new LinkedHashMap<>();
  private final PlacementSurvey placement;
  private final Locality locality;
  private Map<String, Object> lastPass = Map.of();
  private boolean complete = true;
  private int passes;

  /** Whose settings and whose validator. */
  enum Kind {
    STOCK("stock"),
    EVENKEEL("evenkeel");

    final String label;

    Kind(String label) {
      this.label = label;
    }

    private Phase validate(TeraSuite suite, String pass, Path root, long deadline)
        throws Exception {
      Path output = new Path(root, "output");
      Path report = new Path(root, "report");
      return this == STOCK
          ? suite.validate(pass, output, report, deadline)
          : suite.validateByBlock(pass, output, report, deadline);
    }
  }

  Half(
      Kind kind,
      EmbeddedHdfs hdfs,
      Map<String, String> jobSettings,
      SuiteLog log,
      Progress progress) {
    this.kind = kind;
    this.hdfs = hdfs;
    this.jobSettings = jobSettings;
    this.log = log;
    this.progress = progress;
    this.placement = new PlacementSurvey(hdfs.plan());
    this.locality = new Locality(hdfs.plan());
  }

  /** Generates and sorts a little, numbers thrown away: it loads classes and fills caches. */
  void warmUp(long rows, long deadline) throws Exception {
    Configuration conf = jobConf();
    DemoSettings.warmUp().forEach(conf::set);
    TeraSuite suite = new TeraSuite(conf, log, progress, new CpuClock());
    Phase phase = suite.generate("warm-up", rows, new Path("/warm-up/input"), deadline);
    if (phase.ok()) {
      phase =
          suite.sort("warm-up", new Path("/warm-up/input"), new Path("/warm-up/output"), deadline);
    }
    if (!phase.ok()) {
      throw new IOException("warm-up: " + phase.name() + " " + phase.result());
    }
  }

  private Configuration jobConf() {
    Configuration conf = hdfs.clientConf();
    jobSettings.forEach(conf::set);
    return conf;
  }

  /** Runs the suite once and measures it; what it wrote is removed afterwards. */
  void pass(long rows, long deadline) throws Exception {
    passes++;
    String name = kind.label + " pass " + passes;
    try (InFlightSampler sampler = new InFlightSampler(hdfs, DemoSettings.blockSize(rows * 100))) {
      suite(name, new Path("/pass" + passes), rows, deadline);
      sampler.close();
      Map<String, Object> seen = new LinkedHashMap<>();
      seen.put("inFlight", sampler.inFlight());
      seen.put("volumes", new VolumeSurvey(hdfs).rows(sampler));
      seen.put("volumeQueue", sampler.volumeQueue());
      lastPass = seen;
    }
    try (DistributedFileSystem fs = hdfs.fileSystem()) {
      fs.delete(new Path("/pass" + passes), true);
    }
  }

  private void suite(String name, Path root, long rows, long deadline) throws Exception {
    TeraSuite suite = new TeraSuite(jobConf(), log, progress, new CpuClock());
    Path input = new Path(root, "input");
    Path output = new Path(root, "output");
    try (DistributedFileSystem fs = hdfs.fileSystem()) {
      fs.mkdirs(root);
      // One replica of every block on SSD, so that both storage types take writes.
      fs.setStoragePolicy(root, "ONE_SSD");
      List<Phase> done = new ArrayList<>();
      done.add(suite.generate(name, rows, input, deadline));
      if (last(done).ok()) {
        placement.add(fs, input);
        done.add(suite.sort(name, input, output, deadline));
      }
      if (last(done).ok()) {
        placement.add(fs, output);
        done.add(kind.validate(suite, name, root, deadline));
        log.reads().forEach(locality::add);
      }
      record(done);
    }
  }

  private void record(List<Phase> done) {
    done.forEach(p -> phases.computeIfAbsent(p.name(), k -> new ArrayList<>()).add(p));
    complete &= done.size() == 3 && last(done).ok();
  }

  private static Phase last(List<Phase> done) {
    return done.get(done.size() - 1);
  }

  int passes() {
    return passes;
  }

  boolean complete() {
    return complete;
  }

  /** Whether every pass validated. */
  boolean valid() {
    return phases.getOrDefault("TeraValidate", List.of()).stream()
        .allMatch(p -> p.result().startsWith("valid"));
  }

  /**
   * Everything measured, in the schema of the report.
   *
   * @param dropFirst leave the times of the first pass out when there are others
   */
  Map<String, Object> result(boolean dropFirst) throws IOException {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("label", kind.label);
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
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("name", name);
    row.put("seconds", runs.stream().map(Phase::seconds).toList());
    row.put("taskCpuSeconds", runs.stream().map(Phase::taskCpu).filter(s -> s >= 0).toList());
    row.put("daemonCpuSeconds", runs.stream().map(Phase::daemonCpu).toList());
    row.put("tasks", last(runs).tasks());
    row.put("result", last(runs).result());
    return row;
  }
}
