package io.evenkeel.cli.core.history;

import io.evenkeel.cli.core.Finding;
import io.evenkeel.terasort.core.locality.HostMap;
import io.evenkeel.terasort.core.locality.Locality;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What cost a job locality, as far as it follows from what is known: judges settings, apart from
 * {@link LocalityReport}, which judges tasks. Not thread-safe.
 */
final class LocalityFindings {
  private static final String MAX_LOCATIONS = "mapreduce.job.max.split.locations";
  private static final String INPUT_FORMAT = "mapreduce.job.inputformat.class";
  private static final String OURS = "io.evenkeel.terasort.NodeGroupInputFormat";
  private static final String SCHEDULER = "yarn.resourcemanager.scheduler.class";
  private static final String NODE_DELAY = "yarn.scheduler.capacity.node-locality-delay";
  private static final String RACK_DELAY = "yarn.scheduler.capacity.rack-locality-additional-delay";
  private static final long STOCK_LOCATIONS = 15;
  private static final long STOCK_NODE_DELAY = 40;

  private final JobHistory history;
  private final HostMap hosts;
  private final JobSettings settings;
  private final List<PlacedTask> tasks;
  private final List<Finding> findings = new ArrayList<>();

  LocalityFindings(
      JobHistory history, HostMap hosts, JobSettings settings, List<PlacedTask> tasks) {
    this.history = history;
    this.hosts = hosts;
    this.settings = settings;
    this.tasks = tasks;
  }

  List<Finding> all() {
    history();
    topology();
    oneReplica();
    cutLists();
    siblingsNotNamed();
    hostInUse();
    delays();
    return Collections.unmodifiableList(findings);
  }

  private void add(String kind, String message) {
    findings.add(new Finding(kind, message));
  }

  private void history() {
    if (!history.problem().isEmpty()) {
      add("incomplete", "the history is not complete: " + history.problem());
    }
    if (history.uber()) {
      add(
          "uber",
          "all tasks ran inside the application master (mapreduce.job.ubertask.enable): YARN"
              + " chose no place for them");
    }
    if (!settings.knowsJob()) {
      add("no-job-conf", "the job's configuration was not read; its settings are taken as stock's");
    }
    String counts = settings.job(LocalityReport.REPLICAS_KEY);
    if (OURS.equals(settings.job(INPUT_FORMAT)) && (counts == null || counts.trim().isEmpty())) {
      add(
          "replicas-not-told",
          "the job used NodeGroupInputFormat, but which hosts of a list are siblings is not told:"
              + " tasks on them count as same VM");
    }
  }

  private void topology() {
    if (tasks.isEmpty()) {
      return;
    }
    if (!hosts.knowsRacks() && !hosts.knowsPhysicalHosts()) {
      add("no-racks", "the racks of the hosts are not known; give --topology FILE");
    } else if (!hosts.knowsPhysicalHosts() && count(Locality.SAME_RACK) > 0) {
      add(
          "no-node-groups",
          "which VMs share a physical host is not known: same rack may be same host; give"
              + " --topology FILE with /rack/nodegroup");
    }
  }

  private long count(Locality locality) {
    return tasks.stream().filter(task -> task.locality() == locality).count();
  }

  private void oneReplica() {
    long one = tasks.stream().filter(t -> t.away() && t.replicas().size() == 1).count();
    if (one > 0) {
      add(
          "one-replica",
          one
              + " tasks that ran on other hosts had only one host with their data:"
              + " replication 1, or an input format that names one");
    }
  }

  private void cutLists() {
    long limit = settings.job(MAX_LOCATIONS, STOCK_LOCATIONS);
    long full = tasks.stream().filter(t -> t.task().locations().size() >= limit).count();
    if (full > 0) {
      add(
          "locations-cut",
          full
              + " splits name as many hosts as "
              + MAX_LOCATIONS
              + " = "
              + limit
              + " allows; what was beyond is cut off");
    }
  }

  private void siblingsNotNamed() {
    long missed = 0;
    for (PlacedTask task : tasks) {
      Set<String> named = new HashSet<>(task.task().locations());
      boolean other =
          task.task().locations().stream()
              .anyMatch(host -> !named.containsAll(hosts.onSamePhysicalHost(host)));
      missed += task.away() && other ? 1 : 0;
    }
    String counts = settings.job(LocalityReport.REPLICAS_KEY);
    if (missed > 0 && counts == null && !OURS.equals(settings.job(INPUT_FORMAT))) {
      add(
          "siblings-not-named",
          missed
              + " tasks ran on other hosts while their splits did not name all VMs of the"
              + " replicas' hosts; "
              + OURS
              + " adds those that run a NodeManager");
    }
  }

  /** Key of a physical host, or of the VM where that is not known. */
  private String machine(String host) {
    String physical = hosts.physicalHost(host);
    return physical == null ? host : physical;
  }

  private void hostInUse() {
    Map<String, List<Attempt>> running = new HashMap<>();
    for (Attempt attempt : history.attempts()) {
      if (attempt.started() >= 0 && attempt.finished() >= 0 && !attempt.host().isEmpty()) {
        running.computeIfAbsent(machine(attempt.host()), m -> new ArrayList<>()).add(attempt);
      }
    }
    long away = tasks.stream().filter(PlacedTask::away).count();
    long inUse = tasks.stream().filter(t -> t.away() && nearbyRan(t, running)).count();
    if (inUse > 0) {
      add(
          "host-in-use",
          inUse
              + " of "
              + away
              + " tasks on other hosts started while a VM on a host of their data"
              + " ran other tasks of this job: the job was given room there, for other tasks");
    }
  }

  private boolean nearbyRan(PlacedTask task, Map<String, List<Attempt>> running) {
    long moment = task.attempt().started();
    Set<String> machines = new HashSet<>();
    task.task().locations().forEach(host -> machines.add(machine(host)));
    for (String machine : machines) {
      for (Attempt other : running.getOrDefault(machine, Collections.emptyList())) {
        if (other.started() <= moment && moment < other.finished()) {
          return true;
        }
      }
    }
    return false;
  }

  private void delays() {
    long away = tasks.stream().filter(PlacedTask::away).count();
    if (away == 0 || !settings.knowsCluster() || !capacityScheduler()) {
      return;
    }
    String rack = settings.cluster(RACK_DELAY);
    if (settings.cluster(RACK_DELAY, -1) < 0) {
      add(
          "rack-delay",
          RACK_DELAY
              + " is "
              + (rack == null ? "not set (-1)" : rack)
              + ": a request for few"
              + " containers is given another rack at once; "
              + away
              + " tasks ran on other hosts. See docs/terasort-locality.md");
    }
    long node = settings.cluster(NODE_DELAY, STOCK_NODE_DELAY);
    if (node <= 0) {
      add("node-delay", NODE_DELAY + " is " + node + ": containers do not wait for their own VM");
    }
  }

  private boolean capacityScheduler() {
    String scheduler = settings.cluster(SCHEDULER);
    String known = scheduler == null ? settings.job(SCHEDULER) : scheduler;
    return known == null || known.endsWith("CapacityScheduler");
  }
}
