package io.evenkeel.cli.doctor.core;

import io.evenkeel.cli.doctor.core.Diagnosis.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Looks for everything that can be told from what was asked. Apart from the command, which asks.
 * Stateless.
 */
public final class Doctor {
  private Doctor() {}

  /** What is wrong now by certainty and kind, then what is a risk. */
  public static List<Diagnosis> examine(ClusterHistory cluster) {
    List<Diagnosis> found = new ArrayList<>();
    found.addAll(SlowDataNodes.find(cluster));
    found.addAll(BusyDataNodes.find(cluster));
    found.addAll(Pauses.find(cluster));
    found.addAll(WaitingThreads.find(cluster));
    found.addAll(Fill.find(cluster));
    found.addAll(Replicas.find(cluster));
    found.addAll(Membership.find(cluster));
    found.addAll(Configuration.find(cluster));
    found.addAll(KnownDefects.find(cluster));
    found.addAll(Yarn.find(cluster));
    explain(found);
    found.sort(
        Comparator.comparing(Diagnosis::isRisk)
            .thenComparing(Diagnosis::certainty)
            .thenComparing(Diagnosis::kind));
    return found;
  }

  /**
   * Whether a longer watch may name somebody who is slow: nobody is beyond doubt yet, nothing else
   * that was found explains why, and there is load to compare.
   */
  public static boolean mayTellMore(ClusterHistory cluster) {
    return Pauses.find(cluster).isEmpty()
        && WaitingThreads.find(cluster).isEmpty()
        && SlowDataNodes.mayTellMore(cluster);
  }

  /** A DataNode that stands still is slow for that reason: it is one finding, by its cause. */
  private static void explain(List<Diagnosis> found) {
    for (Diagnosis slow : new ArrayList<>(found)) {
      for (int i = 0; i < found.size() && slow.kind() == Kind.SLOW_DATANODE; i++) {
        Diagnosis cause = found.get(i);
        if (cause.kind() == Kind.PAUSES && cause.subject().equals(slow.subject())) {
          found.set(i, cause.also("so it is slow as well: " + slow.evidence()));
          found.remove(slow);
        }
      }
    }
  }
}
