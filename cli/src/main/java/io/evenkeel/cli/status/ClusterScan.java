package io.evenkeel.cli.status;

import io.evenkeel.cli.status.core.ClusterReport;
import io.evenkeel.cli.status.core.Daemon;
import io.evenkeel.cli.status.core.DaemonReport;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;

/**
 * Asks all daemons of a cluster, many at once: first NameNodes and the daemons given, then the
 * DataNodes the NameNodes know. Each of the two rounds has a limit of its own. Immutable; one scan
 * at a time per call.
 */
public final class ClusterScan {
  private final int timeoutMillis;

  /** Creates a scan with a limit per connection and read, in milliseconds. */
  public ClusterScan(int timeoutMillis) {
    this.timeoutMillis = timeoutMillis;
  }

  /**
   * Asks.
   *
   * @param source NameNodes
   * @param others web addresses of further daemons
   * @throws InterruptedException when the waiting thread is interrupted; threads end with it
   */
  public ClusterReport run(ClusterSource source, List<URI> others) throws InterruptedException {
    Members members = members(source, others);
    List<DaemonReport> reports = new ArrayList<>(members.reports);
    List<DaemonProbe> second = new ArrayList<>();
    members.live.forEach(
        (uri, version) ->
            second.add(new DaemonProbe(new Daemon(Daemon.DATANODE, uri), version, timeoutMillis)));
    reports.addAll(askAll(second));
    return new ClusterReport(source.description(), reports, members.dead);
  }

  /**
   * Asks the NameNodes only, for the DataNodes they know.
   *
   * @throws InterruptedException when the waiting thread is interrupted; threads end with it
   */
  public Members members(ClusterSource source) throws InterruptedException {
    return members(source, Collections.<URI>emptyList());
  }

  private Members members(ClusterSource source, List<URI> others) throws InterruptedException {
    List<DaemonProbe> first = new ArrayList<>();
    for (URI uri : source.nameNodes()) {
      first.add(new DaemonProbe(new Daemon(Daemon.NAMENODE, uri), null, timeoutMillis));
    }
    for (URI uri : others) {
      first.add(new DaemonProbe(new Daemon("daemon", uri), null, timeoutMillis));
    }
    Members members = new Members(askAll(first));
    for (int i = 0; i < first.size(); i++) {
      // a probe that was given up may still be writing; only finished ones are read
      if (members.reports.get(i).hasAnswered()) {
        members.live.putAll(first.get(i).liveDataNodes());
        members.dead.addAll(first.get(i).deadDataNodes());
      }
    }
    members.reports.forEach(report -> members.live.remove(report.daemon().uri()));
    return members;
  }

  private List<DaemonReport> askAll(List<DaemonProbe> probes) throws InterruptedException {
    List<Callable<DaemonReport>> questions = new ArrayList<>();
    probes.forEach(probe -> questions.add(probe::ask));
    return new ManyAtOnce(timeoutMillis)
        .ask(
            questions,
            (number, reason) -> DaemonReport.silent(probes.get(number).daemon(), reason));
  }

  /** What the NameNodes know. Read only once the scan has returned it. */
  public static final class Members {
    private final List<DaemonReport> reports;
    private final Map<URI, String> live = new LinkedHashMap<>();
    private final Set<String> dead = new TreeSet<>();

    private Members(List<DaemonReport> reports) {
      this.reports = reports;
    }

    /** What each NameNode answered, or why it did not. */
    public List<DaemonReport> nameNodes() {
      return Collections.unmodifiableList(reports);
    }

    /** Web addresses of the DataNodes that live. */
    public List<URI> liveDataNodes() {
      return new ArrayList<>(live.keySet());
    }

    /** Dead DataNodes by {@code host:port}, decommissioned ones left out. */
    public Set<String> deadDataNodes() {
      return Collections.unmodifiableSet(dead);
    }
  }
}
