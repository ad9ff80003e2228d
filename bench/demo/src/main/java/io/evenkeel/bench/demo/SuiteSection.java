package io.evenkeel.bench.demo;

import io.evenkeel.bench.embedded.EmbeddedHdfs;
import io.evenkeel.bench.embedded.EmbeddedJobs;
import io.evenkeel.bench.embedded.EmbeddedSettings;
import io.evenkeel.bench.embedded.EmbeddedYarn;
import io.evenkeel.bench.embedded.HostPlan;
import io.evenkeel.bench.embedded.Locality;
import io.evenkeel.bench.embedded.SuiteLog;
import io.evenkeel.bench.runtime.PlugPoints;
import io.evenkeel.common.config.Units;
import io.evenkeel.terasort.BlockTeraValidate;
import io.evenkeel.terasort.mapreduce.ValidationResult;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
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
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.mapred.JobClient;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.JobID;
import org.apache.hadoop.mapred.RunningJob;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;

/**
 * The section "terasort": TeraGen, TeraSort and TeraValidate of the published examples jar on HDFS
 * and YARN, or our validator in place of the last, run as a user would. Apart from {@link
 * DemoMain}, which runs every section. Confined to the demo's main thread; only a phase runs in
 * another so that it can be cut.
 */
final class SuiteSection extends DemoSection<SuiteSection.Result> {
  private static final long WARM_UP_ROWS = 10_000;

  /** A phase that takes longer is cut: something hangs, the machine is not slow. */
  private static final double PHASE_SECONDS = 300;

  /** What is added to that for every second that a slow machine may take for more data. */
  private static final double BYTES_PER_SECOND = 1 << 20;

  /** Which class validates, said among an arm's settings; no key of Hadoop. */
  private static final String VALIDATOR = "validated by";

  /** One replica of every block on SSD, so that both storage types take writes. */
  private static final String STORAGE_POLICY = "ONE_SSD";

  private static final List<String> PHASES = List.of("TeraGen", "TeraSort", "TeraValidate");

  private final DemoOptions options;
  private final Path dir;
  private final HostPlan plan = DemoLauncher.plan();
  private final SuiteLog log = new SuiteLog();
  private Map<String, String> jobs;
  private boolean warm;

  /** What one phase took; CPU time of tasks is negative where it is not known. */
  record Phase(
      String name, double seconds, double taskCpu, double daemonCpu, String result, long errors) {
    boolean ok() {
      return !result.startsWith("failed") && !result.startsWith("cut");
    }

    private Phase with(String verdict, long found) {
      return new Phase(name, seconds, taskCpu, daemonCpu, verdict, found);
    }
  }

  /** What was measured. */
  record Result(
      Map<String, Phase> phases, PlacementSurvey.Counts counts, Locality locality, String fsck) {
    private double seconds(String phase) {
      return phases.containsKey(phase) ? phases.get(phase).seconds : Double.NaN;
    }

    private double cpu(String phase) {
      Phase one = phases.get(phase);
      return one == null ? Double.NaN : SuiteSection.cpu(one.taskCpu, one.daemonCpu);
    }
  }

  /** CPU time of tasks and daemons; not a number where that of either is not known. */
  static double cpu(double tasks, double daemons) {
    return tasks > 0 && daemons >= 0 ? tasks + daemons : Double.NaN;
  }

  /** A cluster's client and the configuration of its jobs. */
  private record Jobs(String label, Configuration conf) {}

  SuiteSection(DemoOptions options, Path dir, Progress progress) {
    super("terasort", "TeraSort suite", progress);
    this.options = options;
    this.dir = dir;
  }

