package io.evenkeel.cli;

import io.evenkeel.cli.status.ClusterScan;
import io.evenkeel.cli.status.core.ClusterReport;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Prints which plugins are loaded by the daemons of a cluster and whether they agree. */
@Command(
    name = "status",
    description = {
      "Print which plugin, version, state and settings each daemon of a cluster has loaded.",
      "Without an address it asks the cluster of ./evenkeel-cluster if there is one, else that of"
          + " HADOOP_CONF_DIR, else that of HADOOP_HOME/etc/hadoop."
    })
final class StatusCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Mixin private final ClusterOptions cluster;

  @Option(
      names = "--daemon",
      paramLabel = "URL",
      description = "Web address of another daemon, such as a ResourceManager; repeatable.")
  private List<String> daemons = new ArrayList<>();

  @Option(names = "--json", description = "Print JSON instead of a table.")
  private boolean json;

  @Option(names = "--verbose", description = "Also print settings that have their defaults.")
  private boolean verbose;

  private final Function<String, String> environment;
  private final Screen screen;

  StatusCommand() {
    this(System::getenv, new Screen.Real());
  }

  /** For tests: {@code environment} gives environment variables. */
  StatusCommand(Function<String, String> environment, Screen screen) {
    this.environment = environment;
    this.screen = screen;
    this.cluster = new ClusterOptions(environment);
  }

  @Override
  public Integer call() throws InterruptedException {
    int limit = cluster.timeoutMillis();
    List<URI> others = cluster.addresses("--daemon", daemons);
    ClusterReport report =
        new ClusterScan(limit, Output.progress(spec))
            .run(cluster.source(!others.isEmpty()), others);
    boolean colour = screen.isTerminal() && environment.apply("NO_COLOR") == null;
    Output.print(spec, json, report::json, () -> report.text(verbose, colour));
    Output.tellFailure(spec, report.failure());
    return report.exitCode().code();
  }
}
