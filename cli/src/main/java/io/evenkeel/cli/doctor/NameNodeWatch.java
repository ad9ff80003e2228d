package io.evenkeel.cli.doctor;

import io.evenkeel.cli.doctor.core.NameNodeReading;
import io.evenkeel.cli.status.ClusterSource;
import io.evenkeel.cli.status.DaemonConf;
import io.evenkeel.cli.topology.TopologySource;
import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import io.evenkeel.common.jmx.JmxClient;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleSupplier;

/** Asks one NameNode, again and again. Apart from {@link Sampler}, which asks all. Immutable. */
final class NameNodeWatch {
  private static final String BEANS = "Hadoop:service=NameNode,name=";

  /** Asked in every round. */
  private static final String[] STATE = {
    "NameNodeStatus", "FSNamesystem*", "BlockStats", "JvmMetrics"
  };

  /** It lists all DataNodes, so it is asked in the first round and in the last. */
  private static final String INFO = "NameNodeInfo";

  /** Requests of a round that is neither the first nor the last. */
  static final int REQUESTS = STATE.length;

  /** Those to find it, for its configuration and our plugin in it, and twice {@link #INFO}. */
  static final int REQUESTS_BESIDES = 5;

  private final JmxClient jmx;
  private final String state;

  private NameNodeWatch(JmxClient jmx, String state) {
    this.jmx = jmx;
    this.state = state;
  }

  /**
   * The active NameNode of a cluster, else another one.
   *
   * @throws CommandException when none answers
   */
  static NameNodeWatch find(ClusterSource cluster, int timeoutMillis) {
    List<String> failures = new ArrayList<>();
    NameNodeWatch found = find(cluster.nameNodes(), timeoutMillis, failures);
    if (found == null) {
      throw new CommandException(
          ExitCode.COULD_NOT_RUN, "no NameNode answered: " + String.join("; ", failures));
    }
    return found;
  }

  /**
   * Another NameNode of the same namespace that is active; null when none says it is. This one is
   * not asked again.
   *
   * @param blockPool of the namespace
   */
  NameNodeWatch successor(ClusterSource cluster, String blockPool) {
    for (NameNodeWatch each : othersActive(cluster)) {
      if (blockPool.equals(each.blockPool())) {
        return each;
      }
    }
    return null;
  }

  /** Lines on other NameNodes that are active as well, which is how a federation looks. */
  List<String> otherNamespaces(ClusterSource cluster) {
    List<String> lines = new ArrayList<>();
    for (NameNodeWatch each : othersActive(cluster)) {
      lines.add(
          each.uri() + " is active, too: its namespace is not looked at; name its NameNodes alone");
    }
    return lines;
  }

  private List<NameNodeWatch> othersActive(ClusterSource cluster) {
    List<NameNodeWatch> active = new ArrayList<>();
    for (URI uri : cluster.nameNodes()) {
      if (!uri.equals(uri())) {
        NameNodeWatch other =
            find(Collections.singletonList(uri), jmx.timeoutMillis(), new ArrayList<>());
        if (other != null && other.notActive() == null) {
          active.add(other);
        }
      }
    }
    return active;
  }

  private String blockPool() {
    try {
      return String.valueOf(jmx.bean(BEANS + INFO).get("BlockPoolId"));
    } catch (IOException e) {
      return "";
    }
  }

  private static NameNodeWatch find(List<URI> nameNodes, int timeoutMillis, List<String> failures) {
    NameNodeWatch other = null;
    for (URI uri : nameNodes) {
      JmxClient jmx = new JmxClient(uri, timeoutMillis);
      try {
        Object state = jmx.bean(BEANS + "NameNodeStatus").get("State");
        if (state == null) {
          failures.add(uri + " answers, but is no NameNode");
        } else if (NameNodeReading.ACTIVE.equals(state)) {
          return new NameNodeWatch(jmx, NameNodeReading.ACTIVE);
        } else if (other == null) {
          other = new NameNodeWatch(jmx, state.toString());
        }
      } catch (IOException e) {
        failures.add(e.getMessage());
      }
    }
    return other;
  }

  URI uri() {
    return jmx.base();
  }

  boolean https() {
    return "https".equals(jmx.base().getScheme());
  }

  /** A line when it is not active; null when it is. */
  String notActive() {
    return NameNodeReading.ACTIVE.equals(state)
        ? null
        : "no active NameNode answered; asked " + uri() + ", which is " + state;
  }

  /**
   * What it says now.
   *
   * @param seconds since the first round, told when it has answered
   * @param whole also with its DataNodes
   */
  NameNodeReading read(DoubleSupplier seconds, boolean whole) throws IOException {
    List<Map<String, Object>> beans = new ArrayList<>();
    for (String bean : STATE) {
      beans.addAll(jmx.query(BEANS + bean));
    }
    if (whole) {
      beans.addAll(jmx.query(BEANS + INFO));
    }
    NameNodeReading reading = NameNodeReading.of(seconds.getAsDouble(), beans);
    if (reading.text("State").isEmpty()) {
      throw new IOException(uri() + " answers, but does not say its state: it is still starting");
    }
    return reading;
  }

  /** State of our placement policy in it; empty when it is not loaded, or does not answer. */
  String pluginState() {
    try {
      return TopologySource.placementState(jmx);
    } catch (IOException e) {
      return "";
    }
  }

  /** Its configuration; empty when it does not show it, with a line for that. */
  Map<String, String> conf(List<String> unseen) {
    try {
      return DaemonConf.read(jmx.base(), jmx.timeoutMillis());
    } catch (IOException e) {
      unseen.add("the configuration of the NameNode: " + e.getMessage());
      return Collections.emptyMap();
    }
  }
}
