package io.evenkeel.cli.volumes;

import io.evenkeel.cli.status.ClusterSource;
import io.evenkeel.cli.status.DataNodeScan;
import io.evenkeel.cli.volumes.core.DataNodeVolumes;
import io.evenkeel.cli.volumes.core.VolumesReport;
import java.net.URI;
import java.time.Clock;
import java.util.List;

/** Asks DataNodes for their volumes, many at once. Immutable; each call is a round of its own. */
public final class VolumesScan {
  private final DataNodeScan<DataNodeVolumes> scan;

  /**
   * Creates a scan.
   *
   * @param timeoutMillis limit per connection and read, in milliseconds
   * @param clock says when a round ended
   */
  public VolumesScan(int timeoutMillis, Clock clock) {
    this.scan =
        new DataNodeScan<>(
            timeoutMillis,
            clock,
            uri -> new VolumesProbe(uri, timeoutMillis).ask(),
            DataNodeVolumes::silent);
  }

  /**
   * Asks the DataNodes at these addresses.
   *
   * @throws InterruptedException when the waiting thread is interrupted; threads end with it
   */
  public VolumesReport ask(List<URI> dataNodes) throws InterruptedException {
    return report(scan.ask(dataNodes));
  }

  /**
   * Asks the DataNodes that the NameNodes of a cluster call live.
   *
   * @throws InterruptedException when the waiting thread is interrupted; threads end with it
   */
  public VolumesReport ask(ClusterSource source) throws InterruptedException {
    return report(scan.ask(source));
  }

  private static VolumesReport report(DataNodeScan.Round<DataNodeVolumes> round) {
    return new VolumesReport(round.source(), round.time(), round.answers(), round.missing());
  }
}
