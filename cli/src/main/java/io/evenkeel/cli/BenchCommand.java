package io.evenkeel.cli;

import io.evenkeel.bench.BenchMain;
import io.evenkeel.bench.BenchProcess;
import io.evenkeel.bench.demo.DemoLauncher;
import io.evenkeel.bench.demo.DemoOptions;
import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import io.evenkeel.common.cli.OutputFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Lists or runs benchmarks and simulations; they run in a JVM of their own. */
@NeedsJava(17)
@Command(
    name = "bench",
    description = {
      "Compare Evenkeel's classes with the stock classes of a Hadoop release, in the same run.",
      "Results are ratios (Evenkeel / stock) beside the raw numbers."
    })
final class BenchCommand implements Callable<Integer> {
  private static final long REPORT_BYTES = 128L << 20;

  @Spec private CommandSpec spec;

  @Option(
      names = "--list",
      description = "List benchmarks and simulations, or the one of --only; run nothing.")
  private boolean list;

  @Option(names = "--quick", description = "Make short runs; their times are an indication only.")
  private boolean quick;

  @Option(names = "--only", paramLabel = "NAME", description = "Only this benchmark or simulation.")
  private String only;

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "Write JSON to FILE; - is standard output, instead of the table.")
  private String json;

  @Option(
      names = "--hadoop",
      paramLabel = "VERSION",
      defaultValue = "3.4.3",
      description = "Hadoop release whose stock classes are the baseline (${DEFAULT-VALUE}).")
  private String hadoop;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Seed of all random choices; a whole number (9608).")
  private Long seed;

  @Option(
      names = "--report",
      paramLabel = "DIR",
      description =
          "Run the sections of the demo instead, three passes in turn with every arm, each module"
              + " alone and all together, and write report.html and report.json to DIR. Takes 35"
              + " minutes on two cores.")
  private Path report;

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (BenchCommand.class.getResource("/io/evenkeel/bench/BenchMain.class") == null) {
      throw new CommandException(
          ExitCode.COULD_NOT_RUN,
          "benchmarks run from a checkout of the sources, with ./evenkeel bench");
    }
    if (report != null) {
      return report();
    }
    BenchMain.checkName(only);
    boolean toFile = json != null && !"-".equals(json);
    if (toFile) {
      OutputFile.require("--json", json);
    }
    if (list) {
      if (toFile) {
        write(BenchMain.list(only, true));
      }
      PrintWriter out = spec.commandLine().getOut();
      out.print(BenchMain.list(only, "-".equals(json)));
      out.flush();
      return ExitCode.OK.code();
    }
    List<String> args = new ArrayList<>();
    if (quick) {
      args.add("--quick");
    }
    option(args, "--only", only);
    option(args, "--json", json);
    option(args, "--seed", seed == null ? null : seed.toString());
    return BenchProcess.run(hadoop, args);
  }

  private int report() throws IOException, InterruptedException {
    if (list || quick || json != null || seed != null) {
      throw new CommandException(
          ExitCode.USAGE, "--report goes with --only and --hadoop, and with nothing else");
    }
    DemoOptions options = new DemoOptions(REPORT_BYTES, hadoop, report, only, true, false, false);
    return new DemoLauncher(options).run(spec.commandLine().getParseResult().originalArgs());
  }

  private void write(String document) {
    try {
      Files.write(Paths.get(json), document.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw OutputFile.failure("--json", json, e);
    }
  }

  private static void option(List<String> args, String name, String value) {
    if (value != null) {
      args.add(name);
      args.add(value);
    }
  }
}
