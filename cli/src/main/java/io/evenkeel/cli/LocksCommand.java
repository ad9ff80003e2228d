package io.evenkeel.cli;

import io.evenkeel.cli.locks.core.DataNodeLocks;
import io.evenkeel.cli.locks.core.LocksReport;
import java.time.Clock;
import java.util.function.Function;
import picocli.CommandLine.Command;

/** Prints who holds locks of blocks in DataNodes, and how long they are held and waited for. */
@Command(
    name = "locks",
    description = {
      "Print which threads hold locks of blocks in DataNodes with FineGrainedDatasetFactory, and"
          + " how long locks are held and waited for.",
      "Without an address it asks all live DataNodes of the cluster that 'evenkeel status' would"
          + " ask."
    })
final class LocksCommand extends DataNodesCommand<DataNodeLocks> {
  LocksCommand() {
    this(System::getenv, new Screen.Real(), Clock.systemUTC());
  }

  /** For tests: {@code environment} gives environment variables. */
  LocksCommand(Function<String, String> environment, Screen screen, Clock clock) {
    super(environment, screen, clock);
  }

  @Override
  public Integer call() throws Exception {
    return ask(
        DataNodeLocks::of,
        DataNodeLocks::silent,
        LocksReport::findings,
        LocksReport::json,
        LocksReport::text);
  }
}
