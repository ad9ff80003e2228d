package io.evenkeel.cli.doctor.core;

import io.evenkeel.cli.core.Figures;
import io.evenkeel.cli.doctor.core.Diagnosis.Certainty;
import io.evenkeel.cli.doctor.core.Diagnosis.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Who belongs to the cluster and in which state: dead and silent DataNodes, failed volumes,
 * decommissions that do not get on, releases, blocks that are missing, and what stock's own
 * detectors report. Stateless.
 */
final class Membership {
  /** Over a shorter time nothing can be said about progress. */
  private static final double LEAST_SECONDS = 60;

  /** Daemons tell the time in whole seconds, and their answers take a moment. */
  private static final double LEAST_CLOCK = 5;

  private Membership() {}

  static List<Diagnosis> find(ClusterHistory cluster) {
    List<Diagnosis> found = new ArrayList<>();
    incomplete(cluster, found);
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
    List<String> dead = new ArrayList<>();
    cluster
        .last()
        .nodes("DeadNodes")
        .forEach(
            (name, node) -> {
              if (!Boolean.TRUE.equals(node.get("decommissioned"))) {
                dead.add(name);
              }
            });
    if (!dead.isEmpty()) {
      found.add(
          new Diagnosis.Builder(Kind.INCOMPLETE, Certainty.CERTAIN, dataNodes(dead))
              .evidence("the NameNode calls them dead: " + Fill.first(dead))
              .harm("Their replicas are copied anew, and their disks are missing to writers.")
              .stock("Start them, or take them out of the include file.")
              .build());
    }
    List<String> silent = new ArrayList<>();
    for (DataNodeHistory each : cluster.dataNodes()) {
      if (each.last() == null) {
        silent.add(each.name());
      }
    }
    if (!silent.isEmpty()) {
      found.add(
          new Diagnosis.Builder(Kind.INCOMPLETE, Certainty.CERTAIN, dataNodes(silent))
              .evidence(
                  "the NameNode calls them live, but their web servers did not answer: "
                      + Fill.first(silent))
              .harm("Nothing else here is about them; one that hangs looks like this.")
              .stock("Look at the process; a firewall for port 9864 looks the same.")
              .build());
    }
    String safe = cluster.last().text("Safemode");
    if (!safe.isEmpty()) {
      found.add(
          new Diagnosis.Builder(Kind.INCOMPLETE, Certainty.CERTAIN, "NameNode")
              .evidence("it is in safe mode: " + safe.replaceAll("\\s+", " "))
              .harm("Nobody can write.")
              .stock(
                  "Wait for the DataNodes it names; 'hdfs dfsadmin -safemode get' tells the rest.")
              .build());
    }
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
                      + (single > 0 ? ", " + Figures.count(single) + " of files with one" : ""))
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
              .harm("Less space; with dfs.datanode.failed.volumes.tolerated at 0 the next ends it.")
              .stock("Replace the disk, then 'hdfs dfsadmin -reconfig datanode HOST:PORT start'.")
              .build());
    }
  }

  private static void leaving(
      ClusterHistory cluster, String table, String what, List<Diagnosis> found) {
    double seconds = cluster.last().seconds() - cluster.first().seconds();
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
                found.add(leaving(cluster, name, what, now, left, seconds));
              }
            });
  }

  private static Diagnosis leaving(
      ClusterHistory cluster, String name, String what, Map<?, ?> node, double left, double time) {
    double open = Reading.number(node, "underReplicateInOpenFiles");
    double only = Reading.number(node, "decommissionOnlyReplicas");
    double scheduled = cluster.last().number("ScheduledReplicationBlocks");
    double pending = cluster.last().number("PendingReplicationBlocks");
    String why;
    String remedy;
    if (open > 0) {
      why = Figures.count(open, "block is", "blocks are") + " of files that are open";
      remedy = "'hdfs dfsadmin -listOpenFiles -blockingDecommission'; close or recover the leases.";
    } else if (scheduled + pending > 0) {
      why = Figures.count(scheduled + pending) + " copies are under way, but no fewer are left";
      remedy = "dfs.namenode.replication.max-streams and the limits of its work a heartbeat.";
    } else {
      why = "no copy is under way: there is no place that keeps the rules";
      remedy = "fewer hosts or racks in service than replicas, a full type, or a policy of 1 rack.";
    }
    return new Diagnosis.Builder(Kind.DECOMMISSION, Certainty.LIKELY, name)
        .evidence(
            what
                + ": "
                + Figures.count(left, "block", "blocks")
                + " left, no fewer after "
                + Figures.time(1000 * time)
                + "; "
                + why
                + (only > 0 ? "; of " + Figures.count(only) + " it has the only replicas" : ""))
        .harm("It never ends, and the DataNode cannot be taken away.")
        .stock(remedy)
        .evenkeel("'evenkeel topology check' tells whether hosts and racks are enough.")
        .build();
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
    double usual =
        Peers.median(cluster.dataNodes().stream().mapToDouble(DataNodeHistory::clock).toArray());
    List<String> apart = new ArrayList<>();
    for (DataNodeHistory each : cluster.dataNodes()) {
      double ahead = each.clock() - usual;
      if (Math.abs(ahead) >= LEAST_CLOCK) {
        apart.add(
            each.name()
                + " is "
                + Figures.time(1000 * Math.abs(ahead))
                + (ahead > 0 ? " ahead" : " behind"));
      }
    }
    if (!apart.isEmpty()) {
      found.add(
          new Diagnosis.Builder(Kind.CLOCK, Certainty.CERTAIN, dataNodes(apart.size(), apart))
              .evidence(Fill.first(apart) + ", compared with the median clock")
              .harm("Block tokens and Kerberos tickets are refused, and logs do not fit together.")
              .stock("Look at the time service of the host ('chronyc tracking', 'timedatectl').")
              .build());
    }
  }

  private static String dataNodes(int count, List<String> names) {
    return count == 1 ? names.get(0).replaceAll(" is .*", "") : count + " DataNodes";
  }

  private static void slowDisks(ClusterHistory cluster, List<Diagnosis> found) {
    for (DataNodeHistory each : cluster.dataNodes()) {
      String report = each.last() == null ? "" : each.last().text("SlowDisks");
      for (Object volume : Reading.object(report).keySet()) {
        found.add(
            new Diagnosis.Builder(Kind.SLOW_VOLUME, Certainty.LIKELY, each.name() + " " + volume)
                .evidence(
                    "the DataNode's own detector: " + Reading.object(report).get(volume) + " ms")
                .harm("Each writer that gets this volume waits for it.")
                .stock("dfs.datanode.max.slowdisks.to.exclude (3.3.6 and later); replace the disk.")
                .evenkeel(
                    "volume-policy: io.evenkeel.volume.LatencyAwareVolumeChoosingPolicy ejects a"
                        + " slow volume while it is slow.")
                .build());
      }
    }
  }

  private static String dataNodes(List<String> names) {
    return names.size() == 1 ? names.get(0) : names.size() + " DataNodes";
  }
}
