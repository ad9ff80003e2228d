package io.evenkeel.cli;

import io.evenkeel.cli.volumes.core.DataNodeVolumes;
import io.evenkeel.cli.volumes.core.VolumesReport;
import java.time.Clock;
import java.util.function.Function;
import picocli.CommandLine.Command;

/** Prints what the latency-aware volume choosing policy of DataNodes knows and does per volume. */
@Command(
    name = "volumes",
    description = {
      "Print what the latency-aware volume choosing policy of DataNodes knows and does, per"
          + " volume.",
      "Without an address it asks all live DataNodes of the cluster that 'evenkeel status' would"
          + " ask."
    })
final class VolumesCommand extends DataNodesCommand<DataNodeVolumes> {
  VolumesCommand() {
    this(System::getenv, new Screen.Real(), Clock.systemUTC());
  }

  /** For tests: {@code environment} gives environment variables. */
  VolumesCommand(Function<String, String> environment, Screen screen, Clock clock) {
    super(environment, screen, clock);
  }

  @Override
  public Integer call() throws Exception {
    return ask(
        DataNodeVolumes::of,
        DataNodeVolumes::silent,
        VolumesReport::findings,
        VolumesReport::json,
        VolumesReport::text);
  }
}