  @Override
  List<Arm> arms(boolean every) {
    Map<String, String> best = PlugPoints.withNodeGroup();
    best.put(VALIDATOR, TeraValidate.class.getName());
    Map<String, String> all = new LinkedHashMap<>(PlugPoints.onClassPath());
    all.put(VALIDATOR, BlockTeraValidate.class.getName());
    List<Arm> stock = new ArrayList<>();
    List<Arm> ours = new ArrayList<>();
    if (every) {
      Map<String, String> plain = Map.of(EmbeddedHdfs.NODE_MAPPING, plan.rackMapping());
      stock.add(Arm.stock("default, plain racks", plain));
      for (String module : List.of("placement", "volume", "locking", "terasort")) {
        Map<String, String> keys = new LinkedHashMap<>(best);
        keys.putAll(PlugPoints.of(module));
        if (module.equals(id())) {
          keys.put(VALIDATOR, all.get(VALIDATOR));
        }
        ours.add(Arm.evenkeel("Evenkeel, " + module + " alone", keys));
      }
    }
    stock.add(Arm.stock("WithNodeGroup", best));
    ours.add(Arm.evenkeel("Evenkeel", all));
    return joined(stock, ours);
  }

  @Override
  Map<String, String> sharedKeys() {
    Map<String, String> keys = DemoSettings.hdfs(options.sizeBytes());
    keys.putAll(EmbeddedSettings.yarnTuning(plan));
    keys.putAll(EmbeddedJobs.tuning(options.sizeBytes()));
    return keys;
  }

  @Override
  Map<String, String> besidesKeys() {
    return Map.of("storage policy of all files", STORAGE_POLICY);
  }

  @Override
  Result measure(Arm arm, Passes passes, int pass) throws Exception {
    if (jobs == null) {
      jobs = jobSettings(startYarn());
    }
    update(arm, "starting HDFS");
    Map<String, String> keys = DemoSettings.hdfs(options.sizeBytes());
    keys.putAll(arm.keys());
    Path at = dir.resolve("hdfs-" + arm.directory() + pass);
    EmbeddedHdfs hdfs = new EmbeddedHdfs(at, plan, DemoSettings.STORAGES, keys);
    try (DistributedFileSystem fs = hdfs.fileSystem()) {
      Configuration conf = hdfs.clientConf();
      jobs.forEach(conf::set);
      Jobs label = new Jobs(arm.name(), conf);
      if (!warm) {
        warmUp(label);
        warm = true;
      }
      return run(arm, label, hdfs, fs);
    } finally {
      finished(hdfs, passes);
    }
  }

  private EmbeddedYarn startYarn() throws IOException, InterruptedException {
    progress().update("starting YARN");
    EmbeddedYarn yarn =
        new EmbeddedYarn(dir.resolve("yarn"), plan, EmbeddedSettings.yarn(plan, dir));
    progress().done("YARN: 1 ResourceManager, " + plan.vms().size() + " NodeManagers");
    return yarn;
  }

  private Map<String, String> jobSettings(EmbeddedYarn yarn) throws IOException {
    Map<String, String> map =
        EmbeddedJobs.of(plan, options.sizeBytes(), dir, DemoLauncher.hostsFile(options));
    map.putAll(yarn.addresses());
    return map;
  }

  /** Generates and sorts a little, numbers thrown away: it loads classes and fills caches. */
  private void warmUp(Jobs jobs) throws Exception {
    Configuration small = new Configuration(jobs.conf);
    EmbeddedJobs.warmUp().forEach(small::set);
    Jobs warmUp = new Jobs("warm-up", small);
    String input = "/warm-up/input";
    Phase phase = run(warmUp, "TeraGen", new TeraGen(), WARM_UP_ROWS, input);
    if (phase.ok()) {
      phase = run(warmUp, "TeraSort", new TeraSort(), input, "/warm-up/output");
    }
    if (!phase.ok()) {
      throw new IOException("warm-up: " + phase.name() + " " + phase.result());
    }
  }

