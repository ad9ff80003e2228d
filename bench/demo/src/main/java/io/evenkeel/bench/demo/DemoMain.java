package io.evenkeel.bench.demo;

import io.evenkeel.bench.demo.DemoSection.Passes;
import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import io.evenkeel.common.cli.StandardOutput;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The demo itself, apart from {@link DemoLauncher}, which starts a JVM for it with Hadoop on the
 * class path and needs none itself. Runs the sections and has the reports written.
 */
public final class DemoMain {
  private static final int FULL_PASSES = 3;
  private static final int PLACED_BLOCKS = 40_000;

  private final DemoOptions options;
  private final Progress progress;
  private final Path work;

  private DemoMain(DemoOptions options, Progress progress) {
    this.options = options;
    this.progress = progress;
    this.work = options.out().resolve("work");
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
    // Whatever sets locations for its cluster comes before YARN, which asks for them as well.
    List<DemoSection<?>> sections =
        List.of(
            new PlacementSection(PLACED_BLOCKS, progress),
            new HostsSection(work.resolve("hosts-section"), progress),
            new StallSection(work.resolve("locking"), progress),
            new SlowDiskSection(work.resolve("volume"), progress),
            new RegionServerSection(work.resolve("mover"), progress),
            new SuiteSection(options, work, progress));
    Passes passes = new Passes(options.full() ? FULL_PASSES : 1, options.full());
    DemoReport report = new DemoReport(options, passes, progress);
    boolean good = true;
    for (DemoSection<?> section : sections) {
      good &=
          report.section(
              options.only() == null || options.only().equals(section.id())
                  ? section.run(passes)
                  : section.notSelected(options.only()));
    }
    progress.update("writing the report");
    report.write(terminal);
    return (good ? ExitCode.OK : ExitCode.FINDING).code();
  }
}
