package io.evenkeel.cli.doctor.core;

import io.evenkeel.cli.doctor.core.Diagnosis.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** DataNodes and hosts with more traffic than their peers. Stateless. */
final class BusyDataNodes {
  private static final double LEAST = 1.5;

  /** Traffic of healthy DataNodes differs more than their pace does. */
  private static final double LIKENESS = 0.3;

  private static final double MIB = 1 << 20;

  private static final List<Comparison.Measure> MEASURES =
      Arrays.asList(
          new Comparison.Measure("traffic", "MiB/s", BusyDataNodes::traffic),
          new Comparison.Measure("transfers", "threads", BusyDataNodes::transfers));

  private BusyDataNodes() {}

  static List<Diagnosis> find(ClusterHistory cluster) {
    List<Diagnosis> found = new ArrayList<>();
    for (Comparison.Found each : Comparison.find(cluster, MEASURES, LIKENESS, LEAST)) {
      boolean host = !each.members().isEmpty();
      String evidence = SlowDataNodes.evidence(each, host ? "other hosts" : "peers");
      found.add(
          new Diagnosis.Builder(Kind.BUSY, SlowDataNodes.certainty(each), each.subject())
              .evidence(
                  host
                      ? "all its DataNodes together ("
                          + Fill.first(each.members())
                          + "): "
                          + evidence
                      : evidence)
              .harm("Its users share its disks and network with more others than elsewhere.")
              .stock(
                  "Look for what is asked of it: hot files in the NameNode's audit log, writers on"
                      + " that host (the first replica is local), 'hdfs balancer' or 'hdfs dfs"
                      + " -setrep' at work. More replicas of a hot file spread its reads.")
              .evenkeel(
                  "placement: dfs.block.replicator.classname ="
                      + " io.evenkeel.placement.UniformBlockPlacementPolicy spreads new blocks"
                      + " evenly over DataNodes; reads of old ones stay where they are."
                      + cluster.forecast(PlacementForecast::inFlight))
              .build());
    }
    return found;
  }

  /** Mebibytes written and read in a second. */
  private static double traffic(Reading before, Reading after) {
    double seconds = after.seconds() - before.seconds();
    double bytes = bytes(after) - bytes(before);
    return seconds > 0 && bytes > 0 ? bytes / MIB / seconds : Double.NaN;
  }

  private static double bytes(Reading reading) {
    return reading.number("BytesWritten") + reading.number("BytesRead");
  }

  /** Threads that transfer blocks at the end; older releases count all threads of the server. */
  private static double transfers(Reading before, Reading after) {
    double active = after.number("DataNodeActiveXceiversCount");
    double threads = Double.isNaN(active) ? after.number("XceiverCount") : active;
    return threads;
  }
}