  /** The three phases, as far as they go well; what they wrote is removed afterwards. */
  private Result run(Arm arm, Jobs jobs, EmbeddedHdfs hdfs, DistributedFileSystem fs)
      throws Exception {
    org.apache.hadoop.fs.Path root = new org.apache.hadoop.fs.Path("/suite");
    fs.mkdirs(root);
    fs.setStoragePolicy(root, STORAGE_POLICY);
    PlacementSurvey survey = new PlacementSurvey(plan);
    Locality locality = new Locality(plan);
    Map<String, Phase> phases = new LinkedHashMap<>();
    org.apache.hadoop.fs.Path input = new org.apache.hadoop.fs.Path(root, "input");
    org.apache.hadoop.fs.Path output = new org.apache.hadoop.fs.Path(root, "output");
    Phase phase = run(jobs, "TeraGen", new TeraGen(), options.sizeBytes() / 100, input);
    phases.put(phase.name, phase);
    if (phase.ok()) {
      survey.add(fs, input);
      phase = run(jobs, "TeraSort", new TeraSort(), input, output);
      phases.put(phase.name, phase);
    }
    if (phase.ok()) {
      survey.add(fs, output);
      org.apache.hadoop.fs.Path report = new org.apache.hadoop.fs.Path(root, "report");
      phase =
          BlockTeraValidate.class.getName().equals(arm.keys().get(VALIDATOR))
              ? ours(jobs, output, report)
              : validate(jobs, output, report);
      phases.put(phase.name, phase);
      log.reads().forEach(locality::add);
    }
    Result result = new Result(phases, survey.counts(), locality, hdfs.fsck());
    fs.delete(root, true);
    return result;
  }

