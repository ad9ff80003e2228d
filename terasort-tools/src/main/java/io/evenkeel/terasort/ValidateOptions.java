package io.evenkeel.terasort;

import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * The command line of {@link BlockTeraValidate}; knows nothing of Hadoop, so that help needs none.
 */
@Command(
    name = "teravalidate",
    sortOptions = false,
    description = {
      "Checks that TeraSort's output is sorted and adds up its checksum, block by block on the"
          + " hosts that have them.",
      "Exit code: 0 valid, 2 invalid, 1 could not run, 64 usage, 130 interrupted."
    })
public final class ValidateOptions {
  @Parameters(
      arity = "2..*",
      paramLabel = "PATH",
      description =
          "Input directories, files or globs, then the report directory, which must not exist.")
  List<String> paths;

  @Option(
      names = "--expect",
      paramLabel = "SUM",
      description = {
        "What the records must add up to: a checksum in hex, <hex>:<records>, counter:<decimal>"
            + " (TeraGen's CHECKSUM), a report (directory) of TeraChecksum or TeraValidate,"
            + " or a directory of records to add up first.",
        "Without it lost, repeated or altered records cannot be seen."
      })
  String expect;

  @Option(
      names = "--stock-order",
      description =
          "Order partitions by the bytes of their names, as stock does, also where they are"
              + " numbered; stock calls good data bad beyond 100,000 partitions.")
  boolean stockOrder;

  @Option(
      names = "--stock-exit-code",
      description =
          "For scripts that read the report: end with 0 when the job ran, whatever it found, as"
              + " stock does.")
  boolean stockExitCode;

  @Option(names = "--json", description = "Print the verdict and its details as JSON.")
  boolean json;

  @Option(
      names = "--html",
      paramLabel = "FILE",
      description =
          "Write a page about partitions, tasks, locality and throughput to a local file.")
  String html;

  @Option(names = "--debug", description = "Print the stack trace of a failure.")
  boolean debug;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help and exit.")
  boolean help;

  /** The help text, ended by a line break; for launchers too, which have another parser. */
  public static String usage() {
    return new CommandLine(new ValidateOptions()).getUsageMessage(CommandLine.Help.Ansi.OFF);
  }
}
