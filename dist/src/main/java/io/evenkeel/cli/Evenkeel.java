package io.evenkeel.cli;

import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** Entry point of the launcher: knows the subcommands and turns every failure into an exit code. */
@Command(
    name = "evenkeel",
    mixinStandardHelpOptions = true,
    versionProvider = Evenkeel.Version.class,
    scope = ScopeType.INHERIT,
    description = "HDFS and YARN extensions: commands for trying, deploying and watching them.",
    subcommands = {CommandLine.HelpCommand.class, ClusterCommand.class},
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:done or valid",
      "1:could not run",
      "2:a finding (invalid, violation, partial)",
      "3:nothing to do",
      "4:no such path",
      "5:denied",
      "64:usage",
      "130:interrupted"
    })
public final class Evenkeel implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = "--debug",
      scope = ScopeType.INHERIT,
      description = "Print the stack trace of a failure.")
  private boolean debug;

  /** Runs a command and exits with its code. */
  public static void main(String[] args) {
    System.exit(run(args));
  }

  /** Runs a command and returns its exit code; does not end the JVM. */
  static int run(String... args) {
    Evenkeel root = new Evenkeel();
    CommandLine line = new CommandLine(root);
    line.setCaseInsensitiveEnumValuesAllowed(true);
    line.setExecutionExceptionHandler((e, cmd, parsed) -> root.failed(e, cmd.getErr()));
    line.setParameterExceptionHandler(
        (e, parsed) -> {
          PrintWriter err = e.getCommandLine().getErr();
          err.println("evenkeel: " + e.getMessage());
          if (!CommandLine.UnmatchedArgumentException.printSuggestions(e, err)) {
            err.println(
                "Try '" + e.getCommandLine().getCommandSpec().qualifiedName() + " --help'.");
          }
          return ExitCode.USAGE.code();
        });
    return line.execute(args);
  }

  private int failed(Exception e, PrintWriter err) {
    boolean known = e instanceof CommandException;
    err.println("evenkeel: " + (known ? e.getMessage() : e.toString()));
    if (debug) {
      e.printStackTrace(err);
    }
    return (known ? ((CommandException) e).exitCode() : ExitCode.COULD_NOT_RUN).code();
  }

  @Override
  public Integer call() {
    spec.commandLine().usage(spec.commandLine().getErr());
    return ExitCode.USAGE.code();
  }

  /** Prints the version from the jar's manifest. */
  static final class Version implements CommandLine.IVersionProvider {
    @Override
    public String[] getVersion() {
      String version = Evenkeel.class.getPackage().getImplementationVersion();
      return new String[] {"evenkeel " + (version == null ? "unpackaged" : version)};
    }
  }
}
