package io.evenkeel.mover.cli;

import io.evenkeel.common.config.Units;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParseResult;

/** The command line of the mover; knows nothing of Hadoop, so that help needs none. */
@Command(
    name = "mover",
    sortOptions = false,
    description = {
      "Moves the blocks of files to the storage types their policies ask for, and reports for each"
          + " file whether the NameNode shows them there.",
      "Settings of Hadoop come first, as -Dkey=value. Needs the rights of the HDFS superuser.",
      "Exit code: 0 everything satisfied, 2 something is not, 3 no file there, 4 no such path,"
          + " 5 denied, 1 could not run, 64 usage, 130 interrupted."
    })
public final class MoverOptions {
  static final String STANDARD_INPUT = "-";

  @Parameters(
      arity = "0..*",
      paramLabel = "PATH",
      description =
          "Files, directories with all below them, or globs with * ? [ {; absolute, or"
              + " hdfs://authority/...; - reads standard input, one path a line.")
  private List<String> arguments = new ArrayList<>();

  /** After parsing all paths and globs of the command line itself. */
  @Option(
      names = "-p",
      arity = "1..*",
      paramLabel = "PATH",
      description = "A path, as with hdfs mover.")
  List<String> paths = new ArrayList<>();

  /** After parsing all lists, with {@link #STANDARD_INPUT}. */
  @Option(
      names = "-f",
      paramLabel = "FILE",
      description =
          "Local file of paths, one a line, without globs. Blank lines and lines that start"
              + " with # are skipped. - is standard input.")
  List<String> lists = new ArrayList<>();

  @Option(
      names = "--dry-run",
      description = "Move nothing; show what would be moved inside DataNodes and over the network.")
  boolean dryRun;

  @Option(
      names = "--policy",
      paramLabel = "NAME",
      description = "With --dry-run: plan for this storage policy instead of the files' own.")
  String policy;

  @Option(
      names = "--throttle",
      paramLabel = "RATE",
      description =
          "Most bytes a second for each namespace, such as 50m, moves inside DataNodes"
              + " included.")
  private String throttle;

  @Option(
      names = "--deadline",
      paramLabel = "TIME",
      description = "Start nothing more after this time, such as 10m.")
  private String deadline;

  @Option(
      names = "--delay",
      paramLabel = "TIME",
      description = "Wait this long before doing anything.")
  private String delay;

  @Option(
      names = "--snapshots",
      description = "Also move what snapshots of directories at, below and above the paths hold.")
  boolean snapshots;

  @Option(names = "--watch", description = "Repeat until everything is satisfied.")
  boolean watch;

  @Option(
      names = "--interval",
      paramLabel = "TIME",
      defaultValue = "30s",
      description =
          "With --watch: time between the end of a round and the next (${DEFAULT-VALUE}).")
  String interval;

  @Option(
      names = "--run-during-upgrade",
      description =
          "Move even while an upgrade of HDFS is not finalised. DataNodes then keep deleted"
              + " replicas, and a storage type may fill up.")
  boolean runDuringUpgrade;

  @Option(
      names = "--follow",
      description =
          "Run as a daemon that follows renames, as evenkeel.mover.follow.* say; takes no paths.")
  boolean follow;

  @Option(
      names = "--requests",
      description = "Print the oldest 1,000 open requests of a running daemon.")
  boolean requests;

  @Option(
      names = "--cancel",
      paramLabel = "ID",
      description =
          "End a request of a running daemon for good, by its number in --requests. Moves under"
              + " way are finished.")
  Long cancelled; // null for none

  @Option(
      names = "--pause",
      description =
          "Let a running daemon move nothing until --resume, also after a failover. It still"
              + " follows renames and accepts requests.")
  boolean pause;

  @Option(names = "--resume", description = "Let a paused daemon move again.")
  boolean resume;

  @Option(names = "--json", description = "Print the report as JSON.")
  boolean json;

  @Option(
      names = "--verbose",
      description = "Report each file when it is done, and list all files that are not satisfied.")
  boolean verbose;

