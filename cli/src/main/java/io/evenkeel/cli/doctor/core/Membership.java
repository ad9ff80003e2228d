package io.evenkeel.cli.doctor.core;

import io.evenkeel.cli.core.Figures;
import io.evenkeel.cli.doctor.core.Diagnosis.Certainty;
import io.evenkeel.cli.doctor.core.Diagnosis.Kind;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

/**
 * Who belongs to the cluster and in which state: dead and silent DataNodes, failed volumes,
 * decommissions that do not get on, releases, blocks that are missing, and what stock's own
 * detectors report. Stateless.
 */
final class Membership {
  /** Over a shorter time nothing can be said about progress. */
  private static final double LEAST_SECONDS = 45;

  /** Daemons tell the time in whole seconds, and their answers take a moment. */
  private static final double LEAST_CLOCK = 5;

  /** Hadoop's default of {@code dfs.namenode.stale.datanode.interval}. */
  private static final double STALE_SECONDS = 30;

  private Membership() {}

  static List<Diagnosis> find(ClusterHistory cluster) {
    List<Diagnosis> found = new ArrayList<>();
    incomplete(cluster, found);
    failover(cluster, found);
    missing(cluster, found);
    failedVolumes(cluster, found);
    leaving(cluster, "DecomNodes", "decommission", found);
    leaving(cluster, "EnteringMaintenanceNodes", "maintenance", found);
    versions(cluster, found);
    clocks(cluster, found);
    slowDisks(cluster, found);
    return found;
  }

  private static void incomplete(ClusterHistory cluster, List<Diagnosis> found) {
    Map<String, Map<?, ?>> dead = dead(cluster);
    if (!dead.isEmpty()) {
      Map<String, String> how = new LinkedHashMap<>();
      dead.forEach((name, node) -> how.put(name, since(node)));
      double lacking = cluster.last().number("UnderReplicatedBlocks");
      found.add(
          new Diagnosis.Builder(Kind.DEAD_DATANODE, Certainty.CERTAIN, dataNodes(dead.keySet()))
              .evidence(
                  "the NameNode has given up "
                      + named(how)
                      + (lacking > 0
                          ? "; "
                              + Figures.count(lacking, "block lacks", "blocks lack")
                              + " replicas"
                          : ""))
              .harm("Their replicas are copied anew, and their disks are missing to writers.")
              .stock(
                  "Is the host up? If so, look at the end of the DataNode's log for why it stopped,"
                      + " and start it. Those that are gone for good: take them out of the file of dfs.hosts,"
                      + " or without one name them in that of dfs.hosts.exclude, then 'hdfs"
                      + " dfsadmin -refreshNodes'.")
              .build());
    }
    silent(cluster, dead.keySet(), found);
    nameNode(cluster, found);
  }

  /** Dead DataNodes, but those that were stopped on purpose. */
  static Map<String, Map<?, ?>> dead(ClusterHistory cluster) {
    Map<String, Map<?, ?>> dead = new TreeMap<>(cluster.last().nodes("DeadNodes"));
    dead.values().removeIf(Membership::isMeant);
    return dead;
  }

  private static String since(Map<?, ?> node) {
    double seconds = Reading.number(node, "lastContact");
    return seconds > 0 ? "last heartbeat " + Figures.time(1000 * seconds) + " ago" : "";
  }

  /** Whether a dead DataNode was stopped on purpose. */
  private static boolean isMeant(Map<?, ?> node) {
    return Boolean.TRUE.equals(node.get("decommissioned"))
        || "In Maintenance".equals(node.get("adminState"));
  }

  /** Whether it may be stopped: it has handed over what it had, or is in maintenance. */
  private static boolean isAway(Map<?, ?> node) {
    return "Decommissioned".equals(node.get("adminState"))
        || "In Maintenance".equals(node.get("adminState"));
  }

