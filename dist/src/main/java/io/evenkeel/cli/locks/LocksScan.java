package io.evenkeel.cli.locks;

import io.evenkeel.cli.locks.core.DataNodeLocks;
import io.evenkeel.cli.locks.core.LocksReport;
import io.evenkeel.cli.status.ClusterSource;
import io.evenkeel.cli.status.DataNodeScan;
import java.net.URI;
import java.time.Clock;
import java.util.List;

/** Asks DataNodes for their locks, many at once. Immutable; each call is a round of its own. */
public final class LocksScan {
  private final DataNodeScan<DataNodeLocks> scan;

  /**
   * Creates a scan.
   *
   * @param timeoutMillis limit per connection and read, in milliseconds
   * @param clock says when a round ended
   */
  public LocksScan(int timeoutMillis, Clock clock) {
    this.scan =
        new DataNodeScan<>(
            timeoutMillis,
            clock,
            uri -> new LocksProbe(uri, timeoutMillis).ask(),
            DataNodeLocks::silent);
  }

  /**
   * Asks the DataNodes at these addresses.
   *
   * @throws InterruptedException when the waiting thread is interrupted; threads end with it
   */
  public LocksReport ask(List<URI> dataNodes) throws InterruptedException {
    return report(scan.ask(dataNodes));
  }

  /**
   * Asks the DataNodes that the NameNodes of a cluster call live.
   *
   * @throws InterruptedException when the waiting thread is interrupted; threads end with it
   */
  public LocksReport ask(ClusterSource source) throws InterruptedException {
    return report(scan.ask(source));
  }

  private static LocksReport report(DataNodeScan.Round<DataNodeLocks> round) {
    return new LocksReport(round.source(), round.time(), round.answers(), round.missing());
  }
}