  @Option(names = "--debug", description = "Print the stack trace of a failure.")
  boolean debug;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help and exit.")
  boolean help;

  MoverOptions() {}

  /**
   * Reads a command line.
   *
   * @throws IllegalArgumentException when it makes no sense; the message names the option or path
   */
  static MoverOptions parse(String... args) {
    MoverOptions options = new MoverOptions();
    ParseResult parsed;
    try {
      parsed = options.line().parseArgs(args);
    } catch (ParameterException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
    if (!options.help) {
      options.check(parsed);
    }
    return options;
  }

  /** The help text, ended by a line break; for launchers too, which have another parser. */
  public static String usage() {
    return new MoverOptions().line().getUsageMessage(CommandLine.Help.Ansi.OFF);
  }

  /** The parser, with which documentation is compared. */
  CommandLine line() {
    return new CommandLine(this)
        .setExpandAtFiles(false)
        .setUnmatchedOptionsAllowedAsOptionParameters(false);
  }

  /** Whether a running daemon is asked, and nothing is moved. */
  boolean asksDaemon() {
    return requests || cancelled != null || pause || resume;
  }

  /** Bytes a second, 0 for no limit. */
  long bytesPerSecond() {
    return throttle == null ? 0 : value("--throttle", throttle, Units::bytes);
  }

  /** Null for none. */
  Duration deadline() {
    return deadline == null ? null : value("--deadline", deadline, Units::duration);
  }

  Duration delay() {
    return delay == null ? Duration.ZERO : value("--delay", delay, Units::duration);
  }

  Duration interval() {
    return value("--interval", interval, Units::duration);
  }

  private void check(ParseResult parsed) {
    alone(parsed, "--follow", "--run-during-upgrade");
    alone(parsed, "--requests", "--json");
    alone(parsed, "--cancel", "");
    alone(parsed, "--pause", "");
    alone(parsed, "--resume", "");
    require(cancelled == null || cancelled > 0, "--cancel needs a number of --requests");

    paths.addAll(arguments);
    while (paths.remove(STANDARD_INPUT)) {
      lists.add(STANDARD_INPUT);
    }
    boolean isForPaths = !follow && !asksDaemon();
    require(
        !isForPaths || !paths.isEmpty() || !lists.isEmpty(),
        "no path is given; give paths, or / for everything");
    require(
        Collections.frequency(lists, STANDARD_INPUT) < 2, "standard input can be read once only");
    require(!lists.contains(""), "-f is empty");

    require(policy == null || dryRun, "--policy needs --dry-run: set the policy on the path first");
    require(policy == null || !policy.trim().isEmpty(), "--policy is empty");
    require(!watch || !dryRun, "--watch and --dry-run cannot be combined");
    require(throttle == null || bytesPerSecond() > 0, "--throttle is 0; leave it out for no limit");
    require(deadline == null || !deadline().isZero(), "--deadline is 0");
    require(delay().toMillis() >= 0, "--delay is negative");
    require(watch || !parsed.hasMatchedOption("--interval"), "--interval is for --watch");
    require(interval().toMillis() >= 100, "--interval is below 100ms");
  }

  /** What concerns a daemon goes with nothing but {@code --debug} and one other option. */
  private void alone(ParseResult parsed, String option, String beside) {
    if (parsed.hasMatchedOption(option)) {
      List<String> others = new ArrayList<>(arguments);
      parsed.matchedOptions().forEach(matched -> others.add(matched.longestName()));
      others.removeAll(Arrays.asList(option, beside, "--debug"));
      require(others.isEmpty(), option + " cannot be combined with " + String.join(" ", others));
    }
  }

  private static <T> T value(String name, String text, Function<String, T> parser) {
    try {
      return parser.apply(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(name + ": " + e.getMessage(), e);
    }
  }

  private static void require(boolean good, String message) {
    if (!good) {
      throw new IllegalArgumentException(message);
    }
  }
}
