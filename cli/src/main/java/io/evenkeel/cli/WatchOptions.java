package io.evenkeel.cli;

import io.evenkeel.cli.datanodes.core.DataNodeAnswer;
import io.evenkeel.cli.datanodes.core.DataNodesReport;
import io.evenkeel.common.json.Json;
import java.io.PrintWriter;
import java.util.Stack;
import java.util.concurrent.Callable;
import java.util.function.BiFunction;
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
  private boolean asJson;

  private final Screen screen;

  WatchOptions(Screen screen) {
    this.screen = screen;
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

  /**
   * Asks and prints as often as the options say.
   *
   * @param ask one round
   * @param json a report as a document, with the version of this program
   * @param text a report as tables; the first line says when, if asked
   * @return the exit code of the last round
   */
  <D extends DataNodeAnswer> int rounds(
      Callable<DataNodesReport<D>> ask,
      BiFunction<DataNodesReport<D>, String, Object> json,
      BiFunction<DataNodesReport<D>, Boolean, String> text)
      throws Exception {
    PrintWriter out = spec.commandLine().getOut();
    boolean watching = watch != null;
    for (int round = 1; ; round++) {
      DataNodesReport<D> found = ask.call();
      if (asJson) {
        Object document = json.apply(found, Evenkeel.Version.text());
        out.println(watching ? Json.compact(document) : Json.pretty(document));
      } else if (watching && screen.isTerminal()) {
        out.print(Screen.CLEAR + text.apply(found, true));
      } else {
        out.print((round == 1 ? "" : "\n") + text.apply(found, watching));
      }
      out.flush();
      boolean last = !watching || (count != null && round >= count);
      if (last || screen.isGone()) {
        return found.exitCode().code();
      }
      screen.pause(watch);
    }
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
