package io.evenkeel.cli;

import io.evenkeel.cli.status.DataNodeScan;
import io.evenkeel.cli.volumes.core.DataNodeVolumes;
import io.evenkeel.cli.volumes.core.VolumesReport;
import java.net.URI;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

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
  @Mixin private final ClusterOptions cluster;

  @Mixin private final WatchOptions watch;

  @Parameters(
      arity = "0..*",
      paramLabel = "URL",
      description = "Web addresses of DataNodes, such as http://dn1:9864.")
  private List<String> dataNodes = new ArrayList<>();

  private final Clock clock;

  VolumesCommand() {
    this(System::getenv, new Screen.Real(), Clock.systemUTC());
  }

  /** For tests: {@code environment} gives environment variables. */
  VolumesCommand(Function<String, String> environment, Screen screen, Clock clock) {
    this.cluster = new ClusterOptions(environment);
    this.watch = new WatchOptions(screen);
    this.clock = clock;
  }

  @Override
  public Integer call() throws Exception {
    watch.check(cluster);
    List<URI> given = cluster.dataNodes("URL", dataNodes);
    DataNodeScan<DataNodeVolumes> scan =
        new DataNodeScan<>(
            cluster.timeoutMillis(),
            clock,
            DataNodeVolumes::of,
            DataNodeVolumes::silent,
            VolumesReport::findings);
    return watch.rounds(
        () -> given.isEmpty() ? scan.ask(cluster.source(false)) : scan.ask(given),
        VolumesReport::json,
        VolumesReport::text);
  }
}
