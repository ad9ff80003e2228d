package io.evenkeel.cli;

import io.evenkeel.common.cli.ExitCode;
import io.evenkeel.common.json.Json;
import java.io.PrintWriter;
import java.util.Stack;
import java.util.concurrent.Callable;
import picocli.CommandLine.IParameterConsumer;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options of commands that ask DataNodes once or in rounds, and print tables or JSON. */
final class WatchOptions {
  private static final int MAX_INTERVAL = 3600;
  private static final int DEFAULT_INTERVAL = 2;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--watch",
      arity = "0..1",
      paramLabel = "SECONDS",
      parameterConsumer = Interval.class,
      description = "Ask again after SECONDS, 1..3600 (2), until interrupted.")
  private Integer watch;

  @Option(names = "--count", paramLabel = "N", description = "With --watch: end after N rounds.")
  private Integer count;

  @Option(
      names = "--json",
      description = "Print JSON instead of tables; with --watch one line per round.")
  private boolean json;

  private final Screen screen;

  WatchOptions(Screen screen) {
    this.screen = screen;
  }

  /** What one round found. */
  interface Round {
    /** As a document. */
    Object json();

    /** As tables; the first line says when, if asked. */
    String text(boolean withTime);

    ExitCode exitCode();
  }

  /**
   * Checks the options.
   *
   * @throws ParameterException when they make no sense
   */
  void check(ClusterOptions cluster) {
    if (watch != null && (watch < 1 || watch > MAX_INTERVAL)) {
      throw cluster.misuse("--watch = " + watch + " is not allowed; use 1.." + MAX_INTERVAL);
    }
    if (count != null && count < 1) {
      throw cluster.misuse("--count = " + count + " is not allowed; use 1 or more");
    }
    if (count != null && watch == null) {
      throw cluster.misuse("--count is for --watch");
    }
  }

  /** Asks and prints as often as the options say; the exit code of the last round. */
  int rounds(Callable<? extends Round> ask) throws Exception {
    PrintWriter out = spec.commandLine().getOut();
    for (int round = 1; ; round++) {
      Round found = ask.call();
      print(out, found, round);
      boolean last = watch == null || (count != null && round >= count);
      if (last || screen.isGone()) {
        return found.exitCode().code();
      }
      screen.pause(watch);
    }
  }

  private void print(PrintWriter out, Round found, int round) {
    boolean watching = watch != null;
    if (json) {
      Object document = found.json();
      out.println(watching ? Json.compact(document) : Json.pretty(document));
    } else if (watching && screen.isTerminal()) {
      out.print(Screen.CLEAR + found.text(true));
    } else {
      out.print((round == 1 ? "" : "\n") + found.text(watching));
    }
    out.flush();
  }

  /** Takes the next word only when it is a number, so that an address may follow the option. */
  static final class Interval implements IParameterConsumer {
    @Override
    public void consumeParameters(Stack<String> args, ArgSpec option, CommandSpec command) {
      boolean given = !args.isEmpty() && args.peek().matches("-?\\d{1,9}");
      option.setValue(given ? Integer.valueOf(args.pop()) : DEFAULT_INTERVAL);
    }
  }
}
