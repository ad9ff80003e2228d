package io.evenkeel.cli;

import io.evenkeel.cli.core.Finding;
import io.evenkeel.cli.datanodes.core.DataNodeAnswer;
import io.evenkeel.cli.datanodes.core.DataNodesReport;
import io.evenkeel.cli.status.DataNodeScan;
import io.evenkeel.common.json.Json;
import java.io.PrintWriter;
import java.net.URI;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Stack;
import java.util.concurrent.Callable;
import java.util.function.BiFunction;
import java.util.function.Function;
import picocli.CommandLine.IParameterConsumer;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * A command that asks DataNodes once or in rounds, and prints tables or JSON.
 *
 * @param <D> what one DataNode answers
 */
abstract class DataNodesCommand<D extends DataNodeAnswer> implements Callable<Integer> {
  private static final int DEFAULT_PORT = 9864;
  private static final int MAX_INTERVAL = 3600;
  private static final int DEFAULT_INTERVAL = 2;

  @Spec private CommandSpec spec;

  @Mixin private final ClusterOptions cluster;

  @Parameters(
      arity = "0..*",
      paramLabel = "DATANODE[:PORT]",
      description =
          "DataNodes, with the port of their web server unless it is 9864: dn1 or http://dn1:9864.")
  private List<String> dataNodes = new ArrayList<>();

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
  private final Clock clock;

  /** {@code environment} gives environment variables. */
  DataNodesCommand(Function<String, String> environment, Screen screen, Clock clock) {
    this.cluster = new ClusterOptions(environment);
    this.screen = screen;
    this.clock = clock;
  }

  /**
   * Asks the DataNodes given, or those of the cluster, and prints as often as the options say.
   *
   * @param reader what a DataNode with these beans answers
   * @param silent the answer of one that gives none
   * @param findings of all answers
   * @param json a report as a document
   * @param text a report as tables; the first line says when, if asked
   * @return the exit code of the last round
   */
  Integer ask(
      BiFunction<URI, List<Map<String, Object>>, List<D>> reader,
      BiFunction<URI, String, D> silent,
      BiFunction<List<D>, List<String>, List<Finding>> findings,
      Function<DataNodesReport<D>, Object> json,
      BiFunction<DataNodesReport<D>, Boolean, String> text)
      throws Exception {
    check();
    List<URI> given = cluster.dataNodes("DATANODE", withPort(dataNodes));
    DataNodeScan<D> scan =
        new DataNodeScan<>(
            cluster.timeoutMillis(), Output.progress(spec), clock, reader, silent, findings);
    return rounds(
        () -> given.isEmpty() ? scan.ask(cluster.source(false)) : scan.ask(given), json, text);
  }

  /** A bare name means the port that the web server of a DataNode has by default. */
  private static List<String> withPort(List<String> given) {
    List<String> addresses = new ArrayList<>();
    for (String text : given) {
      addresses.add(text.matches("[A-Za-z0-9._-]+") ? text + ":" + DEFAULT_PORT : text);
    }
    return addresses;
  }

  private void check() {
    if (watch != null && (watch < 1 || watch > MAX_INTERVAL)) {
      throw cluster.misuse("--watch = " + watch + " is not allowed; use 1.." + MAX_INTERVAL);
    }
    if (count != null && count < 1) {
      throw cluster.misuse("--count = " + count + " is not allowed; use 1 or more");
    }
    if (count != null && watch == null) {
      throw cluster.misuse("--count needs --watch");
    }
  }

  private int rounds(
      Callable<DataNodesReport<D>> ask,
      Function<DataNodesReport<D>, Object> json,
      BiFunction<DataNodesReport<D>, Boolean, String> text)
      throws Exception {
    PrintWriter out = spec.commandLine().getOut();
    boolean watching = watch != null;
    for (int round = 1; ; round++) {
      DataNodesReport<D> found = ask.call();
      if (asJson) {
        Object document = json.apply(found);
        out.println(watching ? Json.compact(document) : Json.pretty(document));
      } else if (watching && screen.isTerminal()) {
        out.print(Screen.CLEAR + Output.printable(text.apply(found, true)));
      } else {
        out.print((round == 1 ? "" : "\n") + Output.printable(text.apply(found, watching)));
      }
      out.flush();
      boolean last = !watching || (count != null && round >= count);
      if (last || screen.isGone()) {
        Output.tellFailure(spec, found.failure());
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
