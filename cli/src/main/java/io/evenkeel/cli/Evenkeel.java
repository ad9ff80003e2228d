package io.evenkeel.cli;

import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import io.evenkeel.common.cli.Misuse;
import io.evenkeel.common.cli.StandardOutput;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** Entry point of the launcher: knows the subcommands and turns every failure into an exit code. */
@Command(
    name = "evenkeel",
    mixinStandardHelpOptions = true,
    versionProvider = Evenkeel.Version.class,
    scope = ScopeType.INHERIT,
    description = "Commands to try, deploy and watch Evenkeel's extensions of HDFS and YARN.",
    // Every command of the launcher stands here; docs/commands.md lists the same, by a test.
    subcommands = {
      DemoCommand.class,
      ClusterCommand.class,
      GameDayCommand.class,
      CheckCommand.class,
      ProveCommand.class,
      StatusCommand.class,
      DoctorCommand.class,
      VolumesCommand.class,
      LocksCommand.class,
      TopologyCommand.class,
      SimulateCommand.class,
      TeraSortCommand.class,
      TeraValidateCommand.class,
      LocalityCommand.class,
      MoverCommand.class,
      BenchCommand.class
    })
public final class Evenkeel implements Callable<Integer> {
  private static final char REPLACEMENT = '\uFFFD';
  private static final String UNREADABLE =
      " holds bytes that are no text in "
          + System.getProperty("sun.jnu.encoding")
          + ", the encoding of the locale: Java cannot open such a name; rename the file";

  @Spec private CommandSpec spec;

  @Option(
      names = "--debug",
      scope = ScopeType.INHERIT,
      description = "Print the stack trace of a failure.")
  private boolean debug;

  /** Runs a command and exits with its code; Ctrl-C ends the JVM with 130 by itself. */
  public static void main(String[] args) {
    if (Arrays.stream(args).anyMatch(each -> each.startsWith("https://"))) {
      ClusterOptions.trust(System::getenv);
    }
    System.exit(StandardOutput.checked(run(args), why -> System.err.println("evenkeel: " + why)));
  }

  /** Runs a command and returns its exit code; does not end the JVM. */
  static int run(String... args) {
    return run(commandLine(), args);
  }

  static int run(CommandLine line, String... args) {
    try {
      return line.execute(args);
    } catch (LinkageError e) {
      line.getErr().println("evenkeel: " + explain(e));
      return ExitCode.COULD_NOT_RUN.code();
    }
  }

  /**
   * The launcher with all its commands, ready to parse.
   *
   * @param prepared instances to use for commands of their class; for tests
   */
  static CommandLine commandLine(Object... prepared) {
    Evenkeel root = new Evenkeel();
    CommandLine line = new CommandLine(root, new Instances(prepared));
    line.setCaseInsensitiveEnumValuesAllowed(true);
    line.setExecutionStrategy(
        parsed -> {
          checkJava(parsed, javaFeature(System.getProperty("java.specification.version")));
          refuseUnreadable(parsed);
          return new CommandLine.RunLast().execute(parsed);
        });
    line.setExecutionExceptionHandler((e, cmd, parsed) -> root.failed(e, cmd));
    line.setParameterExceptionHandler((e, parsed) -> misused(e));
    describeExitCodes(line);
    PassingCommand.prepare(line);
    return line;
  }

  private static void describeExitCodes(CommandLine line) {
    Map<String, String> codes = new LinkedHashMap<>();
    for (ExitCode code : ExitCode.values()) {
      codes.put(String.valueOf(code.code()), code.meaning());
    }
    line.getCommandSpec().usageMessage().exitCodeListHeading("%nExit codes:%n");
    line.getCommandSpec().usageMessage().exitCodeList(codes);
    line.getSubcommands().values().forEach(Evenkeel::describeExitCodes);
  }

  /**
   * Refuses a command marked with {@link NeedsJava} on an older Java, unless only help is asked.
   */
  static void checkJava(ParseResult parsed, int running) {
    ParseResult last = parsed;
    String with = "";
    int needed = 0;
    for (ParseResult at = parsed; at != null; at = at.hasSubcommand() ? at.subcommand() : null) {
      last = at;
      NeedsJava needs = at.commandSpec().userObject().getClass().getAnnotation(NeedsJava.class);
      boolean loads =
          needs != null
              && !at.hasMatchedOption(needs.unless())
              && (needs.with().isEmpty() || at.hasMatchedOption(needs.with()));
      if (loads && needs.value() > needed) {
        needed = needs.value();
        with = needs.with().isEmpty() ? "" : " " + needs.with();
      }
    }
    boolean onlyHelp = last.isUsageHelpRequested() || last.isVersionHelpRequested();
    if (!onlyHelp && running < needed) {
      throw new ParameterlessFailure(
          last.commandSpec().commandLine(),
          "'"
              + last.commandSpec().qualifiedName()
              + with
              + "' needs Java "
              + needed
              + " or later, this is "
              + running
              + "; set JAVA_HOME");
    }
  }

