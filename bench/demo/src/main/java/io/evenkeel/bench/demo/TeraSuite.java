package io.evenkeel.bench.demo;

import io.evenkeel.bench.embedded.EmbeddedHdfs;
import io.evenkeel.bench.embedded.SuiteLog;
import io.evenkeel.terasort.BlockTeraValidate;
import io.evenkeel.terasort.mapreduce.ValidationResult;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.examples.terasort.TeraGen;
import org.apache.hadoop.examples.terasort.TeraSort;
import org.apache.hadoop.examples.terasort.TeraValidate;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.mapred.JobClient;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.JobID;
import org.apache.hadoop.mapred.RunningJob;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;

/**
 * TeraGen, TeraSort and TeraValidate of the published examples jar on one arm, or our validator in
 * place of the last, run as a user would, and everything measured on them over all passes. Apart
 * from {@link DemoMain}, which runs two of these in turn. Confined to the demo's main thread; only
 * a phase runs in another so that it can be cut.
 */
final class TeraSuite {
  private final Arm arm;
  private final EmbeddedHdfs hdfs;
  private final Configuration conf;
  private final SuiteLog log;
  private final Progress progress;
  private final Map<String, List<Phase>> phases = new LinkedHashMap<>();
  private final PlacementSurvey placement;
  private final Locality locality;
  private Map<String, Object> lastPass = Map.of();
  private boolean complete = true;
  private int passes;

  /** What one phase took; CPU time of tasks is negative where it is not known. */
  record Phase(
      String name, double seconds, double taskCpu, double daemonCpu, long tasks, String result) {
    boolean ok() {
      return !result.startsWith("failed") && !result.startsWith("cut");
    }

    private Phase with(String verdict) {
      return new Phase(name, seconds, taskCpu, daemonCpu, tasks, verdict);
    }
  }

  /**
   * What the phases of a pass have in common.
   *
   * @param label what progress calls the pass
   * @param deadline nanoTime at which it is cut
   */
  private record Pass(String label, Configuration conf, long deadline) {}

  TeraSuite(
      Arm arm,
      EmbeddedHdfs hdfs,
      Map<String, String> jobSettings,
      SuiteLog log,
      Progress progress) {
    this.arm = arm;
    this.hdfs = hdfs;
    this.conf = hdfs.clientConf();
    this.log = log;
    this.progress = progress;
    jobSettings.forEach(conf::set);
    this.placement = new PlacementSurvey(hdfs.plan());
    this.locality = new Locality(hdfs.plan());
  }