  private static void silent(ClusterHistory cluster, Set<String> dead, List<Diagnosis> found) {
    Map<String, Map<?, ?>> live = cluster.last().nodes("LiveNodes");
    Map<String, String> silent = new LinkedHashMap<>();
    Map<String, String> late = new LinkedHashMap<>();
    for (DataNodeHistory each : cluster.dataNodes()) {
      List<Reading> rounds = each.rounds();
      long without = rounds.stream().filter(Objects::isNull).count();
      boolean atTheEnd = !rounds.isEmpty() && rounds.get(rounds.size() - 1) == null;
      Map<?, ?> node = live.getOrDefault(each.registered(), Collections.emptyMap());
      String heartbeat = heartbeat(node);
      if (dead.contains(each.registered()) || isAway(node)) {
        continue;
      }
      boolean refuses = each.refuses() && heartbeat.isEmpty(); // it says no, and lives
      if (!refuses && (without > 1 || atTheEnd && !heartbeat.isEmpty())) {
        String how = "no answer in " + Figures.count(without) + " of " + rounds(rounds.size());
        silent.put(each.name(), how + (heartbeat.isEmpty() ? "" : ", " + heartbeat));
      } else if (!heartbeat.isEmpty()) {
        late.put(each.name(), heartbeat);
      }
    }
    if (!silent.isEmpty()) {
      found.add(
          new Diagnosis.Builder(Kind.INCOMPLETE, Certainty.CERTAIN, dataNodes(silent.keySet()))
              .evidence(
                  "the NameNode calls them live, but their web servers did not answer: "
                      + named(silent))
              .harm(
                  "One that has ended or hangs looks like this: clients that are sent to it wait"
                      + " until they give up, and the NameNode copies its replicas only when it"
                      + " calls it dead (after 10 min 30 s by default).")
              .stock("Look at the process and its log; a firewall for its web port looks the same.")
              .build());
    }
    if (!late.isEmpty()) {
      found.add(
          new Diagnosis.Builder(Kind.INCOMPLETE, Certainty.LIKELY, dataNodes(late.keySet()))
              .evidence("they answer, but the NameNode waits for their heartbeats: " + named(late))
              .harm("The NameNode calls them dead if it lasts, and copies their replicas.")
              .stock(
                  "Look in their logs for the connection to the NameNode, and in its log for calls"
                      + " that take long.")
              .build());
    }
  }

  /** How late the heartbeats of a live DataNode are; empty when they are not. */
  private static String heartbeat(Map<?, ?> node) {
    double seconds = Reading.number(node, "lastContact");
    return seconds >= STALE_SECONDS ? "no heartbeat for " + Figures.time(1000 * seconds) : "";
  }

  private static void nameNode(ClusterHistory cluster, List<Diagnosis> found) {
    int rounds =
        cluster.dataNodes().stream().mapToInt(each -> each.rounds().size()).max().orElse(0);
    int answers = cluster.nameNode().size();
    if (answers < rounds) {
      found.add(
          new Diagnosis.Builder(Kind.INCOMPLETE, Certainty.CERTAIN, "NameNode")
              .evidence("no answer in " + Figures.count(rounds - answers) + " of " + rounds(rounds))
              .harm("While it does not answer, nobody can open, create or list a file.")
              .stock("Look at the process, its log and the pauses of its JVM.")
              .build());
    }
    if (cluster.last().text("LiveNodes").equals("{}")) {
      found.add(
          new Diagnosis.Builder(Kind.INCOMPLETE, Certainty.CERTAIN, "NameNode")
              .evidence("it knows no live DataNode")
              .harm("Nobody can read or write.")
              .stock(
                  "Look at the DataNodes' processes and logs: whether they reach the NameNode, and"
                      + " whether dfs.hosts names them.")
              .build());
    }
    String safe = cluster.last().text("Safemode").replaceAll("\\s+", " ");
    if (!safe.isEmpty()) {
      found.add(
          new Diagnosis.Builder(Kind.INCOMPLETE, Certainty.CERTAIN, "NameNode")
              .evidence("it is in safe mode: " + safe)
              .harm("Nobody can write, and no block is copied.")
              .stock(outOfSafeMode(safe))
              .build());
    }
  }

  private static String outOfSafeMode(String reason) {
    if (reason.contains("Resources are low")) {
      return "Free space in the directories of its edit log (dfs.namenode.edits.dir, and"
          + " dfs.namenode.resource.du.reserved says how much), then 'hdfs dfsadmin -safemode"
          + " leave'.";
    }
    if (reason.contains("turned on manually")) {
      return "Somebody turned it on; when that work is done, 'hdfs dfsadmin -safemode leave'.";
    }
    return "Start the DataNodes that are missing and wait until the blocks are reported. Do not"
        + " leave it by hand before: the NameNode would copy and delete by what it knows then.";
  }

  /** The NameNodes that were active, one after the other. */
  private static List<String> active(ClusterHistory cluster) {
    List<String> active = new ArrayList<>();
    for (NameNodeReading each : cluster.nameNode()) {
      String who = each.text("HostAndPort");
      boolean same = !active.isEmpty() && active.get(active.size() - 1).equals(who);
      if (each.isActive() && !who.isEmpty() && !same) {
        active.add(who);
      }
    }
    return active;
  }

  private static void failover(ClusterHistory cluster, List<Diagnosis> found) {
    List<String> active = active(cluster);
    if (active.size() > 1) {
      found.add(
          new Diagnosis.Builder(Kind.FAILOVER, Certainty.CERTAIN, "NameNode")
              .evidence("active one after the other: " + String.join(", ", active))
              .harm("Clients wait until the next one is active, and some calls fail.")
              .stock(
                  "If nobody asked for it: look in the log of the ZKFC for why the first one did not"
                      + " answer, and at the pauses of its JVM (ha.health-monitor.rpc-timeout.ms).")
              .build());
    }
  }

