package io.evenkeel.cli.doctor.core;

import io.evenkeel.cli.core.Figures;
import io.evenkeel.cli.doctor.core.Diagnosis.Certainty;
import io.evenkeel.cli.doctor.core.Diagnosis.Kind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * DataNodes whose JVM stands still again and again: by garbage collection, or because the machine
 * gives it no processor. Hadoop's own pause monitor counts the time. Apart from {@link
 * SlowDataNodes}, as a pause is counted and not compared. Stateless.
 */
final class Pauses {
  /** A JVM that stands still for a smaller part of the time costs its users little. */
  private static final double LEAST = 0.05;

  /** A DataNode that pauses hardly more often than the others is not the one to look at. */
  private static final double TIMES = 3;

  private static final double MILLIS = 1000;
  private static final double LEAST_SECONDS = 30;

  private Pauses() {}

  static List<Diagnosis> find(ClusterHistory cluster) {
    Map<DataNodeHistory, Double> paused = new LinkedHashMap<>();
    for (DataNodeHistory each : cluster.dataNodes()) {
      if (each.last() != null) {
        paused.put(each, part(each.first(), each.last(), "GcTotalExtraSleepTime"));
      }
    }
    double usual = Peers.median(paused.values().stream().mapToDouble(p -> p).toArray());
    List<Diagnosis> found = new ArrayList<>();
    paused.forEach(
        (dataNode, part) -> {
          if (part >= LEAST && (paused.size() == 1 || part >= TIMES * usual)) {
            found.add(found(dataNode, part, usual));
          }
        });
    return found;
  }

  private static Diagnosis found(DataNodeHistory dataNode, double part, double usual) {
    double collecting = part(dataNode.first(), dataNode.last(), "GcTimeMillis");
    boolean itself = collecting >= part / 2;
    return new Diagnosis.Builder(Kind.SLOW_DATANODE, Certainty.CERTAIN, dataNode.name())
        .evidence(
            "its JVM stood still for "
                + Figures.percent(part)
                + " of the time (half of all DataNodes: at most "
                + Figures.percent(usual)
                + "), garbage collection took "
                + Figures.percent(collecting))
        .harm("Each write pipeline and each read through it stops as often; heartbeats are late.")
        .stock(
            itself
                ? "Give it more heap (HDFS_DATANODE_OPTS) or another collector."
                : "Not garbage collection: look for swapping ('vmstat 5', columns si and so), steal"
                    + " time of a virtual machine (column st), and other users of its processors.")
        .build();
  }

  /** A counter of milliseconds as a part of the time between; not a number when not known. */
  private static double part(Reading before, Reading after, String millis) {
    double seconds = after.seconds() - before.seconds();
    double passed = after.number(millis) - before.number(millis);
    return seconds < LEAST_SECONDS ? Double.NaN : passed / MILLIS / seconds;
  }
}
