package io.evenkeel.bench;

import io.evenkeel.bench.experiment.Experiment;
import io.evenkeel.bench.experiment.RunSettings;
import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import io.evenkeel.common.cli.OutputFile;
import io.evenkeel.common.cli.StandardOutput;
import io.evenkeel.common.json.Json;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.util.VersionInfo;

/**
 * Lists and runs experiments. {@code evenkeel bench} calls {@link #list} in its own JVM and runs
 * {@link #main} in a child JVM that has a Hadoop release on its class path. Stateless.
 */
public final class BenchMain {
  private BenchMain() {}

  /** Runs experiments on the Hadoop of this JVM's class path; see {@link Request#parse}. */
  public static void main(String[] args) {
    int code;
    try {
      run(Request.parse(List.of(args)), System.out, System.err);
      code = ExitCode.OK.code();
    } catch (CommandException e) {
      System.err.println("evenkeel: " + e.getMessage());
      code = e.exitCode().code();
    }
    System.exit(StandardOutput.checked(code, why -> System.err.println("evenkeel: " + why)));
  }

  /**
   * Names and descriptions of experiments, as text or as JSON. Needs no Hadoop.
   *
   * @param only name of one, null for all
   * @throws CommandException when there is no such experiment
   */
  public static String list(String only, boolean json) {
    List<Object> entries = new ArrayList<>();
    StringBuilder text = new StringBuilder();
    for (Experiment e : Experiments.named(only)) {
      Map<String, Object> entry = new LinkedHashMap<>();
      entry.put("name", e.name());
      entry.put("description", e.description());
      entries.add(entry);
      text.append(String.format("%-18s %s%n", e.name(), e.description()));
    }
    return json ? Json.pretty(entries) + System.lineSeparator() : text.toString();
  }

  /**
   * Checks the name of an experiment; null means all.
   *
   * @throws CommandException when there is no such experiment
   */
  public static void checkName(String only) {
    Experiments.named(only);
  }

  /** Runs what is asked for; the result goes to {@code out}, progress to {@code err}. */
  static void run(Request request, PrintStream out, PrintStream err) {
    RunSettings settings = new RunSettings(request.quick(), request.seed(), err::println);
    List<BenchReport.Result> results = new ArrayList<>();
    for (Experiment experiment : Experiments.named(request.only())) {
      err.println("evenkeel: " + experiment.name() + ": " + experiment.description());
      try {
        results.add(BenchReport.Result.of(experiment, experiment.run(settings)));
      } catch (CommandException e) {
        throw e;
      } catch (Exception | LinkageError e) { // a class this Hadoop does not have
        throw new CommandException(
            ExitCode.COULD_NOT_RUN, experiment.name() + " could not run: " + e, e);
      }
    }
    BenchReport report = new BenchReport(settings, VersionInfo.getVersion(), results);
    if ("-".equals(request.json())) {
      out.println(report.json());
      return;
    }
    out.print(report.text()); // before the file, which may fail
    out.flush();
    if (request.json() != null) {
      write(Path.of(request.json()), report.json());
    }
  }

  private static void write(Path file, String json) {
    try {
      Files.writeString(file, json + "\n");
    } catch (IOException e) {
      throw OutputFile.failure("--json", file, e);
    }
  }

  /**
   * What to run.
   *
   * @param only name of one experiment, null for all
   * @param json file for JSON, {@code -} for standard output instead of the table, null for none
   */
  record Request(String only, boolean quick, String json, long seed) {
    /** Parses {@code [--only NAME] [--quick] [--json FILE|-] [--seed N]}. */
    static Request parse(List<String> args) {
      String only = null;
      boolean quick = false;
      String json = null;
      long seed = RunSettings.DEFAULT_SEED;
      for (int i = 0; i < args.size(); i++) {
        switch (args.get(i)) {
          case "--quick" -> quick = true;
          case "--only" -> only = value(args, ++i);
          case "--json" -> json = value(args, ++i);
          case "--seed" -> seed = number(value(args, ++i));
          default -> throw new CommandException(ExitCode.USAGE, "unknown option " + args.get(i));
        }
      }
      return new Request(only, quick, json, seed);
    }

    private static String value(List<String> args, int index) {
      if (index >= args.size()) {
        throw new CommandException(ExitCode.USAGE, args.get(index - 1) + " needs a value");
      }
      return args.get(index);
    }

    private static long number(String text) {
      try {
        return Long.parseLong(text);
      } catch (NumberFormatException e) {
        throw new CommandException(
            ExitCode.USAGE, "--seed = '" + text + "' is not allowed; use a whole number", e);
      }
    }
  }
}