  private static String rounds(int count) {
    return Figures.count(count, "round", "rounds");
  }

  private static String named(Map<String, String> dataNodes) {
    List<String> named = new ArrayList<>();
    dataNodes.forEach((name, how) -> named.add(how.isEmpty() ? name : name + " (" + how + ")"));
    return Fill.first(named);
  }

  private static void missing(ClusterHistory cluster, List<Diagnosis> found) {
    double missing = cluster.last().number("NumberOfMissingBlocks");
    if (missing > 0) {
      double single = cluster.last().number("NumberOfMissingBlocksWithReplicationFactorOne");
      found.add(
          new Diagnosis.Builder(Kind.MISSING_BLOCKS, Certainty.CERTAIN, "files")
              .evidence(
                  Figures.count(missing, "block has", "blocks have")
                      + " no live replica"
                      + (single > 0
                          ? ", " + Figures.count(single) + " of them in files with one replica"
                          : ""))
              .harm("Their files cannot be read.")
              .stock("'hdfs fsck / -list-corruptfileblocks'; start the DataNodes that had them.")
              .evenkeel(
                  "'evenkeel topology can-stop' tells before a host is stopped what it alone has.")
              .build());
    }
  }

  private static void failedVolumes(ClusterHistory cluster, List<Diagnosis> found) {
    List<String> named = new ArrayList<>();
    for (DataNodeHistory each : cluster.dataNodes()) {
      double failed = each.last() == null ? 0 : each.last().number("NumFailedVolumes");
      if (failed > 0) {
        named.add(each.name() + " (" + Figures.count(failed) + ")");
      }
    }
    if (!named.isEmpty()) {
      found.add(
          new Diagnosis.Builder(Kind.FAILED_VOLUME, Certainty.CERTAIN, dataNodes(named))
              .evidence("failed volumes of " + Fill.first(named))
              .harm(
                  "Less space; once more volumes have failed than"
                      + " dfs.datanode.failed.volumes.tolerated says, the DataNode ends.")
              .stock(
                  "Replace the disk, then restart the DataNode; or without a restart take the"
                      + " directory out of dfs.datanode.data.dir, 'hdfs dfsadmin -reconfig datanode"
                      + " HOST:IPC_PORT start', and after the repair put it back and do so again.")
              .build());
    }
  }

  private static void leaving(
      ClusterHistory cluster, String table, String what, List<Diagnosis> found) {
    if (active(cluster).size() > 1 || !cluster.last().isActive()) {
      return; // another NameNode counts anew, and a standby does not check what is left
    }
    double lacking = cluster.last().number("UnderReplicatedBlocks");
    if (lacking < cluster.first().number("UnderReplicatedBlocks")) {
      return; // the NameNode counts what a DataNode has left only now and then
    }
    double seconds = cluster.last().listedSeconds() - cluster.first().listedSeconds();
    Map<String, Map<?, ?>> before = cluster.first().nodes(table);
    cluster
        .last()
        .nodes(table)
        .forEach(
            (name, now) -> {
              Map<?, ?> then = before.get(name);
              double left = Reading.number(now, "underReplicatedBlocks");
              double had =
                  then == null ? Double.NaN : Reading.number(then, "underReplicatedBlocks");
              if (seconds >= LEAST_SECONDS && left > 0 && left >= had) {
                found.add(leaving(cluster, called(cluster, name), what, now, left, seconds));
              }
            });
  }

  /** All findings call a DataNode alike; the NameNode has it with another port. */
  private static String called(ClusterHistory cluster, String registered) {
    for (DataNodeHistory each : cluster.dataNodes()) {
      if (each.registered().equals(registered)) {
        return each.name();
      }
    }
    return registered;
  }

