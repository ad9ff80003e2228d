package io.evenkeel.cli.status;

import io.evenkeel.cli.status.core.ClusterReport;
import io.evenkeel.cli.status.core.Daemon;
import io.evenkeel.cli.status.core.DaemonReport;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.function.Consumer;

/**
 * Asks all daemons of a cluster, many at once: first NameNodes and the daemons given, then the
 * DataNodes the NameNodes know. Each of the two rounds has a limit of its own. Immutable; one scan
 * at a time per call.
 */
public final class ClusterScan {
  private final int timeoutMillis;
  private final Consumer<String> progress;

  /**
   * Creates a scan.
   *
   * @param timeoutMillis limit per connection and read, in milliseconds
   * @param progress told in one line, from time to time, who has not answered
   */
  public ClusterScan(int timeoutMillis, Consumer<String> progress) {
    this.timeoutMillis = timeoutMillis;
    this.progress = progress;
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
        (daemon, version) -> second.add(new DaemonProbe(daemon, version, timeoutMillis)));
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
    Set<URI> asked = new HashSet<>();
    members.reports.forEach(report -> asked.add(report.daemon().uri()));
    members.live.keySet().removeIf(daemon -> !asked.add(daemon.uri()));
    return members;
  }

  private List<DaemonReport> askAll(List<DaemonProbe> probes) throws InterruptedException {
    List<String> names = new ArrayList<>();
    List<Callable<DaemonReport>> questions = new ArrayList<>();
    for (DaemonProbe probe : probes) {
      names.add(probe.daemon().name());
      questions.add(probe::ask);
    }
    return new ManyAtOnce(timeoutMillis, progress)
        .ask(
            names,
            questions,
            (number, reason) -> DaemonReport.silent(probes.get(number).daemon(), reason));
  }

  /** What the NameNodes know. Read only once the scan has returned it. */
  public static final class Members {
    private final List<DaemonReport> reports;
    private final Map<Daemon, String> live = new TreeMap<>(Daemon.BY_NAME);
    private final Set<String> dead = new TreeSet<>();

    private Members(List<DaemonReport> reports) {
      this.reports = reports;
    }

    /** What each NameNode answered, or why it did not. */
    public List<DaemonReport> nameNodes() {
      return Collections.unmodifiableList(reports);
    }

    /** Web addresses of the DataNodes that live, in the order of their names. */
    public List<URI> liveDataNodes() {
      List<URI> addresses = new ArrayList<>();
      live.keySet().forEach(daemon -> addresses.add(daemon.uri()));
      return addresses;
    }

    /** Dead DataNodes by {@code host:port}, decommissioned ones left out. */
    public Set<String> deadDataNodes() {
      return Collections.unmodifiableSet(dead);
    }
  }
}
