package io.evenkeel.cli.volumes;

import io.evenkeel.cli.status.ClusterScan;
import io.evenkeel.cli.status.ClusterSource;
import io.evenkeel.cli.status.ManyAtOnce;
import io.evenkeel.cli.status.core.DaemonReport;
import io.evenkeel.cli.volumes.core.DataNodeVolumes;
import io.evenkeel.cli.volumes.core.VolumesReport;
import java.net.URI;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;

/** Asks DataNodes for their volumes, many at once. Immutable; each call is a round of its own. */
public final class VolumesScan {
  private final int timeoutMillis;
  private final Clock clock;

  /**
   * Creates a scan.
   *
   * @param timeoutMillis limit per connection and read, in milliseconds
   * @param clock says when a round ended
   */
  public VolumesScan(int timeoutMillis, Clock clock) {
    this.timeoutMillis = timeoutMillis;
    this.clock = clock;
  }

  /**
   * Asks the DataNodes at these addresses.
   *
   * @throws InterruptedException when the waiting thread is interrupted; threads end with it
   */
  public VolumesReport ask(List<URI> dataNodes) throws InterruptedException {
    return ask("addresses given", dataNodes, Collections.<String>emptyList());
  }

  /**
   * Asks the DataNodes that the NameNodes of a cluster call live.
   *
   * @throws InterruptedException when the waiting thread is interrupted; threads end with it
   */
  public VolumesReport ask(ClusterSource source) throws InterruptedException {
    ClusterScan.Members members = new ClusterScan(timeoutMillis).members(source);
    List<String> missing = new ArrayList<>();
    for (DaemonReport nameNode : members.nameNodes()) {
      if (!nameNode.hasAnswered()) {
        missing.add(
            "NameNode " + nameNode.daemon().address() + " did not answer: " + nameNode.error());
      }
    }
    members.deadDataNodes().forEach(dead -> missing.add(dead + " is dead for the NameNode"));
    return ask(source.description(), members.liveDataNodes(), missing);
  }

  private VolumesReport ask(String source, List<URI> dataNodes, List<String> missing)
      throws InterruptedException {
    List<Callable<List<DataNodeVolumes>>> questions = new ArrayList<>();
    for (URI uri : dataNodes) {
      questions.add(() -> new VolumesProbe(uri, timeoutMillis).ask());
    }
    List<DataNodeVolumes> answers = new ArrayList<>();
    new ManyAtOnce(timeoutMillis)
        .ask(
            questions,
            (number, reason) ->
                Collections.singletonList(DataNodeVolumes.silent(dataNodes.get(number), reason)))
        .forEach(answers::addAll);
    return new VolumesReport(source, clock.instant(), answers, missing);
  }
}
