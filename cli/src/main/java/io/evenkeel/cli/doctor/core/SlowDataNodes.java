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

  /** So far beyond the bound of chance no more minutes are needed. */
  private static final double BEYOND_DOUBT = 1.15;

  /** Of a DataNode in the NameNode's list of live ones. */
  private static final List<String> ADDRESSES =
      Arrays.asList("xferaddr", "infoAddr", "infoSecureAddr");

  private SlowDataNodes() {}

  private static List<Comparison.Measure> measures() {
    List<Comparison.Measure> measures = new ArrayList<>();
    for (Metric metric : Metric.values()) {
      measures.add(new Comparison.Measure(metric.label(), metric.unit(), metric::of));
    }
    return measures;
  }

  /**
   * Whether a longer watch may name somebody: DataNodes are compared, and nobody is slow beyond
   * doubt. A watch that looks several times needs more than chance at each look but the last, or it
   * would name healthy ones more often (O'Brien and Fleming 1979).
   */
  static boolean mayTellMore(ClusterHistory cluster) {
    List<Comparison.Found> found = Comparison.find(cluster, measures(), LIKENESS, LEAST);
    return found.stream().noneMatch(each -> each.certainty() >= BEYOND_DOUBT)
        && Comparison.isPossible(cluster, measures());
  }

  static List<Diagnosis> find(ClusterHistory cluster) {
    List<Comparison.Measure> measures = measures();
    Map<String, String> reported = reported(cluster);
    List<Diagnosis> found = new ArrayList<>();
    for (Comparison.Found each : Comparison.find(cluster, measures, LIKENESS, LEAST)) {
      if (each.members().isEmpty()) {
        String also = reported.remove(each.subject());
        String evidence = evidence(each, "peers") + (also == null ? "" : "; " + also);
        found.add(dataNode(each.subject(), each, evidence));
      } else {
        reported.keySet().removeAll(each.members());
        found.add(host(each));
      }
    }
    reported.forEach((name, how) -> found.add(dataNode(name, null, how)));
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

  /**
   * A finding.
   *
   * @param measured what was measured; null where only stock's detector reports it
   */
  private static Diagnosis dataNode(String subject, Comparison.Found measured, String evidence) {
    boolean reads =
        measured != null
            && measured.seen().stream()
                .allMatch(seen -> seen.measure().label().equals(Metric.READ.label()));
    if (reads) {
      return reads(subject, evidence);
    }
    Certainty certainty = measured == null ? Certainty.POSSIBLE : certainty(measured);
    return new Diagnosis.Builder(Kind.SLOW_DATANODE, certainty, subject)
        .evidence(evidence)
        .harm("Every write pipeline through it waits for it.")
        .stock(
            "Look at its disks ('iostat -x 5', 'smartctl -a') and, in a virtual machine, at steal"
                + " time ('vmstat 5', column st). To see which disk:"
                + " dfs.datanode.fileio.profiling.sampling.percentage with"
                + " dfs.datanode.outliers.report.interval, for DataNodes with five disks or"
                + " more. Until it is mended: name it in the file of dfs.hosts.exclude, then"
                + " 'hdfs dfsadmin -refreshNodes'; in clusters of ten DataNodes or more"
                + " dfs.datanode.peer.stats.enabled with"
                + " dfs.namenode.block-placement-policy.exclude-slow-nodes.enabled (3.3.2 and"
                + " later) keeps new blocks away.")
        .evenkeel(
            "volume-policy keeps new blocks away from a slow volume of it while the others are"
                + " well; it does nothing when the whole DataNode is slow.")
        .build();
  }

  /** Hadoop counts also how long it waits for the reader to take the bytes. */
  private static Diagnosis reads(String subject, String evidence) {
    return new Diagnosis.Builder(Kind.SLOW_DATANODE, Certainty.LIKELY, subject)
        .evidence(evidence)
        .harm("Reads from it take that much longer; its writes were not seen to be slower.")
        .stock(
            "First look for who reads there: the times include waiting for a slow or distant"
                + " reader ('ss -tn' on it shows full send queues). Else look at its disks ('iostat"
                + " -x 5') and its network.")
        .build();
  }

  private static Diagnosis host(Comparison.Found found) {
    return new Diagnosis.Builder(Kind.SLOW_HOST, certainty(found), found.subject())
        .evidence(
            "all its DataNodes together ("
                + Fill.first(found.members())
                + "): "
                + evidence(found, "other hosts"))
        .harm(
            "Every write pipeline through one of them waits for it, and to copy their blocks away"
                + " takes long.")
        .stock(
            "They share the cause: look on the host at the controller and its disks ('iostat -x"
                + " 5', 'smartctl -a'), at the network card, and at steal time of its virtual"
                + " machines ('vmstat 5', column st). Before the host is stopped, see with 'hdfs fsck"
                + " / -files -blocks -locations' that its blocks have replicas elsewhere.")
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
              + " times the median of "
              + seen.peers()
              + " "
              + peers
              + (unit.isEmpty() ? "" : " (" + number(seen.usual()) + ")"));
    }
    double seconds = found.seen().stream().mapToDouble(Comparison.Seen::seconds).max().orElse(0);
    return String.join("; ", parts) + "; over " + Figures.time(1000 * seconds);
  }

  /** With three digits that count. */
  private static String number(double value) {
    int places = value >= 100 ? 0 : value >= 10 ? 1 : value >= 0.1 ? 2 : 4;
    return String.format(Locale.ROOT, "%,." + places + "f", value);
  }
}
