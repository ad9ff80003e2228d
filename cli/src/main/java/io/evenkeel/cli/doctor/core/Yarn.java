package io.evenkeel.cli.doctor.core;

import io.evenkeel.cli.core.Figures;
import io.evenkeel.cli.doctor.core.Diagnosis.Certainty;
import io.evenkeel.cli.doctor.core.Diagnosis.Kind;
import io.evenkeel.cli.doctor.core.YarnHistory.NodeManager;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** What is wrong with the YARN of a cluster, and between YARN and HDFS. Stateless. */
final class Yarn {
  /** Fewer containers say nothing. */
  private static final double LEAST_CONTAINERS = 5;

  private static final double MOST_FAIL = 0.5;
  private static final double USUALLY_FAIL = 0.1;
  private static final int LEAST_PEERS = 3;
  private static final String UNKNOWN_RACK = "/default-rack";

  private Yarn() {}

  static List<Diagnosis> find(ClusterHistory cluster) {
    YarnHistory yarn = cluster.yarn();
    if (yarn == null) {
      return Collections.emptyList();
    }
    List<Diagnosis> found = new ArrayList<>();
    lost(yarn, found);
    unhealthy(yarn, found);
    badDirectories(yarn, found);
    failing(yarn, found);
    versions(yarn, found);
    racks(cluster, found);
    double seconds = yarn.seconds();
    Pauses.find(Pauses.Daemon.RESOURCEMANAGER, yarn.name(), yarn.resourceManager(), seconds, found);
    for (NodeManager each : yarn.nodeManagers()) {
      Pauses.find(Pauses.Daemon.NODEMANAGER, each.name(), each.numbers(), seconds, found);
    }
    return found;
  }

  private static void lost(YarnHistory yarn, List<Diagnosis> found) {
    double lost = yarn.resourceManager().last("NumLostNMs");
    if (lost > 0) {
      found.add(
          new Diagnosis.Builder(
                  Kind.INCOMPLETE,
                  Certainty.CERTAIN,
                  Figures.count(lost, "NodeManager", "NodeManagers"))
              .evidence("the ResourceManager calls them lost")
              .harm("Their memory and cores are missing, and what ran there runs again.")
              .stock(
                  "'yarn node -list -states LOST' names them; start them, or take them out of the"
                      + " list of yarn.resourcemanager.nodes.include-path.")
              .build());
    }
    Map<String, String> silent = new LinkedHashMap<>();
    for (NodeManager each : yarn.nodeManagers()) {
      if (!each.silence().isEmpty()) {
        silent.put(each.name(), each.silence());
      }
    }
    if (!silent.isEmpty()) {
      found.add(
          new Diagnosis.Builder(Kind.INCOMPLETE, Certainty.CERTAIN, named(silent.keySet()))
              .evidence(
                  "the ResourceManager has them on its list, but their web servers did not answer: "
                      + listed(silent))
              .harm(
                  "One that hangs looks like this: its containers run on, and nobody fetches the"
                      + " output of its maps.")
              .stock("Look at the process and its log; a firewall for its web port looks the same.")
              .build());
    }
  }

  private static void unhealthy(YarnHistory yarn, List<Diagnosis> found) {
    Map<String, String> reasons = new LinkedHashMap<>();
    for (NodeManager each : yarn.nodeManagers()) {
      if ("UNHEALTHY".equals(each.known("State"))) {
        reasons.put(each.name(), each.known("HealthReport").replaceAll("\\s+", " ").trim());
      }
    }
    if (!reasons.isEmpty()) {
      found.add(
          new Diagnosis.Builder(
                  Kind.UNHEALTHY_NODEMANAGER, Certainty.CERTAIN, named(reasons.keySet()))
              .evidence("by its own health check: " + listed(reasons))
              .harm("It gets no container, and tasks near its blocks run elsewhere.")
              .stock(
                  "Free or replace the directories that the reason names"
                      + " (yarn.nodemanager.disk-health-checker.*), or mend what the script of"
                      + " yarn.nodemanager.health-checker.script.path finds.")
              .build());
    }
  }

  private static void badDirectories(YarnHistory yarn, List<Diagnosis> found) {
    Map<String, String> bad = new LinkedHashMap<>();
    for (NodeManager each : yarn.nodeManagers()) {
      double local = each.numbers().last("BadLocalDirs");
      double logs = each.numbers().last("BadLogDirs");
      boolean told = "UNHEALTHY".equals(each.known("State"));
      if (!told && (local > 0 || logs > 0)) {
        bad.put(
            each.name(),
            Figures.count(Math.max(0, local))
                + " local, "
                + Figures.count(Math.max(0, logs))
                + " for logs");
      }
    }
    if (!bad.isEmpty()) {
      found.add(
          new Diagnosis.Builder(Kind.FAILED_VOLUME, Certainty.CERTAIN, named(bad.keySet()))
              .evidence("directories that the NodeManager has given up: " + listed(bad))
              .harm("Less space and fewer disks for the output of maps.")
              .stock(
                  "Free the disk or replace it: a directory counts as bad also above"
                      + " yarn.nodemanager.disk-health-checker.max-disk-utilization-per-disk-percentage"
                      + " (90 by default).")
              .build());
    }
  }