  /**
   * Refuses an option or argument without a letter: a script whose variable is unset must not get
   * the current directory in place of the one it means. Also one that Java could not read: it has
   * replaced letters in it and would look for another file.
   */
  private static void refuseUnreadable(ParseResult parsed) {
    for (ParseResult at = parsed; at != null; at = at.hasSubcommand() ? at.subcommand() : null) {
      if (at.isUsageHelpRequested() || at.isVersionHelpRequested()) {
        return;
      }
      for (ArgSpec arg : at.matchedArgs()) {
        boolean handedOn = arg.isPositional() && arg.paramLabel().equals(PassingCommand.HANDED_ON);
        String values = String.join(" ", arg.originalStringValues());
        boolean replaced = values.indexOf(REPLACEMENT) >= 0;
        if (replaced || !handedOn && arg.originalStringValues().contains("")) {
          String name =
              arg.isOption()
                  ? ((OptionSpec) arg).longestName()
                  : "the argument " + arg.paramLabel();
          throw new ParameterException(
              at.commandSpec().commandLine(), name + (replaced ? UNREADABLE : " is empty"));
        }
      }
    }
  }

  /** 8 of {@code 1.8}, 17 of {@code 17}. */
  static int javaFeature(String specificationVersion) {
    String text = specificationVersion;
    return Integer.parseInt(text.startsWith("1.") ? text.substring(2) : text);
  }

  private static int misused(ParameterException e) {
    PrintWriter err = e.getCommandLine().getErr();
    String message = Misuse.inWords(e.getMessage());
    boolean noCommand =
        e instanceof UnmatchedArgumentException
            && !e.getCommandLine().getSubcommands().isEmpty()
            && message.startsWith("Unknown argument");
    err.println("evenkeel: " + (noCommand ? noCommand((UnmatchedArgumentException) e) : message));
    if (e instanceof ParameterlessFailure) {
      return ExitCode.COULD_NOT_RUN.code();
    }
    String name = e.getCommandLine().getCommandSpec().qualifiedName();
    String suggestion = suggestion(e);
    err.println(
        (suggestion == null ? "" : "Did you mean '" + suggestion + "'? ")
            + ("Try '" + name + " --help'."));
    return ExitCode.USAGE.code();
  }

  private static String noCommand(UnmatchedArgumentException e) {
    return "Unknown command: '" + e.getUnmatched().get(0) + "'";
  }

  private static String suggestion(ParameterException e) {
    if (!(e instanceof UnmatchedArgumentException)) {
      return null;
    }
    List<String> near = ((UnmatchedArgumentException) e).getSuggestions();
    return near.isEmpty() ? null : near.get(0);
  }

  private static String explain(LinkageError e) {
    if (e instanceof UnsupportedClassVersionError) {
      return "this command needs a later Java than "
          + System.getProperty("java.specification.version")
          + "; set JAVA_HOME";
    }
    return "a class is missing or does not fit (" + e + "); is the distribution complete?";
  }

  private int failed(Exception e, CommandLine command) {
    if (debug) {
      e.printStackTrace(command.getErr());
    }
    if (e instanceof InterruptedException) {
      Thread.currentThread().interrupt();
      return failed(ExitCode.INTERRUPTED, "interrupted", command);
    }
    return e instanceof CommandException
        ? failed(((CommandException) e).exitCode(), e.getMessage(), command)
        : failed(ExitCode.COULD_NOT_RUN, e.toString(), command);
  }

  private static int failed(ExitCode code, String message, CommandLine command) {
    command.getErr().println("evenkeel: " + Output.printable(String.valueOf(message)));
    Output.printFailure(command, code, message);
    return code.code();
  }

  @Override
  public Integer call() {
    spec.commandLine().usage(spec.commandLine().getErr());
    return ExitCode.USAGE.code();
  }

  /** Makes command objects as picocli does, except those that were prepared. */
  private static final class Instances implements CommandLine.IFactory {
    private final Object[] prepared;

    Instances(Object... prepared) {
      this.prepared = prepared.clone();
    }

    @Override
    public <K> K create(Class<K> type) throws Exception {
      for (Object instance : prepared) {
        if (type.isInstance(instance)) {
          return type.cast(instance);
        }
      }
      return CommandLine.defaultFactory().create(type);
    }
  }

  /** A failure found before the command runs that is not the fault of its options. */
  private static final class ParameterlessFailure extends ParameterException {
    private static final long serialVersionUID = 1L;

    ParameterlessFailure(CommandLine line, String message) {
      super(line, message);
    }
  }

  /** Prints the version from the jar's manifest. */
  static final class Version implements CommandLine.IVersionProvider {
    @Override
    public String[] getVersion() {
      return new String[] {"evenkeel " + text()};
    }

    static String text() {
      String version = Evenkeel.class.getPackage().getImplementationVersion();
      return version == null ? "unpackaged" : version;
    }
  }
}