  /** Generates and sorts a little, numbers thrown away: it loads classes and fills caches. */
  void warmUp(long rows, long deadline) throws Exception {
    Configuration small = new Configuration(conf);
    DemoSettings.warmUp().forEach(small::set);
    Pass pass = new Pass("warm-up", small, deadline);
    Path input = new Path("/warm-up/input");
    Phase phase = run(pass, "TeraGen", new TeraGen(), rows, input);
    if (phase.ok()) {
      phase = run(pass, "TeraSort", new TeraSort(), input, new Path("/warm-up/output"));
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
        phases(fs, root, rows, deadline);
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
  private void phases(DistributedFileSystem fs, Path root, long rows, long deadline)
      throws Exception {
    Pass pass = new Pass(arm.label() + " pass " + passes, conf, deadline);
    Path input = new Path(root, "input");
    Path output = new Path(root, "output");
    boolean ok = took(run(pass, "TeraGen", new TeraGen(), rows, input));
    if (ok) {
      placement.add(fs, input);
      ok = took(run(pass, "TeraSort", new TeraSort(), input, output));
    }
    if (ok) {
      placement.add(fs, output);
      Path report = new Path(root, "report");
      ok = took(arm == Arm.STOCK ? validate(pass, output, report) : ours(pass, output, report));
      log.reads().forEach(locality::add);
    }
    complete &= ok;
  }

  private boolean took(Phase phase) {
    phases.computeIfAbsent(phase.name(), name -> new ArrayList<>()).add(phase);
    return phase.ok();
  }

  /** Validates with stock's TeraValidate and reads its report, since its exit code is always 0. */
  private Phase validate(Pass pass, Path in, Path report) throws Exception {
    Phase phase = run(pass, "TeraValidate", new TeraValidate(), in, report);
    return phase.ok() ? phase.with(verdict(report)) : phase;
  }

  /** Validates with our tool; its verdict is its own, its exit code tells invalid from failed. */
  private Phase ours(Pass pass, Path in, Path report) throws Exception {
    BlockTeraValidate tool = new BlockTeraValidate();
    Phase phase = run(pass, "TeraValidate", tool, "--stock-exit-code", in, report);
    ValidationResult result = tool.result();
    return phase.ok() && result != null ? phase.with(verdict(result)) : phase;
  }

  private static String verdict(ValidationResult result) {
    if (result.valid()) {
      return "valid, checksum " + result.checksum();
    }
    long errors = result.violations().values().stream().mapToLong(n -> (Long) n).sum();
    return "invalid, " + errors + " errors";
  }

  private String verdict(Path report) throws IOException {
    List<String> lines;
    try (FileSystem fs = FileSystem.newInstance(report.toUri(), conf);
        InputStream in = fs.open(new Path(report, "part-r-00000"))) {
      lines = new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    }
    long errors = lines.stream().filter(line -> line.startsWith("error")).count();
    String checksum =
        lines.stream()
            .filter(line -> line.startsWith("checksum\t"))
            .map(line -> line.substring(9))
            .findFirst()
            .orElse("none");
    return errors == 0 ? "valid, checksum " + checksum : "invalid, " + errors + " errors";
  }

  private Phase run(Pass pass, String name, Tool tool, Object... args) throws Exception {
    String[] words = Stream.of(args).map(String::valueOf).toArray(String[]::new);
    String shown = pass.label + ": " + name;
    log.nextJob();
    double cpuBefore = cpuSeconds();
    long start = System.nanoTime();
    String result =
        await(
            shown, () -> ToolRunner.run(new Configuration(pass.conf), tool, words), pass.deadline);
    double seconds = (System.nanoTime() - start) / 1e9;
    double daemons = cpuSeconds() - cpuBefore;
    progress.done(String.format("%s %s in %.1f s", shown, result, seconds));
    long millis = log.counter("CPU time spent (ms)");
    long tasks =
        Math.max(0, log.counter("Launched map tasks"))
            + Math.max(0, log.counter("Launched reduce tasks"));
    return new Phase(name, seconds, millis < 0 ? -1 : millis / 1e3, daemons, tasks, result);
  }

  /** CPU time of this JVM, which runs all daemons; 0 where the JVM cannot tell. */
  private static double cpuSeconds() {
    return ManagementFactory.getOperatingSystemMXBean()
            instanceof com.sun.management.OperatingSystemMXBean os
        ? Math.max(0, os.getProcessCpuTime()) / 1e9
        : 0;
  }

  /** Waits for a phase while showing its progress; kills its job at the deadline. */
  private String await(String label, Callable<Integer> phase, long deadline) throws Exception {
    FutureTask<Integer> task = new FutureTask<>(phase);
    Thread thread = new Thread(task, "suite");
    thread.setDaemon(true);
    thread.start();
    while (true) {
      try {
        int code = task.get(500, TimeUnit.MILLISECONDS);
        return code == 0 ? "ok" : "failed, exit code " + code;
      } catch (ExecutionException e) {
        return "failed, " + e.getCause();
      } catch (TimeoutException e) {
        progress.update(label + " " + log.progress());
        if (System.nanoTime() > deadline) {
          kill();
          task.cancel(true);
          return "cut at the time limit";
        }
      }
    }
  }

  private void kill() throws IOException {
    if (!log.jobId().isEmpty()) {
      try (JobClient client = new JobClient(new JobConf(conf))) {
        RunningJob job = client.getJob(JobID.forName(log.jobId()));
        if (job != null) {
          job.killJob();
        }
      }
    }
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
