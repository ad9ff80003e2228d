package io.evenkeel.terasort;

import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import io.evenkeel.common.cli.Misuse;
import io.evenkeel.common.cli.OutputFile;
import io.evenkeel.common.cli.ReportHead;
import io.evenkeel.common.cli.StandardOutput;
import io.evenkeel.common.config.ConfigException;
import io.evenkeel.common.json.Json;
import io.evenkeel.terasort.config.TerasortStart;
import io.evenkeel.terasort.core.dataset.Expectation;
import io.evenkeel.terasort.core.dataset.PartitionOrder;
import io.evenkeel.terasort.core.dataset.Violation;
import io.evenkeel.terasort.core.report.FirstLine;
import io.evenkeel.terasort.core.report.ReportPage;
import io.evenkeel.terasort.core.report.ValidationReport;
import io.evenkeel.terasort.mapreduce.ExpectedSum;
import io.evenkeel.terasort.mapreduce.ReportFiles;
import io.evenkeel.terasort.mapreduce.ValidationJob;
import io.evenkeel.terasort.mapreduce.ValidationRequest;
import io.evenkeel.terasort.mapreduce.ValidationResult;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.util.ShutdownHookManager;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/**
 * TeraValidate that reads blocks instead of files: {@code hadoop jar evenkeel-terasort-tools.jar
 * io.evenkeel.terasort.BlockTeraValidate <input>... <report-dir>}.
 *
 * <p>Takes stock's arguments and writes stock's report. Each map reads only blocks that stand on
 * its host; records that straddle two blocks are stitched in the reducer, which also proves that
 * every listed byte was read. See docs/decisions/0012-block-wise-teravalidate.md. One run at a
 * time.
 *
 * <p>When the JVM is ended, the job is killed and the unfinished report directory removed. The exit
 * code is 0 when the data is valid, 2 when it is not, 1 when there is no verdict, and 64 when the
 * arguments make no sense.
 */
public final class BlockTeraValidate extends Configured implements Tool {
  private static final int HOOK_PRIORITY = 50; // before file systems are closed, at 10

  private final PrintStream out;
  private final PrintStream err;
  private volatile ValidationJob running;
  private volatile ValidationResult result;

  /** Prints to standard output and standard error. */
  public BlockTeraValidate() {
    this(System.out, System.err);
  }

  /** Prints the verdict to {@code out} and failures to {@code err}. */
  public BlockTeraValidate(PrintStream out, PrintStream err) {
    this.out = out;
    this.err = err;
  }

  /** Runs it and ends the JVM with its exit code. */
  public static void main(String[] args) throws Exception {
    int code = call(args);
    System.exit(StandardOutput.checked(code, why -> System.err.println("teravalidate: " + why)));
  }

  /** Runs it and returns its exit code; for launchers that live on. */
  public static int call(String... args) throws Exception {
    return ToolRunner.run(new Configuration(), new BlockTeraValidate(), args);
  }

  @Override
  public int run(String[] args) throws InterruptedException {
    ValidateOptions options = new ValidateOptions();
    CommandLine line = new CommandLine(options).setExpandAtFiles(false);
    try {
      line.parseArgs(args);
    } catch (ParameterException e) {
      err.println("teravalidate: " + Misuse.inWords(e.getMessage()));
      err.println("Try 'teravalidate --help'.");
      return ExitCode.USAGE.code();
    }
    if (line.isUsageHelpRequested()) {
      line.usage(out);
      return ExitCode.OK.code();
    }
    Runnable hook = this::kill; // also where a launcher runs this tool in its own JVM
    ShutdownHookManager.get().addShutdownHook(hook, HOOK_PRIORITY);
    try {
      return validate(options);
    } catch (IOException | RuntimeException e) {
      return failed(e, options);
    } finally {
      if (!ShutdownHookManager.get().isShutdownInProgress()) {
        ShutdownHookManager.get().removeShutdownHook(hook);
      }
    }
  }

