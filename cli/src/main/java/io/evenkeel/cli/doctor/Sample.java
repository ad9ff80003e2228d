package io.evenkeel.cli.doctor;

import io.evenkeel.cli.doctor.core.ClusterHistory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** What was asked of a cluster and what could not be. Immutable. */
public final class Sample {
  private final ClusterHistory cluster;
  private final List<String> unseen;

  Sample(ClusterHistory cluster, List<String> unseen) {
    this.cluster = cluster;
    this.unseen = Collections.unmodifiableList(new ArrayList<>(unseen));
  }

  /** The answers. */
  public ClusterHistory cluster() {
    return cluster;
  }

  /** A line for each thing that could not be looked at, with the reason. */
  public List<String> unseen() {
    return unseen;
  }
}
