package io.evenkeel.cli;

import io.evenkeel.bench.demo.DemoLauncher;
import io.evenkeel.bench.demo.DemoOptions;
import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import io.evenkeel.common.config.Units;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code evenkeel demo}: runs the real thing on this machine, stock beside Evenkeel. */
@NeedsJava(17)
@Command(
    name = "demo",
    description = {
      "Compares stock, as often found and at its best, with Evenkeel: placement, slow and stalled"
          + " disks, renames, the TeraSort suite. Real HDFS and YARN in one JVM, one pass.",
      "Writes report.html and report.json. Takes about five minutes on 2 cores and 1.7 GB of disk."
    })
public final class DemoCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = "--size",
      paramLabel = "SIZE",
      defaultValue = "128m",
      description = "Bytes TeraGen writes, 1m to 64g (default: ${DEFAULT-VALUE}).")
  private String size;

  @Option(
      names = "--hadoop",
      paramLabel = "VERSION",
      defaultValue = "3.4.3",
      description = "Hadoop release to run (default: ${DEFAULT-VALUE}).")
  private String hadoop;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      defaultValue = "evenkeel-report",
      description =
          "Directory for the reports and, while the demo runs, for everything else (default:"
              + " ${DEFAULT-VALUE}).")
  private Path out;

  @Option(
      names = "--only",
      paramLabel = "SECTION",
      description = "Run one section only: hosts, locking, mover, placement, terasort or volume.")
  private String only;

  @Option(names = "--keep", description = "Keep the clusters' files and logs below --out.")
  private boolean keep;

  @Option(
      names = "--json",
      description = "Print report.json at the end; progress goes to standard error.")
  private boolean json;

  @Override
  public Integer call() throws Exception {
    DemoOptions options = new DemoOptions(bytes(), hadoop, out, only, false, keep, json);
    return new DemoLauncher(options).run(spec.commandLine().getParseResult().originalArgs());
  }

  private long bytes() {
    try {
      return Units.bytes(size);
    } catch (IllegalArgumentException e) {
      throw new CommandException(ExitCode.USAGE, "--size: " + e.getMessage(), e);
    }
  }
}