  private int validate(ValidateOptions options) throws IOException, InterruptedException {
    Configuration conf = getConf();
    TerasortStart.strict(conf);
    if (options.paths.contains("")) {
      throw new CommandException(ExitCode.USAGE, "a path is empty");
    }
    if (options.html != null) {
      OutputFile.require("--html", options.html);
    }
    List<String> inputs = options.paths.subList(0, options.paths.size() - 1);
    Path report = new Path(options.paths.get(inputs.size()));
    ValidationJob.requireAbsent(report, conf); // before anything is added up for --expect
    Expectation expectation =
        options.expect == null ? null : expected(conf, options.expect, report);
    PartitionOrder.Rule order =
        options.stockOrder ? PartitionOrder.Rule.STOCK : PartitionOrder.Rule.NUMBER;
    running =
        new ValidationJob(conf, ValidationRequest.validate(inputs, report, order, expectation));
    result = running.run();
    running = null;
    print(result, options);
    return exitCode(result, options).code();
  }

  /** Prints the verdict and writes the page, if one was asked for. */
  private void print(ValidationResult verdict, ValidateOptions options) throws IOException {
    ValidationReport report =
        options.json || options.html != null ? verdict.readReport(getConf()) : null;
    if (options.json) {
      out.println(Json.pretty(report.json(exitCode(verdict, options))));
    } else {
      printText(verdict, options);
    }
    if (options.html != null) {
      Files.write(
          Paths.get(options.html), ReportPage.html(report).getBytes(StandardCharsets.UTF_8));
    }
  }

  private static ExitCode exitCode(ValidationResult verdict, ValidateOptions options) {
    return verdict.valid() || options.stockExitCode ? ExitCode.OK : ExitCode.FINDING;
  }

  private void printText(ValidationResult verdict, ValidateOptions options) {
    out.printf(
        Locale.ROOT,
        "%s: %,d records in %,d files (%,d bytes, %,d blocks), checksum %s%n",
        verdict.valid() ? "valid" : "INVALID",
        verdict.records(),
        verdict.files(),
        verdict.bytes(),
        verdict.blocks(),
        verdict.checksum());
    for (Violation.Kind kind : Violation.Kind.values()) {
      long count = (Long) verdict.violations().get(kind.label());
      if (count > 0) {
        out.printf(Locale.ROOT, "  %s: %,d%n", kind.meaning(), count);
      }
    }
    if (options.expect == null) {
      out.println(
          "  lost, repeated or altered records cannot be seen without --expect"
              + " (the checksum TeraGen or TeraChecksum printed)");
    }
    out.println("  report: " + new Path(verdict.report(), ReportFiles.REPORT));
    if (options.html != null) {
      out.println("  page: " + options.html);
    }
  }

  /** Says in JSON that there is no verdict, and why. */
  private void printFailure(String failure, ExitCode code) {
    Map<String, Object> json = ReportHead.of(ValidationReport.SCHEMA, code);
    json.put("failure", failure);
    out.println(Json.pretty(json));
  }

  private Expectation expected(Configuration conf, String text, Path report)
      throws IOException, InterruptedException {
    ExpectedSum sum = new ExpectedSum(conf, text, report);
    running = sum.job();
    return sum.resolve();
  }

  private int failed(Exception e, ValidateOptions options) {
    if (options.debug) {
      e.printStackTrace(err);
    }
    boolean known = e instanceof CommandException || e instanceof ConfigException;
    String message = FirstLine.of(known ? e.getMessage() : e.toString());
    ExitCode code =
        e instanceof CommandException ? ((CommandException) e).exitCode() : ExitCode.COULD_NOT_RUN;
    err.println("teravalidate: " + message);
    if (options.json) {
      printFailure(message, code);
    }
    return code.code();
  }

  private void kill() {
    ValidationJob job = running;
    if (job != null) {
      job.kill();
    }
  }

  /** The verdict of the last run; null when there was none. */
  public ValidationResult result() {
    return result;
  }
}
