package io.evenkeel.cli.doctor.core;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Looks for everything that can be told from what was asked. Apart from the command, which asks.
 * Stateless.
 */
public final class Doctor {
  private Doctor() {}

  /** What is wrong: by certainty, then by kind. */
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
    found.sort(Comparator.comparing(Diagnosis::certainty).thenComparing(Diagnosis::kind));
    return found;
  }
}
