package io.evenkeel.cli;

import io.evenkeel.cli.locks.core.DataNodeLocks;
import io.evenkeel.cli.locks.core.LocksReport;
import io.evenkeel.cli.status.DataNodeScan;
import java.net.URI;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Prints who holds locks of blocks in DataNodes, and how long they are held and waited for. */
@Command(
    name = "locks",
    description = {
      "Print which threads hold locks of blocks in DataNodes with FineGrainedDatasetFactory, and"
          + " how long locks are held and waited for.",
      "Without an address it asks all live DataNodes of the cluster that 'evenkeel status' would"
          + " ask."
    })
final class LocksCommand implements Callable<Integer> {
  private static final int DEFAULT_PORT = 9864;

  @Mixin private final ClusterOptions cluster;

  @Mixin private final WatchOptions watch;

  @Parameters(
      arity = "0..*",
      paramLabel = "DATANODE[:PORT]",
      description =
          "DataNodes by the port of their web server (9864), such as dn1 or http://dn1:9864.")
  private List<String> dataNodes = new ArrayList<>();

  private final Clock clock;

  LocksCommand() {
    this(System::getenv, new Screen.Real(), Clock.systemUTC());
  }

  /** For tests: {@code environment} gives environment variables. */
  LocksCommand(Function<String, String> environment, Screen screen, Clock clock) {
    this.cluster = new ClusterOptions(environment);
    this.watch = new WatchOptions(screen);
    this.clock = clock;
  }

  @Override
  public Integer call() throws Exception {
    watch.check(cluster);
    List<URI> given = cluster.dataNodes("DATANODE", withPort(dataNodes));
    DataNodeScan<DataNodeLocks> scan =
        new DataNodeScan<>(
            cluster.timeoutMillis(),
            clock,
            DataNodeLocks::of,
            DataNodeLocks::silent,
            LocksReport::findings);
    return watch.rounds(
        () -> given.isEmpty() ? scan.ask(cluster.source(false)) : scan.ask(given),
        LocksReport::json,
        LocksReport::text);
  }

  /** A bare name means the port that the web server of a DataNode has by default. */
  private static List<String> withPort(List<String> given) {
    List<String> addresses = new ArrayList<>();
    for (String text : given) {
      addresses.add(text.matches("[A-Za-z0-9._-]+") ? text + ":" + DEFAULT_PORT : text);
    }
    return addresses;
  }
}
