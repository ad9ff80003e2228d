package io.evenkeel.cli.status;

import io.evenkeel.cli.status.core.ClusterReport;
import io.evenkeel.cli.status.core.Daemon;
import io.evenkeel.cli.status.core.DaemonReport;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Asks all daemons of a cluster, many at once: first NameNodes and the daemons given, then the
 * DataNodes the NameNodes know. Each of the two rounds has a limit of its own, so that daemons that
 * answer a byte at a time cannot hold it. Immutable; one scan at a time per call.
 */
public final class ClusterScan {
  private static final int THREADS = 256;

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
    List<DaemonProbe> first = new ArrayList<>();
    for (URI uri : source.nameNodes()) {
      first.add(new DaemonProbe(new Daemon(Daemon.NAMENODE, uri), null, timeoutMillis));
    }
    for (URI uri : others) {
      first.add(new DaemonProbe(new Daemon("daemon", uri), null, timeoutMillis));
    }
    List<DaemonReport> reports = new ArrayList<>(askAll(first));
    Map<URI, String> live = new LinkedHashMap<>();
    Set<String> dead = new TreeSet<>();
    for (int i = 0; i < first.size(); i++) {
      // a probe that was given up may still be writing; only finished ones are read
      if (reports.get(i).hasAnswered()) {
        live.putAll(first.get(i).liveDataNodes());
        dead.addAll(first.get(i).deadDataNodes());
      }
    }
    reports.forEach(report -> live.remove(report.daemon().uri()));
    List<DaemonProbe> second = new ArrayList<>();
    live.forEach(
        (uri, version) ->
            second.add(new DaemonProbe(new Daemon(Daemon.DATANODE, uri), version, timeoutMillis)));
    reports.addAll(askAll(second));
    return new ClusterReport(source.description(), reports, dead);
  }

  private List<DaemonReport> askAll(List<DaemonProbe> probes) throws InterruptedException {
    List<DaemonReport> reports = new ArrayList<>();
    if (probes.isEmpty()) {
      return reports;
    }
    int threads = Math.min(THREADS, probes.size());
    ExecutorService pool =
        Executors.newFixedThreadPool(
            threads,
            task -> {
              Thread thread = new Thread(task, "evenkeel-status");
              thread.setDaemon(true); // a read that hangs must not keep the JVM
              return thread;
            });
    try {
      List<Callable<DaemonReport>> tasks = new ArrayList<>();
      probes.forEach(probe -> tasks.add(probe::ask));
      int turns = 1 + (probes.size() + threads - 1) / threads;
      long limit = 2L * timeoutMillis * turns;
      List<Future<DaemonReport>> futures = pool.invokeAll(tasks, limit, TimeUnit.MILLISECONDS);
      for (int i = 0; i < futures.size(); i++) {
        reports.add(result(futures.get(i), probes.get(i).daemon(), limit));
      }
    } finally {
      pool.shutdownNow();
    }
    return reports;
  }

  private static DaemonReport result(Future<DaemonReport> future, Daemon daemon, long limit)
      throws InterruptedException {
    try {
      return future.get();
    } catch (CancellationException e) {
      return DaemonReport.silent(daemon, "no complete answer within " + limit + " ms");
    } catch (ExecutionException e) {
      return DaemonReport.silent(daemon, String.valueOf(e.getCause()));
    }
  }
}
