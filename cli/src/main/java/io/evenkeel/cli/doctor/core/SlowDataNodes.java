package io.evenkeel.cli.doctor.core;

import io.evenkeel.cli.core.Figures;
import io.evenkeel.cli.doctor.core.Diagnosis.Certainty;
import io.evenkeel.cli.doctor.core.Diagnosis.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * DataNodes and hosts that do the same work more slowly than their peers, by all of {@link Metric},
 * and those that stock's own detector calls slow peers. Stateless.
 */
final class SlowDataNodes {
  /** Slower by less is not worth a look. */
  private static final double LEAST = 1.15;

  /** Healthy hosts of one kind differ by 2 to 5 per cent. */
  private static final double LIKENESS = 0.06;

  private static final double CERTAIN = 2;
  private static final double MINUTE = 60;

  /** Of a DataNode in the NameNode's list of live ones. */
  private static final List<String> ADDRESSES =
      Arrays.asList("xferaddr", "infoAddr", "infoSecureAddr");

  private SlowDataNodes() {}

  static List<Diagnosis> find(ClusterHistory cluster) {
    List<Comparison.Measure> measures = new ArrayList<>();
    for (Metric metric : Metric.values()) {
      measures.add(new Comparison.Measure(metric.label(), metric.unit(), metric::of));
    }
    Map<String, String> reported = reported(cluster);
    List<Diagnosis> found = new ArrayList<>();
    for (Comparison.Found each : Comparison.find(cluster, measures, LIKENESS, LEAST)) {
      if (each.members().isEmpty()) {
        String also = reported.remove(each.subject());
        String evidence = evidence(each, "peers") + (also == null ? "" : "; " + also);
        found.add(dataNode(each.subject(), certainty(each), evidence));
      } else {
        reported.keySet().removeAll(each.members());
        found.add(host(each));
      }
    }
    reported.forEach((name, how) -> found.add(dataNode(name, Certainty.POSSIBLE, how)));
    return found;
  }

  /** By what an operator calls them. Stock names them by their web addresses. */
  private static Map<String, String> reported(ClusterHistory cluster) {
    Map<String, Map<?, ?>> live = cluster.last().nodes("LiveNodes");
    Map<String, String> reported = new LinkedHashMap<>();
    cluster
        .last()
        .slowPeers()
        .forEach(
            (address, reporters) -> {
              String name = address;
              for (DataNodeHistory each : cluster.dataNodes()) {
                Map<?, ?> node = live.getOrDefault(each.registered(), Collections.emptyMap());
                boolean same =
                    each.registered().equals(address)
                        || ADDRESSES.stream().anyMatch(a -> address.equals(node.get(a)));
                name = same ? each.name() : name;
              }
              String by = Figures.count(reporters, "DataNode", "DataNodes");
              reported.put(name, "the NameNode's SlowPeersReport names it, by " + by);
            });
    return reported;
  }

  private static Diagnosis dataNode(String subject, Certainty certainty, String evidence) {
    return new Diagnosis.Builder(Kind.SLOW_DATANODE, certainty, subject)
        .evidence(evidence)
        .harm(
            "Every write pipeline through it waits for it, and reads from it take that much"
                + " longer.")
        .stock(
            "Look at its disks ('iostat -x 5', 'smartctl -a') and, in a virtual machine, at steal"
                + " time ('vmstat 5', column st). dfs.datanode.fileio.profiling.sampling.percentage"
                + " with dfs.datanode.outliers.report.interval names a slow disk,"
                + " dfs.datanode.peer.stats.enabled slow peers (Hadoop 3.0 and later). Until it is"
                + " mended: maintenance or decommission by dfs.hosts.exclude; from 3.3.2 on"
                + " dfs.namenode.block-placement-policy.exclude-slow-nodes.enabled keeps new blocks"
                + " away.")
        .evenkeel(
            "volume-policy keeps new blocks away from a slow volume of it while the others are"
                + " well; it does nothing when the whole DataNode is slow.")
        .build();
  }

  private static Diagnosis host(Comparison.Found found) {
    return new Diagnosis.Builder(Kind.SLOW_HOST, certainty(found), found.subject())
        .evidence(
            "all its DataNodes together ("
                + Fill.first(found.members())
                + "): "
                + evidence(found, "hosts"))
        .harm(
            "Every write pipeline through one of them waits for it, and a block that must be"
                + " copied away leaves all of them slowly.")
        .stock(
            "They share the cause: look on the host at the controller and its disks ('iostat -x"
                + " 5', 'smartctl -a'), at the network card, and at steal time of its virtual"
                + " machines ('vmstat 5', column st). Until it is mended: maintenance of all its"
                + " DataNodes, with enough replicas on other hosts.")
        .build();
  }

  static Certainty certainty(Comparison.Found found) {
    return found.certainty() >= CERTAIN ? Certainty.CERTAIN : Certainty.LIKELY;
  }

  /** What was seen, the worst first. */
  static String evidence(Comparison.Found found, String peers) {
    List<String> parts = new ArrayList<>();
    for (Comparison.Seen seen : found.seen()) {
      String unit = seen.measure().unit();
      parts.add(
          seen.measure().label()
              + ": "
              + (unit.isEmpty() ? "" : number(seen.value()) + " " + unit + ", ")
              + number(seen.factor())
              + " times the "
              + (unit.isEmpty() ? "usual" : number(seen.usual()))
              + " of its "
              + seen.peers()
              + " "
              + peers);
    }
    double seconds = found.seen().stream().mapToDouble(Comparison.Seen::seconds).max().orElse(0);
    return String.join("; ", parts) + "; over " + number(seconds / MINUTE) + " minutes";
  }

  /** With three digits that count. */
  private static String number(double value) {
    int places = value >= 100 ? 0 : value >= 10 ? 1 : value >= 0.1 ? 2 : 4;
    return String.format(Locale.ROOT, "%,." + places + "f", value);
  }
}
