package io.evenkeel.terasort;

import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import io.evenkeel.common.cli.Misuse;
import io.evenkeel.common.cli.ReportHead;
import io.evenkeel.common.cli.StandardOutput;
import io.evenkeel.common.json.Json;
import io.evenkeel.terasort.config.TerasortStart;
import io.evenkeel.terasort.core.report.FirstLine;
import io.evenkeel.terasort.core.suite.SuiteReport;
import io.evenkeel.terasort.suite.Forecasts;
import io.evenkeel.terasort.suite.SuiteOptions;
import io.evenkeel.terasort.suite.SuiteRunner;
import io.evenkeel.terasort.suite.Validator;
import java.io.IOException;
import java.io.PrintStream;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.util.ShutdownHookManager;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;

/**
 * Runs the TeraSort suite: {@code hadoop jar evenkeel-terasort-tools.jar
 * io.evenkeel.terasort.TeraSortSuite --rows 10m}.
 *
 * <p>TeraGen and TeraSort come from an examples jar, the validation is {@link BlockTeraValidate}.
 * When the JVM is ended, the job that runs is killed. One run at a time. The exit code is 0 when
 * the result is valid or forecast, 2 when it is not valid, 1 when a phase could not run, 3 when the
 * input of a forecast has no row, 4 when a path is not there, and 64 when the arguments make no
 * sense.
 */
public final class TeraSortSuite extends Configured implements Tool {
  private static final int HOOK_PRIORITY = 50; // before file systems are closed, at 10

  private final PrintStream out;
  private final PrintStream err;
  private final Validator validator;

  /** Prints to standard output and standard error. */
  public TeraSortSuite() {
    this(System.out, System.err, TeraSortSuite::blockWise);
  }

  /** Prints results to {@code out} and all else to {@code err}. */
  public TeraSortSuite(PrintStream out, PrintStream err, Validator validator) {
    this.out = out;
    this.err = err;
    this.validator = validator;
  }

  /** Runs it and ends the JVM with its exit code. */
  public static void main(String[] args) throws Exception {
    int code = call(args);
    System.exit(StandardOutput.checked(code, why -> System.err.println("terasort: " + why)));
  }

  /** Runs it and returns its exit code; for launchers that live on. */
  public static int call(String... args) throws Exception {
    return ToolRunner.run(new Configuration(), new TeraSortSuite(), args);
  }

  private static int blockWise(Configuration conf, String... args) throws Exception {
    BlockTeraValidate tool = new BlockTeraValidate();
    tool.setConf(conf);
    return tool.run(args);
  }

  @Override
  public int run(String[] args) {
    SuiteOptions options;
    try {
      options = SuiteOptions.parse(args);
    } catch (IllegalArgumentException e) {
      err.println("terasort: " + Misuse.inWords(e.getMessage()));
      err.println("Try 'terasort --help'.");
      return ExitCode.USAGE.code();
    }
    if (options.isHelp()) {
      out.print(SuiteOptions.usage());
      out.flush();
      return ExitCode.OK.code();
    }
    PrintStream before = System.out;
    System.setOut(err); // stock's tools print what they do; results must stay readable
    try {
      return (options.isForecast() ? forecast(options) : suite(options)).code();
    } catch (IOException | RuntimeException e) {
      ExitCode code = failed(e, options);
      if (options.isJson()) {
        printFailure(message(e), options, code);
      }
      return code.code();
    } finally {
      System.setOut(before);
      out.flush();
    }
  }

  private ExitCode forecast(SuiteOptions options) throws IOException {
    Map<String, Object> facts = Forecasts.of(getConf(), options);
    if (options.isJson()) {
      Map<String, Object> json = ReportHead.of(Forecasts.SCHEMA, ExitCode.OK);
      json.putAll(facts);
      out.println(Json.pretty(json));
    } else {
      facts.forEach((name, value) -> out.println(SuiteReport.words(name) + ": " + shown(value)));
    }
    return ExitCode.OK;
  }

  private static Object shown(Object value) {
    return value instanceof Double ? String.format(Locale.ROOT, "%.4f", (Double) value) : value;
  }

  private ExitCode suite(SuiteOptions options) throws IOException {
    TerasortStart.strict(getConf()); // a typing error is better known before TeraGen than after it
    SuiteRunner runner = new SuiteRunner(getConf(), options, validator, err);
    Runnable hook = runner::kill;
    ShutdownHookManager.get().addShutdownHook(hook, HOOK_PRIORITY);
    ExitCode code;
    try {
      code = runner.run();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      runner.report().failed("interrupted");
      code = ExitCode.INTERRUPTED;
    } catch (IOException | RuntimeException e) {
      runner.report().failed(message(e));
      code = failed(e, options);
    } finally {
      if (!ShutdownHookManager.get().isShutdownInProgress()) {
        ShutdownHookManager.get().removeShutdownHook(hook);
      }
    }
    print(runner.report(), options, code);
    return code;
  }

  private void print(SuiteReport report, SuiteOptions options, ExitCode code) {
    if (options.isJson()) {
      out.println(Json.pretty(report.json(code)));
    } else if (!report.isEmpty()) {
      out.print(report.text());
    }
  }

  private ExitCode failed(Exception e, SuiteOptions options) {
    if (options.isDebug()) {
      e.printStackTrace(err);
    }
    err.println("terasort: " + message(e));
    return e instanceof CommandException
        ? ((CommandException) e).exitCode()
        : ExitCode.COULD_NOT_RUN;
  }

  /** Says in JSON why there is nothing else. */
  private void printFailure(String failure, SuiteOptions options, ExitCode code) {
    Map<String, Object> json =
        ReportHead.of(options.isForecast() ? Forecasts.SCHEMA : SuiteReport.SCHEMA, code);
    json.put("failure", failure);
    out.println(Json.pretty(json));
  }

  private static String message(Exception e) {
    return FirstLine.of(e instanceof CommandException ? e.getMessage() : e.toString());
  }
}
