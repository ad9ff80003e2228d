package io.evenkeel.bench.demo;

import io.evenkeel.bench.embedded.EmbeddedHdfs;
import io.evenkeel.bench.embedded.EmbeddedSettings;
import io.evenkeel.bench.embedded.EmbeddedYarn;
import io.evenkeel.bench.embedded.HostPlan;
import io.evenkeel.bench.embedded.SuiteLog;
import io.evenkeel.bench.runtime.PlugPoints;
import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import io.evenkeel.common.cli.StandardOutput;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The demo itself, apart from {@link DemoLauncher}, which starts a JVM for it with Hadoop on the
 * class path and needs none itself. Builds the clusters, runs the arms in turn within the time
 * limit, writes the reports.
 */
public final class DemoMain {
  /** No other pass begins that would end after this; other sections take their share of it. */
  private static final double DEMO_SECONDS = 287;

  /** An arm that takes more than half of this is cut: something hangs, the machine is not slow. */
  private static final double PAIR_SECONDS = 600;

  private static final long UNLIMITED_SECONDS = 24 * 3600;
  private static final int FULL_PASSES = 4;
  private static final int QUICK_PASSES = 3;
  private static final long WARM_UP_ROWS = 10_000;

  private final DemoOptions options;
  private final Progress progress;
  private final Path work;
  private final HostPlan plan;

  private DemoMain(DemoOptions options, Progress progress) {
    this.options = options;
    this.progress = progress;
    this.work = options.out().resolve("work");
    this.plan = DemoLauncher.plan();
  }

  /** Runs the demo with the options {@link DemoLauncher} wrote as system properties. */
  public static void main(String[] args) throws Exception {
    DemoOptions options = DemoLauncher.optionsFromProperties();
    Runtime.getRuntime()
        .addShutdownHook(new Thread(() -> end(ExitCode.INTERRUPTED.code()), "demo-interrupted"));
    endWithParent();
    PrintStream terminal = System.out;
    PrintStream errors = System.err;
    PrintStream noise =
        new PrintStream(
            Files.newOutputStream(options.out().resolve("work/output.log")),
            true,
            StandardCharsets.UTF_8);
    System.setOut(noise); // the tools of the suite and Hadoop's web framework print on their own
    System.setErr(noise);
    Progress progress =
        new Progress(options.json() ? errors : terminal, Boolean.getBoolean("evenkeel.terminal"));
    int code;
    try {
      code = new DemoMain(options, progress).run(terminal);
    } catch (CommandException e) {
      errors.println("evenkeel: " + e.getMessage());
      code = e.exitCode().code();
    } catch (Exception | LinkageError e) {
      errors.println(
          "evenkeel: the demo failed: " + rootMessage(e) + "; see " + DemoLauncher.log(options));
      org.apache.log4j.Logger.getLogger(DemoMain.class).error("demo failed", e);
      code = ExitCode.COULD_NOT_RUN.code();
    }
    System.setOut(terminal);
    end(StandardOutput.checked(code, why -> errors.println("evenkeel: " + why)));
  }

