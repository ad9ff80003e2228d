package io.evenkeel.terasort.suite;

import io.evenkeel.terasort.core.suite.RowCount;
import java.io.File;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/**
 * The command line of the suite; knows nothing of Hadoop, so that help needs none. Not thread-safe.
 */
@Command(
    name = "terasort",
    sortOptions = false,
    description = {
      "Runs TeraGen, TeraSort and the block-wise TeraValidate, checks the result against what was"
          + " generated, and prints what each took; or forecasts how unequal the partitions will"
          + " be.",
      "Settings of Hadoop come first, as -Dkey=value.",
      "Exit code: 0 valid, 2 invalid, 3 no row in --input, 4 no such path, 1 could not run, 64"
          + " usage, 130 interrupted."
    })
public final class SuiteOptions {
  private static final int MOST_TASKS = 1_000_000;

  @Option(
      names = "--rows",
      paramLabel = "N",
      description = "Rows of 100 bytes: 500k, 10m, 1g or 1t; at most 100t.")
  String rowsText;

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      defaultValue = "evenkeel-terasort",
      description = "Directory to work in, made if missing (${DEFAULT-VALUE}).")
  String dir;

  @Option(
      names = "--reducers",
      paramLabel = "N",
      description = "Partitions of the output (mapreduce.job.reduces).")
  Integer reducers;

  @Option(names = "--maps", paramLabel = "N", description = "Maps of TeraGen (mapreduce.job.maps).")
  Integer maps;

  @Option(
      names = "--samples",
      paramLabel = "auto|N",
      defaultValue = "auto",
      description =
          "Keys TeraSort samples; auto: what --skew needs, at least 100000 (${DEFAULT-VALUE}).")
  String samples;

  @Option(
      names = "--skew",
      paramLabel = "RATIO",
      defaultValue = "1.1",
      description =
          "Ratio of the largest to the mean partition that is not exceeded with a probability"
              + " of 95 %% (${DEFAULT-VALUE}).")
  double skew;

  @Option(
      names = "--replication",
      paramLabel = "N",
      description =
          "Replicas of what TeraGen and TeraSort write; without it dfs.replication and"
              + " mapreduce.terasort.output.replication count, stock's 3 and 1.")
  Integer replication;

  @Option(
      names = "--repeat",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "Number of runs; the first of several is left out of the means (${DEFAULT-VALUE}).")
  int repeat;

  @Option(
      names = "--examples",
      paramLabel = "JAR",
      description =
          "Local hadoop-mapreduce-examples jar; without it the installed one is looked for.")
  File examples;

  @Option(names = "--keep", description = "Keep what the last run wrote.")
  boolean keep;

  @Option(
      names = "--overwrite",
      description = "Remove what an earlier run of this command left in the directory.")
  boolean overwrite;

  @Option(
      names = "--forecast",
      description = "Run nothing; forecast the partitions for --rows or --input.")
  boolean forecast;

  @Option(
      names = "--input",
      paramLabel = "DIR",
      description = "With --forecast: estimate from the keys of these TeraSort rows.")
  String input;

  @Option(
      names = "--probes",
      paramLabel = "N",
      defaultValue = "20000",
      description =
          "With --input: rows drawn at random to judge the partitions; more of them narrow the"
              + " interval (${DEFAULT-VALUE}).")
  int probes;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "9608",
      description = "With --input: seed of the random rows (${DEFAULT-VALUE}).")
  long seed;

  @Option(names = "--json", description = "Print JSON; everything else goes to standard error.")
  boolean json;

  @Option(names = "--debug", description = "Print the stack trace of a failure.")
  boolean debug;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help and exit.")
  boolean help;

  private SuiteOptions() {}

  /**
   * Reads a command line.
   *
   * @throws IllegalArgumentException when it makes no sense; the message names the option
   */
  public static SuiteOptions parse(String... args) {
    SuiteOptions options = new SuiteOptions();
    try {
      line(options).parseArgs(args);
    } catch (ParameterException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
    if (!options.help) {
      options.check();
    }
    return options;
  }

  /** The help text, ended by a line break; for launchers too, which have another parser. */
  public static String usage() {
    return line(new SuiteOptions()).getUsageMessage(CommandLine.Help.Ansi.OFF);
  }

  /** The parser, with which documentation is compared. */
  static CommandLine line(SuiteOptions options) {
    return new CommandLine(options).setExpandAtFiles(false);
  }

  /** For {@link #line}. */
  static SuiteOptions empty() {
    return new SuiteOptions();
  }

  /** Whether only help is asked for. */
  public boolean isHelp() {
    return help;
  }

  /** Whether only a forecast is asked for. */
  public boolean isForecast() {
    return forecast;
  }

  /** Whether to print JSON. */
  public boolean isJson() {
    return json;
  }

  /** Whether to print stack traces. */
  public boolean isDebug() {
    return debug;
  }

  /** Rows to generate, 1 or more; 0 with {@code --input}. */
  long rows() {
    return rowsText == null ? 0 : RowCount.parse(rowsText);
  }

  /** Keys to sample; 0 when the forecast decides. */
  int samples() {
    return samples.equals("auto") ? 0 : Integer.parseInt(samples);
  }

  private void check() {
    require((rowsText == null) == (input != null), "give --rows, or --forecast with --input");
    require(input == null || forecast, "--input needs --forecast");
    try {
      rows();
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("--rows: " + e.getMessage(), e);
    }
    within("--reducers", reducers, MOST_TASKS);
    within("--maps", maps, MOST_TASKS);
    within("--replication", replication, 512);
    within("--repeat", repeat, 1000);
    within("--probes", probes, 10_000_000);
    require(probes > 1, "--probes = 1 is not allowed; use 2..10000000");
    require(samples.matches("auto|[1-9]\\d{0,8}"), "--samples is auto or 1..999999999");
    require(skew > 1 && skew <= 1000, "--skew = " + skew + " is not allowed; use above 1..1000");
    require(!dir.isEmpty(), "--dir is empty");
    require(input == null || !input.isEmpty(), "--input is empty");
    require(examples == null || !examples.getPath().isEmpty(), "--examples is empty");
  }

  private static void within(String name, Integer value, int most) {
    require(
        value == null || (value >= 1 && value <= most),
        name + " = " + value + " is not allowed; use 1.." + most);
  }

  private static void require(boolean good, String message) {
    if (!good) {
      throw new IllegalArgumentException(message);
    }
  }
}