  /** Validates with stock's TeraValidate and reads its report, since its exit code is always 0. */
  private Phase validate(Jobs jobs, org.apache.hadoop.fs.Path in, org.apache.hadoop.fs.Path report)
      throws Exception {
    Phase phase = run(jobs, "TeraValidate", new TeraValidate(), in, report);
    if (!phase.ok()) {
      return phase;
    }
    List<String> lines;
    try (FileSystem fs = FileSystem.newInstance(report.toUri(), jobs.conf);
        InputStream from = fs.open(new org.apache.hadoop.fs.Path(report, "part-r-00000"))) {
      lines = new String(from.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    }
    return phase.with("ok", lines.stream().filter(line -> line.startsWith("error")).count());
  }

  /** Validates with our tool; its verdict is its own, its exit code tells invalid from failed. */
  private Phase ours(Jobs jobs, org.apache.hadoop.fs.Path in, org.apache.hadoop.fs.Path report)
      throws Exception {
    BlockTeraValidate tool = new BlockTeraValidate();
    Phase phase = run(jobs, "TeraValidate", tool, "--stock-exit-code", in, report);
    ValidationResult result = tool.result();
    return phase.ok() && result != null
        ? phase.with("ok", result.violations().values().stream().mapToLong(n -> (Long) n).sum())
        : phase;
  }

  private Phase run(Jobs jobs, String name, Tool tool, Object... args) throws Exception {
    String[] words = Stream.of(args).map(String::valueOf).toArray(String[]::new);
    String shown = jobs.label + ": " + name;
    log.nextJob();
    double cpuBefore = cpuSeconds();
    long start = System.nanoTime();
    double limit = PHASE_SECONDS + options.sizeBytes() / BYTES_PER_SECOND;
    String result =
        await(
            shown,
            () -> ToolRunner.run(new Configuration(jobs.conf), tool, words),
            jobs,
            start + (long) (limit * 1e9));
    double seconds = (System.nanoTime() - start) / 1e9;
    double daemons = cpuSeconds() - cpuBefore;
    progress().done(String.format("%s %s in %.1f s", shown, result, seconds));
    long millis = log.counter("CPU time spent (ms)");
    return new Phase(name, seconds, millis < 0 ? -1 : millis / 1e3, daemons, result, 0);
  }

  /** CPU time of this JVM, which runs all daemons; not a number where the JVM cannot tell. */
  private static double cpuSeconds() {
    return ManagementFactory.getOperatingSystemMXBean()
                instanceof com.sun.management.OperatingSystemMXBean os
            && os.getProcessCpuTime() >= 0
        ? os.getProcessCpuTime() / 1e9
        : Double.NaN;
  }

  /** Waits for a phase while showing its progress; kills its job at the deadline. */
  private String await(String label, Callable<Integer> phase, Jobs jobs, long deadline)
      throws Exception {
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
        progress().update(label + " " + log.progress());
        if (System.nanoTime() > deadline) {
          kill(jobs);
          task.cancel(true);
          return "cut at the time limit";
        }
      }
    }
  }

  private void kill(Jobs jobs) throws IOException {
    if (!log.jobId().isEmpty()) {
      try (JobClient client = new JobClient(new JobConf(jobs.conf))) {
        RunningJob job = client.getJob(JobID.forName(log.jobId()));
        if (job != null) {
          job.killJob();
        }
      }
    }
  }

  @Override
  String failure(Result result) {
    for (String name : PHASES) {
      Phase phase = result.phases.get(name);
      if (phase == null) {
        return name + " was not run";
      }
      if (!phase.ok()) {
        return name + ": " + phase.result;
      }
      if (phase.errors > 0) {
        return name + " found " + phase.errors + " errors";
      }
    }
    return "";
  }

  @Override
  String summary() {
    return String.format(
        Locale.ROOT,
        "%s of generated data on a real HDFS and YARN of %d DataNodes and NodeManagers on %d hosts"
            + " in %d racks, after a warm-up. Stock has its policy for node groups, Evenkeel all of"
            + " its modules. All daemons and tasks share one machine: read the times as a check"
            + " that nothing got slower.",
        Units.humanBytes(options.sizeBytes()),
        plan.vms().size(),
        plan.layout().hosts(),
        plan.layout().racks());
  }

  @Override
  String finding(Result often, Arm bestArm, Result best, Result evenkeel) {
    return String.format(
        Locale.ROOT,
        "Validation read %s of its bytes from another host with stock's TeraValidate (%s) and %s"
            + " with Evenkeel's; both found the output valid.",
        percent(best.locality.remoteFraction()),
        bestArm.name(),
        percent(evenkeel.locality.remoteFraction()));
  }

  private static String percent(double fraction) {
    return Double.isNaN(fraction)
        ? "an unknown share"
        : String.format(Locale.ROOT, "%.0f %%", fraction * 100);
  }

  @Override
  List<Measure<Result>> measures() {
    List<Measure<Result>> all = new ArrayList<>();
    all.add(
        Measure.of(
            "Validation read from another host",
            "fraction",
            "less",
            r -> r.locality.remoteFraction()));
    all.add(
        Measure.of(
            "Validation read from another rack", "bytes", "less", r -> r.locality.offRackBytes()));
    all.add(
        Measure.<Result>of(
                "Blocks with two replicas on one host", "", "less", r -> r.counts.twoOnOneHost())
            .decided());
    all.add(
        Measure.<Result>of(
                "Blocks with all replicas on one rack", "", "less", r -> r.counts.oneRack())
            .decided());
    all.add(Measure.of("Blocks", "", "neither", r -> r.counts.blocks()));
    for (String phase : PHASES) {
      all.add(Measure.of(phase + ", elapsed", "s", "less", r -> r.seconds(phase)));
    }
    for (String phase : PHASES) {
      all.add(Measure.of(phase + ", CPU of tasks and daemons", "s", "less", r -> r.cpu(phase)));
    }
    return all;
  }

  @Override
  List<String> bars() {
    return List.of("Validation read from another host");
  }

  @Override
  List<String> commands() {
    return List.of(
        "./evenkeel demo --only terasort",
        "./evenkeel bench --only terasort.locality",
        "./evenkeel bench --only terasort.yarn");
  }
}
