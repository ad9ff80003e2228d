package io.evenkeel.cli;

import io.evenkeel.cli.volumes.VolumesScan;
import io.evenkeel.cli.volumes.core.VolumesJson;
import io.evenkeel.cli.volumes.core.VolumesReport;
import io.evenkeel.cli.volumes.core.VolumesText;
import io.evenkeel.common.json.Json;
import java.io.PrintWriter;
import java.net.URI;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Stack;
import java.util.concurrent.Callable;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.IParameterConsumer;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints what the latency-aware volume choosing policy of DataNodes knows and does per volume. */
@Command(
    name = "volumes",
    description = {
      "Print what the latency-aware volume choosing policy of DataNodes knows and does, per"
          + " volume.",
      "Without an address it asks all live DataNodes of the cluster that 'evenkeel status' would"
          + " ask."
    })
final class VolumesCommand implements Callable<Integer> {
  private static final int MAX_INTERVAL = 3600;
  private static final int DEFAULT_INTERVAL = 2;

  @Spec private CommandSpec spec;

  @Mixin private final ClusterOptions cluster;

  @Parameters(
      arity = "0..*",
      paramLabel = "URL",
      description = "Web addresses of DataNodes, such as http://dn1:9864.")
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
  private boolean json;

  private final Screen screen;
  private final Clock clock;

  VolumesCommand() {
    this(System::getenv, new Screen.Real(), Clock.systemUTC());
  }

  /** For tests: {@code environment} gives environment variables. */
  VolumesCommand(Function<String, String> environment, Screen screen, Clock clock) {
    this.cluster = new ClusterOptions(environment);
    this.screen = screen;
    this.clock = clock;
  }

  @Override
  public Integer call() throws InterruptedException {
    check();
    List<URI> given = cluster.addresses("URL", dataNodes);
    VolumesScan scan = new VolumesScan(cluster.timeoutMillis(), clock);
    PrintWriter out = spec.commandLine().getOut();
    for (int round = 1; ; round++) {
      VolumesReport report = given.isEmpty() ? scan.ask(cluster.source(false)) : scan.ask(given);
      print(out, report, round);
      boolean last = watch == null || (count != null && round >= count);
      if (last || screen.isGone()) {
        return report.exitCode().code();
      }
      screen.pause(watch);
    }
  }

  private void check() {
    if (watch != null && (watch < 1 || watch > MAX_INTERVAL)) {
      throw cluster.misuse("--watch = " + watch + " is not allowed; use 1.." + MAX_INTERVAL);
    }
    if (count != null && count < 1) {
      throw cluster.misuse("--count = " + count + " is not allowed; use 1 or more");
    }
    if (count != null && watch == null) {
      throw cluster.misuse("--count is for --watch");
    }
    if (!dataNodes.isEmpty() && cluster.nameCluster()) {
      throw cluster.misuse("give addresses of DataNodes or name a cluster, not both");
    }
  }

  private void print(PrintWriter out, VolumesReport report, int round) {
    boolean watching = watch != null;
    if (json) {
      Object document = VolumesJson.of(report, Evenkeel.Version.text());
      out.println(watching ? Json.compact(document) : Json.pretty(document));
    } else if (watching && screen.isTerminal()) {
      out.print(Screen.CLEAR + VolumesText.of(report, true));
    } else {
      out.print((round == 1 ? "" : "\n") + VolumesText.of(report, watching));
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