  /**
   * Ends the JVM at once: an orderly stop of 37 daemons takes longer than the demo, and their files
   * are thrown away. Containers are processes of their own and are ended first.
   */
  private static void end(int code) {
    ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly);
    Runtime.getRuntime().halt(code);
  }

  /** A launcher that was killed cannot clean up: what is left must at least not run on. */
  private static void endWithParent() {
    Thread watch =
        new Thread(
            () -> {
              ProcessHandle.current().parent().ifPresent(parent -> parent.onExit().join());
              end(ExitCode.INTERRUPTED.code());
            },
            "parent-watch");
    watch.setDaemon(true);
    watch.start();
  }

  private static String rootMessage(Throwable e) {
    Throwable root = e;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root.toString();
  }

  private int run(PrintStream terminal) throws Exception {
    List<DemoSection<?>> sections =
        List.of(
            new SlowDiskSection(work.resolve("volume"), progress),
            new StallSection(work.resolve("locking"), progress),
            new RegionServerSection(work.resolve("mover"), progress));
    DemoReport report = new DemoReport(options, plan, progress);
    boolean good = true;
    if (wanted(DemoReport.SUITE)) {
      double others =
          sections.stream()
              .filter(section -> wanted(section.id()))
              .mapToDouble(DemoSection::seconds)
              .sum();
      good = runSuite(report, DEMO_SECONDS - others);
    } else {
      report.notSelected(DemoReport.SUITE, DemoReport.SUITE_TITLE);
    }
    for (DemoSection<?> section : sections) {
      if (wanted(section.id())) {
        good &= report.section(section.run());
      } else {
        report.notSelected(section.id(), section.title());
      }
    }
    progress.update("writing the report");
    report.write(terminal);
    return (good ? ExitCode.OK : ExitCode.FINDING).code();
  }

  private boolean wanted(String section) {
    return options.only() == null || options.only().equals(section);
  }

  /**
   * Runs the TeraSort suite on both arms; returns whether all of it went well.
   *
   * @param end no other pass begins that would end after this second of the demo
   */
  private boolean runSuite(DemoReport report, double end) throws Exception {
    SuiteLog log = new SuiteLog();
    Map<String, String> jobs = jobSettings(startYarn());
    TeraSuite stock = teraSuite(Arm.STOCK, Map.of(), jobs, log);
    TeraSuite evenkeel = teraSuite(Arm.EVENKEEL, PlugPoints.onClassPath(), jobs, log);
    double begin = progress.elapsedSeconds();
    runPasses(stock, evenkeel, options.full() ? UNLIMITED_SECONDS : end);
    double seconds = progress.elapsedSeconds() - begin;
    report.suite(stock.result(options.full()), evenkeel.result(options.full()), seconds);
    return stock.good() && evenkeel.good();
  }

  private EmbeddedYarn startYarn() throws IOException, InterruptedException {
    progress.update("starting YARN");
    EmbeddedYarn yarn =
        new EmbeddedYarn(work.resolve("yarn"), plan, EmbeddedSettings.yarn(plan, work));
    progress.done("YARN: 1 ResourceManager, " + plan.vms().size() + " NodeManagers");
    return yarn;
  }

  private TeraSuite teraSuite(
      Arm arm, Map<String, String> settings, Map<String, String> jobs, SuiteLog log)
      throws IOException, InterruptedException {
    progress.update("starting HDFS (" + arm.label() + ")");
    Map<String, String> keys = DemoSettings.hdfs(options.sizeBytes());
    keys.putAll(settings);
    Path dir = work.resolve("hdfs-" + arm.label());
    EmbeddedHdfs hdfs = new EmbeddedHdfs(dir, plan, DemoSettings.STORAGES, keys);
    progress.done(
        String.format(
            "HDFS (%s): 1 NameNode, %d DataNodes on %d hosts in %d racks",
            arm.label(), plan.vms().size(), plan.layout().hosts(), plan.layout().racks()));
    return new TeraSuite(arm, hdfs, jobs, log, progress);
  }

  private Map<String, String> jobSettings(EmbeddedYarn yarn) throws IOException {
    String jvmArgs =
        Stream.concat(
                inheritedJvmArgs(),
                Stream.of(
                    "-XX:+UseSerialGC",
                    "-XX:TieredStopAtLevel=1",
                    "-Xshare:auto",
                    "-Djdk.net.hosts.file=" + DemoLauncher.hostsFile(options)))
            .collect(Collectors.joining(" "));
    Map<String, String> jobs =
        DemoSettings.jobs(plan, options.sizeBytes(), jvmArgs, pathingJar().toString());
    jobs.putAll(yarn.addresses());
    return jobs;
  }

  /** What this JVM was given for Hadoop's sake, heap and system properties aside. */
  private static Stream<String> inheritedJvmArgs() {
    return ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(
            arg ->
                arg.startsWith("--add-opens=")
                    || arg.startsWith("-Djava.net.")
                    || arg.equals("-XX:-UsePerfData"));
  }

  /** One jar whose manifest names the whole class path: container scripts stay short. */
  private Path pathingJar() throws IOException {
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    String entries =
        Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
            .map(entry -> Path.of(entry).toUri().toString())
            .collect(Collectors.joining(" "));
    manifest.getMainAttributes().put(Attributes.Name.CLASS_PATH, entries);
    Path jar = work.resolve("mapreduce-classpath.jar");
    try (OutputStream out = Files.newOutputStream(jar)) {
      new JarOutputStream(out, manifest).close();
    }
    return jar;
  }

  /** Warms up, then runs both arms while time is left. */
  private void runPasses(TeraSuite stock, TeraSuite evenkeel, double end) throws Exception {
    double pairLimit = options.full() ? UNLIMITED_SECONDS : PAIR_SECONDS;
    stock.warmUp(WARM_UP_ROWS, deadline(progress.elapsedSeconds() + pairLimit));
    long rows = options.sizeBytes() / 100;
    double pair = 0;
    int passes = options.full() ? FULL_PASSES : QUICK_PASSES;
    for (int pass = 0; pass < passes; pass++) {
      double start = progress.elapsedSeconds();
      if (pass > 0 && start + pair * 1.05 > end) {
        break;
      }
      // Turn about, so that neither arm always runs first; neither may use up the other's time.
      TeraSuite first = pass % 2 == 0 ? stock : evenkeel;
      TeraSuite second = first == stock ? evenkeel : stock;
      first.pass(rows, deadline(start + pairLimit / 2));
      second.pass(rows, deadline(start + pairLimit));
      pair = progress.elapsedSeconds() - start;
    }
  }

  /** The nanoTime at which the demo's clock will show {@code seconds}. */
  private long deadline(double seconds) {
    return System.nanoTime() + (long) ((seconds - progress.elapsedSeconds()) * 1e9);
  }
}
