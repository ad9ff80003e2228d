package io.evenkeel.cli.doctor.core;

import io.evenkeel.cli.core.Figures;
import io.evenkeel.cli.doctor.core.Diagnosis.Certainty;
import io.evenkeel.cli.doctor.core.Diagnosis.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * DataNodes that stand still for a part of the time, by the pauses that Hadoop's own {@code
 * JvmPauseMonitor} counts: a thread that wants to sleep for half a second and adds up what it slept
 * longer. Its writes may be as fast as ever in between, so no comparison of them shows it.
 * Stateless.
 */
final class Pauses {
  /** Below this share of the time a pause is one collection of garbage and nobody's trouble. */
  private static final double LEAST_SHARE = 0.05;

  private static final double LEAST_MILLIS = 3000;

  private Pauses() {}

  static List<Diagnosis> find(ClusterHistory cluster) {
    List<Diagnosis> found = new ArrayList<>();
    for (DataNodeHistory each : cluster.dataNodes()) {
      Reading first = each.first();
      if (first == null || first == each.last()) {
        continue;
      }
      double stood = grown(first, each.last(), "GcTotalExtraSleepTime");
      double collected = grown(first, each.last(), "GcTimeMillis");
      double millis = 1000 * (each.last().seconds() - first.seconds());
      if (stood >= LEAST_MILLIS && stood >= LEAST_SHARE * millis) {
        found.add(pauses(each.name(), stood, millis, collected));
      }
    }
    return found;
  }

  /** Below 0 where it was started again in between, and not a number where it is not known. */
  private static double grown(Reading first, Reading last, String name) {
    return last.number(name) - first.number(name);
  }

  private static Diagnosis pauses(String name, double stood, double millis, double collected) {
    boolean garbage = collected >= stood / 2;
    return new Diagnosis.Builder(Kind.PAUSES, Certainty.CERTAIN, name)
        .evidence(
            String.format(
                Locale.ROOT,
                "its JVM stood still for at least %s of %s (%.0f %%), %s of it at most for"
                    + " collections of garbage",
                Figures.time(stood),
                Figures.time(millis),
                100 * stood / millis,
                Figures.time(Math.min(stood, Math.max(0, collected)))))
        .harm("Every write pipeline and read through it waits as long, and so do heartbeats.")
        .stock(
            garbage
                ? "Its heap is too small for its blocks and transfers: look at MemHeapUsedM of its"
                    + " /jmx, and raise -Xmx in HDFS_DATANODE_OPTS (2.x: HADOOP_DATANODE_OPTS)."
                : "The cause is outside the JVM: look for swapping ('vmstat 5', si and so), for"
                    + " steal time (column st), for a limit of CPU on its container, or for who"
                    + " stops the process (state T in 'ps').")
        .build();
  }
}
