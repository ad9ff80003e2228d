package io.evenkeel.cli.topology;

import io.evenkeel.cli.core.topology.PolicyInForce;
import io.evenkeel.cli.core.topology.TopologyDocument;
import io.evenkeel.cli.core.topology.TopologyException;
import io.evenkeel.cli.core.topology.TopologyLines;
import io.evenkeel.cli.core.topology.TopologyNode;
import io.evenkeel.cli.status.ClusterSource;
import io.evenkeel.cli.status.DaemonConf;
import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import io.evenkeel.common.jmx.JmxClient;
import io.evenkeel.common.json.Json;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/** DataNodes of a file or of a live cluster, and where they came from. Immutable. */
public final class TopologySource {
  private static final String INFO = "Hadoop:service=NameNode,name=NameNodeInfo";
  private static final String STATUS = "Hadoop:service=NameNode,name=NameNodeStatus";

  private final String description;
  private final List<TopologyNode> nodes;
  private final PolicyInForce policy;

  private TopologySource(String description, List<TopologyNode> nodes, PolicyInForce policy) {
    this.description = description;
    this.nodes = Collections.unmodifiableList(nodes);
    this.policy = policy;
  }

  /**
   * Reads text or JSON.
   *
   * @throws CommandException when it cannot be read or understood
   */
  public static TopologySource of(TextInput input) {
    List<String> lines = new ArrayList<>();
    input.lines(lines::add);
    try {
      return new TopologySource(
          input.description(),
          isJson(lines)
              ? TopologyDocument.parse(Json.parse(String.join("\n", lines)))
              : TopologyLines.parse(lines),
          null);
    } catch (TopologyException | IllegalArgumentException e) {
      String reason = e.getMessage().replaceAll("\\s+", " ");
      throw new CommandException(ExitCode.COULD_NOT_RUN, input.description() + ": " + reason, e);
    }
  }

  private static boolean isJson(List<String> lines) {
    for (String line : lines) {
      String text = line.trim();
      if (!text.isEmpty()) {
        return text.startsWith("{") || text.startsWith("[");
      }
    }
    return false;
  }

  /**
   * Asks the NameNodes of a cluster, an active one if there is one.
   *
   * @param byCapacity whether a DataNode weighs by its capacity
   * @throws CommandException when none answers, or none says where its DataNodes are
   */
  public static TopologySource of(ClusterSource cluster, int timeoutMillis, boolean byCapacity) {
    List<String> failures = new ArrayList<>();
    JmxClient standby = null;
    for (URI uri : cluster.nameNodes()) {
      JmxClient jmx = new JmxClient(uri, timeoutMillis);
      try {
        if ("active".equals(jmx.bean(STATUS).get("State"))) {
          return ask(cluster, jmx, byCapacity);
        }
        standby = standby == null ? jmx : standby;
      } catch (IOException e) {
        failures.add(e.getMessage());
      }
    }
    try {
      if (standby != null) {
        return ask(cluster, standby, byCapacity);
      }
    } catch (IOException e) {
      failures.add(e.getMessage());
    }
    throw new CommandException(
        ExitCode.COULD_NOT_RUN, "no NameNode answered: " + String.join("; ", failures));
  }

  private static TopologySource ask(ClusterSource cluster, JmxClient jmx, boolean byCapacity)
      throws IOException {
    Map<String, Object> info = jmx.bean(INFO);
    Map<?, ?> live = live(jmx, info);
    try {
      return new TopologySource(
          cluster.description(), TopologyDocument.live(live, byCapacity), policy(jmx));
    } catch (TopologyException e) {
      return byBlocks(cluster, jmx, info, byCapacity);
    }
  }

  /** The way for Hadoop before 3.3, whose NameNodes say where blocks are, but not DataNodes. */
  private static TopologySource byBlocks(
      ClusterSource cluster, JmxClient jmx, Map<String, Object> info, boolean byCapacity)
      throws IOException {
    String why;
    try {
      NameNodeWeb web = new NameNodeWeb(jmx.base(), user(), jmx.timeoutMillis(), "--topology");
      Map<?, ?> found = LocationsByFsck.located(web, live(jmx, info));
      return new TopologySource(
          cluster.description() + ", locations by fsck",
          TopologyDocument.live(found, byCapacity),
          policy(jmx));
    } catch (TopologyException e) {
      why = e.getMessage() + ", and no block of it was found";
    } catch (CommandException e) {
      why = "it does not say where its DataNodes are, and blocks could not be read: ";
      why += e.getMessage().replaceAll("; run .*", "");
    }
    throw new CommandException(
        ExitCode.COULD_NOT_RUN,
        jmx.base()
            + " (Hadoop "
            + info.get("SoftwareVersion")
            + "): "
            + why
            + "; run 'hdfs dfsadmin -printTopology > FILE' and give --topology FILE");
  }

  /**
   * Null where the NameNode does not show its configuration, as where an administrator must ask.
   */
  private static PolicyInForce policy(JmxClient jmx) {
    try {
      Map<String, String> conf = DaemonConf.read(jmx.base(), jmx.timeoutMillis());
      return PolicyInForce.of(key -> conf.getOrDefault(key, ""), placementState(jmx));
    } catch (IOException | IllegalArgumentException e) {
      return null;
    }
  }

  /** State of our policy for replicated blocks in a NameNode; empty when it is not loaded. */
  public static String placementState(JmxClient jmx) throws IOException {
    String state = "";
    for (Map<String, Object> bean : jmx.query("io.evenkeel:type=Plugin,module=placement,*")) {
      boolean replicated =
          String.valueOf(bean.get("PluginClass")).endsWith(".UniformBlockPlacementPolicy");
      state = replicated ? String.valueOf(bean.get("State")) : state;
    }
    return state;
  }

  private static String user() {
    String given = System.getenv("HADOOP_USER_NAME");
    return given == null || given.isEmpty() ? System.getProperty("user.name") : given;
  }

  private static Map<?, ?> live(JmxClient jmx, Map<String, Object> info) throws IOException {
    Object live = info.get("LiveNodes");
    if (live == null) {
      throw new IOException(jmx.base() + " answers, but is no NameNode");
    }
    Object parsed = Json.parse(live.toString());
    if (!(parsed instanceof Map)
        || !((Map<?, ?>) parsed).values().stream().allMatch(Map.class::isInstance)) {
      throw new IOException(jmx.base() + " did not answer with its live DataNodes");
    }
    return (Map<?, ?>) parsed;
  }

  /**
   * The DataNodes of one NameNode; none when it does not say where they are.
   *
   * @throws CommandException when it does not answer
   */
  public static List<TopologyNode> live(URI nameNode, int timeoutMillis) {
    JmxClient jmx = new JmxClient(nameNode, timeoutMillis);
    try {
      return TopologyDocument.live(live(jmx, jmx.bean(INFO)), true);
    } catch (TopologyException e) {
      return new ArrayList<>();
    } catch (IOException e) {
      throw new CommandException(ExitCode.COULD_NOT_RUN, e.getMessage(), e);
    }
  }

  /** Where the DataNodes came from, in words. */
  public String description() {
    return description;
  }

  /** The placement policy in force; null for a file, and where it is not known. */
  public PolicyInForce policy() {
    return policy;
  }

  /** The DataNodes. */
  public List<TopologyNode> nodes() {
    return nodes;
  }
}