  /** Containers fail for many reasons; where one host is the reason, others end well meanwhile. */
  private static void failing(YarnHistory yarn, List<Diagnosis> found) {
    Map<NodeManager, Double> shares = new LinkedHashMap<>();
    for (NodeManager each : yarn.nodeManagers()) {
      double failed = each.numbers().grown("ContainersFailed");
      double ended = failed + each.numbers().grown("ContainersCompleted");
      if (failed >= 0 && ended >= LEAST_CONTAINERS) {
        shares.put(each, failed / ended);
      }
    }
    double usual =
        Peers.median(shares.values().stream().mapToDouble(Double::doubleValue).toArray());
    if (shares.size() < LEAST_PEERS || usual > USUALLY_FAIL) {
      return;
    }
    shares.forEach(
        (each, share) -> {
          double failed = each.numbers().grown("ContainersFailed");
          if (share >= MOST_FAIL && failed >= LEAST_CONTAINERS) {
            found.add(
                new Diagnosis.Builder(Kind.FAILING_CONTAINERS, Certainty.LIKELY, each.name())
                    .evidence(
                        String.format(
                            Locale.ROOT,
                            "%s failed in %s (%.0f %% of those that ended there; usual here:"
                                + " %.0f %%)",
                            Figures.count(failed, "container", "containers"),
                            Figures.time(1000 * yarn.seconds()),
                            100 * share,
                            100 * usual))
                    .harm("Jobs start their tasks again, and fail when it hits one four times.")
                    .stock(
                        "Read the logs of such containers ('yarn logs -applicationId ID"
                            + " -nodeAddress NODE') and the NodeManager's; until it is mended,"
                            + " name it in the file of yarn.resourcemanager.nodes.exclude-path, then"
                            + " 'yarn rmadmin -refreshNodes'.")
                    .build());
          }
        });
  }

  private static void versions(YarnHistory yarn, List<Diagnosis> found) {
    Map<String, List<String>> releases = new TreeMap<>();
    for (NodeManager each : yarn.nodeManagers()) {
      String release = each.known("NodeManagerVersion");
      if (!release.isEmpty()) {
        releases.computeIfAbsent(release, r -> new ArrayList<>()).add(each.name());
      }
    }
    if (releases.size() > 1) {
      List<String> each = new ArrayList<>();
      releases.forEach((release, who) -> each.add(release + ": " + Fill.first(who)));
      found.add(
          new Diagnosis.Builder(Kind.VERSIONS, Certainty.LIKELY, "releases of NodeManagers")
              .evidence(String.join("; ", each))
              .harm("Defects of the older release stay, and where a task runs decides about them.")
              .stock("End the upgrade of those that were left out.")
              .build());
    }
  }

  /** Both sides map hosts to racks, each with its own configuration. */
  private static void racks(ClusterHistory cluster, List<Diagnosis> found) {
    Map<String, DataNodeHistory> byHost = new LinkedHashMap<>();
    for (DataNodeHistory each : cluster.dataNodes()) {
      byHost.put(host(each.registered()), each);
    }
    List<String> other = new ArrayList<>();
    List<String> nodeGroups = new ArrayList<>();
    int known = 0;
    for (NodeManager each : cluster.yarn().nodeManagers()) {
      DataNodeHistory dataNode = byHost.get(host(each.known("HostName")));
      String rack = each.known("Rack");
      if (dataNode == null || rack.isEmpty() || dataNode.rack().equals(UNKNOWN_RACK)) {
        continue;
      }
      known++;
      if (rack.startsWith(dataNode.rack() + "/")) {
        nodeGroups.add(host(each.known("HostName")));
      } else if (!rack.equals(dataNode.rack())) {
        other.add(host(each.known("HostName")) + " (" + rack + ", " + dataNode.rack() + ")");
      }
    }
    if (!other.isEmpty()) {
      found.add(
          rack(Certainty.LIKELY, other.size() + " of " + Figures.count(known, "host", "hosts"))
              .evidence(
                  "the ResourceManager has them on other racks than the NameNode (its rack, then"
                      + " HDFS's): "
                      + Fill.first(other))
              .harm("What YARN takes for a task on the rack of its block may read across racks.")
              .stock(
                  "Give the ResourceManager the same net.topology.script.file.name or"
                      + " net.topology.node.switch.mapping.impl as the NameNode, and restart it.")
              .build());
    }
    if (!nodeGroups.isEmpty()) {
      found.add(
          rack(
                  Certainty.POSSIBLE,
                  nodeGroups.size() + " of " + Figures.count(known, "host", "hosts"))
              .evidence(
                  "the ResourceManager takes the node group for the rack, as in "
                      + nodeGroups.get(0))
              .harm(
                  "For YARN, another host of the same rack is as far away as one of another rack.")
              .stock(
                  "Give the ResourceManager a script that says racks only, in its own"
                      + " core-site.xml.")
              .build());
    }
  }

  private static Diagnosis.Builder rack(Certainty certainty, String which) {
    return new Diagnosis.Builder(Kind.KEYS, certainty, "racks of YARN: " + which);
  }

  private static String host(String address) {
    return address.replaceAll(":\\d+$", "").toLowerCase(Locale.ROOT);
  }

  private static String listed(Map<String, String> nodes) {
    List<String> named = new ArrayList<>();
    nodes.forEach((name, how) -> named.add(how.isEmpty() ? name : name + " (" + how + ")"));
    return Fill.first(named);
  }

  private static String named(Collection<String> names) {
    return names.size() == 1 ? names.iterator().next() : names.size() + " NodeManagers";
  }
}