  private static Diagnosis leaving(
      ClusterHistory cluster, String name, String what, Map<?, ?> node, double left, double time) {
    double open = Reading.number(node, "underReplicateInOpenFiles");
    double only = Reading.number(node, "decommissionOnlyReplicas");
    double scheduled = Math.max(0, orZero(cluster.last().number("ScheduledReplicationBlocks")));
    double pending = Math.max(0, orZero(cluster.last().number("PendingReplicationBlocks")));
    String why;
    String remedy;
    if (open > 0) {
      why = Figures.count(open, "block is", "blocks are") + " of files that are open";
      remedy =
          "'hdfs dfsadmin -listOpenFiles -blockingDecommission' names them (Hadoop 3.1 and later); end"
              + " their writers, or 'hdfs debug recoverLease -path FILE'.";
    } else if (scheduled + pending > 0) {
      why = Figures.count(scheduled + pending) + " copies are under way, but no fewer are left";
      remedy =
          "Raise dfs.namenode.replication.max-streams (2 by default) and"
              + " dfs.namenode.replication.work.multiplier.per.iteration (2); look for slow or full"
              + " DataNodes among those that take the copies.";
    } else {
      why = "no copy is under way: there is no place that keeps the rules";
      remedy =
          "Look for the reason: fewer DataNodes or hosts in service than replicas, a storage type"
              + " that is full, or all that are left on one rack. Add DataNodes, or lower the"
              + " replication of the files with 'hdfs dfs -setrep'.";
    }
    boolean copying = !(open > 0) && scheduled + pending > 0;
    Certainty certainty = copying ? Certainty.POSSIBLE : Certainty.LIKELY;
    return new Diagnosis.Builder(Kind.DECOMMISSION, certainty, name)
        .evidence(
            what
                + ": "
                + Figures.count(left, "block", "blocks")
                + " left, no fewer after "
                + Figures.time(1000 * time)
                + "; "
                + why
                + (only > 0 ? "; of " + Figures.count(only) + " it has the only replicas" : ""))
        .harm("Like this it never ends, and the DataNode cannot be taken away.")
        .stock(remedy)
        .evenkeel("'evenkeel topology check' tells whether hosts and racks are enough.")
        .build();
  }

  private static double orZero(double number) {
    return Double.isNaN(number) ? 0 : number;
  }

  private static void versions(ClusterHistory cluster, List<Diagnosis> found) {
    Map<String, List<String>> releases = new TreeMap<>();
    cluster
        .last()
        .nodes("LiveNodes")
        .forEach(
            (name, node) -> {
              Object version = node.get("version");
              if (version != null) {
                releases.computeIfAbsent(version.toString(), v -> new ArrayList<>()).add(name);
              }
            });
    String own = cluster.last().version();
    if (!own.isEmpty()) {
      releases.computeIfAbsent(own, v -> new ArrayList<>()).add("NameNode");
    }
    boolean upgrade = !cluster.last().text("RollingUpgradeStatus").isEmpty();
    if (releases.size() > 1 && !upgrade) {
      List<String> each = new ArrayList<>();
      releases.forEach((release, who) -> each.add(release + ": " + Fill.first(who)));
      found.add(
          new Diagnosis.Builder(Kind.VERSIONS, Certainty.CERTAIN, "releases")
              .evidence(String.join("; ", each) + "; no rolling upgrade is under way")
              .harm("Defects of the older release stay, and which of them does what differs.")
              .stock("End the upgrade of the daemons that were left out.")
              .build());
    }
  }

  private static void clocks(ClusterHistory cluster, List<Diagnosis> found) {
    double[] clocks =
        cluster.dataNodes().stream()
            .mapToDouble(DataNodeHistory::clock)
            .filter(clock -> !Double.isNaN(clock))
            .sorted()
            .toArray();
    // of two, the one that is behind is as usual as the other
    double usual = clocks.length == 2 ? clocks[0] : Peers.median(clocks);
    List<String> names = new ArrayList<>();
    List<String> apart = new ArrayList<>();
    for (DataNodeHistory each : cluster.dataNodes()) {
      double ahead = each.clock() - usual;
      if (Math.abs(ahead) >= LEAST_CLOCK) {
        names.add(each.name());
        apart.add(
            each.name()
                + " is "
                + Figures.time(1000 * Math.abs(ahead))
                + (ahead > 0 ? " ahead" : " behind"));
      }
    }
    if (!apart.isEmpty()) {
      found.add(
          new Diagnosis.Builder(Kind.CLOCK, Certainty.CERTAIN, dataNodes(names))
              .evidence(Fill.first(apart) + ", compared with the median clock")
              .harm("Block tokens and Kerberos tickets are refused, and logs do not fit together.")
              .stock("Look at the time service of the host ('chronyc tracking', 'timedatectl').")
              .build());
    }
  }

  private static void slowDisks(ClusterHistory cluster, List<Diagnosis> found) {
    for (DataNodeHistory each : cluster.dataNodes()) {
      String report = each.last() == null ? "" : each.last().text("SlowDisks");
      for (Object volume : Reading.array(report)) {
        found.add(
            new Diagnosis.Builder(Kind.SLOW_VOLUME, Certainty.LIKELY, each.name() + " " + volume)
                .evidence("the DataNode's own detector names it (SlowDisks of its /jmx)")
                .harm("Each writer that gets this volume waits for it.")
                .stock("dfs.datanode.max.slowdisks.to.exclude (3.3.6 and later); replace the disk.")
                .evenkeel(
                    "volume-policy: io.evenkeel.volume.LatencyAwareVolumeChoosingPolicy ejects a"
                        + " slow volume while it is slow.")
                .build());
      }
    }
  }

  private static String dataNodes(Collection<String> names) {
    return names.size() == 1 ? names.iterator().next() : names.size() + " DataNodes";
  }
}
