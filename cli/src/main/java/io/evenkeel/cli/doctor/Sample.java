package io.evenkeel.cli.doctor;

import io.evenkeel.cli.doctor.core.ClusterHistory;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** What was asked of a cluster and what could not be. Immutable. */
public final class Sample {
  private final ClusterHistory cluster;
  private final List<String> unseen;
  private final URI nameNode;

  Sample(URI nameNode, ClusterHistory cluster, List<String> unseen) {
    this.nameNode = nameNode;
    this.cluster = cluster;
    this.unseen = Collections.unmodifiableList(new ArrayList<>(unseen));
  }

  /** The NameNode that was active in the end. */
  public URI nameNode() {
    return nameNode;
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
