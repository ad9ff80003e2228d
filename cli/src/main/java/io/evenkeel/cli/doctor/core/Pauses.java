package io.evenkeel.cli.doctor.core;

import io.evenkeel.cli.core.Figures;
import io.evenkeel.cli.doctor.core.Diagnosis.Certainty;
import io.evenkeel.cli.doctor.core.Diagnosis.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Daemons that stand still for a part of the time, by the pauses that Hadoop's own {@code
 * JvmPauseMonitor} counts: a thread that wants to sleep for half a second and adds up what it slept
 * longer. Its writes may be as fast as ever in between, so no comparison of them shows it.
 * Stateless.
 */
final class Pauses {
  /** Below this share of the time a pause is one collection of garbage and nobody's trouble. */
  private static final double LEAST_SHARE = 0.05;

  private static final double LEAST_MILLIS = 3000;
  private static final String STOOD = "GcTotalExtraSleepTime";
  private static final String COLLECTED = "GcTimeMillis";

  private Pauses() {}

  /** What a kind of daemon holds up, and where its heap is set. */
  enum Daemon {
    NAMENODE(
        "Every call of every client waits as long, and a ZKFC that waits too long fails over.",
        "HDFS_NAMENODE_OPTS (2.x: HADOOP_NAMENODE_OPTS)"),
    DATANODE(
        "Every write pipeline and read through it waits as long, and so do heartbeats.",
        "HDFS_DATANODE_OPTS (2.x: HADOOP_DATANODE_OPTS)"),
    RESOURCEMANAGER(
        "No container is given out meanwhile, and no job gets on.", "YARN_RESOURCEMANAGER_OPTS"),
    NODEMANAGER(
        "No container starts there meanwhile, and reducers wait for the output of its maps.",
        "YARN_NODEMANAGER_OPTS");

    private final String harm;
    private final String options;

    Daemon(String harm, String options) {
      this.harm = harm;
      this.options = options;
    }
  }

  static List<Diagnosis> find(ClusterHistory cluster) {
    List<Diagnosis> found = new ArrayList<>();
    for (DataNodeHistory each : cluster.dataNodes()) {
      Reading first = each.first();
      if (first != null && first != each.last()) {
        Pause pause =
            new Pause(
                each.last().seconds() - first.seconds(),
                each.last().number(STOOD) - first.number(STOOD),
                each.last().number(COLLECTED) - first.number(COLLECTED));
        pause.judge(Daemon.DATANODE, each.name(), found);
      }
    }
    NameNodeReading first = cluster.first();
    NameNodeReading last = cluster.last();
    if (first.text("HostAndPort").equals(last.text("HostAndPort"))) {
      new Pause(
              last.seconds() - first.seconds(),
              last.number(STOOD) - first.number(STOOD),
              last.number(COLLECTED) - first.number(COLLECTED))
          .judge(Daemon.NAMENODE, "NameNode", found);
    }
    return found;
  }

  /** Those of a daemon of YARN. */
  static void find(
      Daemon daemon,
      String name,
      YarnHistory.Numbers numbers,
      double seconds,
      List<Diagnosis> found) {
    new Pause(seconds, numbers.grown(STOOD), numbers.grown(COLLECTED)).judge(daemon, name, found);
  }

  /**
   * How a JVM stood still in so many seconds. What it counts is below 0 where it was started again
   * in between, and not a number where it is not known.
   */
  private static final class Pause {
    private final double millis;
    private final double stood;
    private final double collected;

    Pause(double seconds, double stood, double collected) {
      this.millis = 1000 * seconds;
      this.stood = stood;
      this.collected = collected;
    }

    void judge(Daemon daemon, String name, List<Diagnosis> found) {
      if (!(stood >= LEAST_MILLIS && stood >= LEAST_SHARE * millis)) {
        return;
      }
      boolean garbage = collected >= stood / 2;
      found.add(
          new Diagnosis.Builder(Kind.PAUSES, Certainty.CERTAIN, name)
              .evidence(
                  String.format(
                      Locale.ROOT,
                      "its JVM stood still for at least %s of %s (%.0f %%), %s of it at most for"
                          + " collections of garbage",
                      Figures.time(stood),
                      Figures.time(millis),
                      100 * stood / millis,
                      Figures.time(Math.min(stood, Math.max(0, collected)))))
              .harm(daemon.harm)
              .stock(
                  garbage
                      ? "Its heap is too small for its work: look at MemHeapUsedM of its /jmx, and"
                          + " raise -Xmx in "
                          + daemon.options
                          + "."
                      : "The cause is outside the JVM: look for swapping ('vmstat 5', si and so),"
                          + " for steal time (column st), for a limit of CPU on its container, or"
                          + " for who stops the process (state T in 'ps').")
              .build());
    }
  }
}
