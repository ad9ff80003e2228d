package io.evenkeel.cli.status;

import io.evenkeel.cli.status.core.Daemon;
import io.evenkeel.cli.status.core.DaemonReport;
import io.evenkeel.cli.status.core.DaemonReport.Identity;
import io.evenkeel.cli.status.core.PluginReport;
import io.evenkeel.common.jmx.JmxClient;
import io.evenkeel.common.json.Json;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Asks one daemon and keeps what a NameNode says about its DataNodes. Confined to the thread that
 * asks; results are read after it is done.
 */
final class DaemonProbe {
  private static final String PLUGINS = "io.evenkeel:type=Plugin,*";
  private static final String UNKNOWN = "unknown";
  private static final int DATANODE_PLUGINS = 2;
  private static final String STARTING = "it is still starting, or no NameNode has answered it yet";

  private final Daemon daemon;
  private final String knownVersion;
  private final JmxClient jmx;
  private final Map<Daemon, String> liveDataNodes = new LinkedHashMap<>();
  private final Set<String> deadDataNodes = new TreeSet<>();

  /**
   * Prepares the questions.
   *
   * @param knownVersion Hadoop release another daemon told, or null
   */
  DaemonProbe(Daemon daemon, String knownVersion, int timeoutMillis) {
    this.daemon = daemon;
    this.knownVersion = knownVersion;
    this.jmx = new JmxClient(daemon.uri(), timeoutMillis);
  }

  Daemon daemon() {
    return daemon;
  }

  /** Releases of live DataNodes, null where unknown; empty unless a NameNode was asked. */
  Map<Daemon, String> liveDataNodes() {
    return Collections.unmodifiableMap(liveDataNodes);
  }

  /** Transfer addresses of dead DataNodes; empty unless a NameNode was asked. */
  Set<String> deadDataNodes() {
    return Collections.unmodifiableSet(deadDataNodes);
  }

  /** Asks; a failure is a report as well. */
  DaemonReport ask() {
    try {
      List<PluginReport> plugins = plugins();
      if (Daemon.NAMENODE.equals(daemon.role())) {
        return nameNode(plugins);
      }
      if (isStarting(daemon.role(), plugins)) {
        return DaemonReport.silent(daemon, STARTING); // not stock yet, nor ours
      }
      if (Daemon.DATANODE.equals(daemon.role()) && plugins.size() < DATANODE_PLUGINS) {
        plugins = plugins(); // it may have come up between the two questions
      }
      if (Daemon.DATANODE.equals(daemon.role()) && knownVersion != null) {
        return DaemonReport.answered(daemon, new Identity(knownVersion, "", ""), plugins);
      }
      return other(plugins);
    } catch (IOException | IllegalArgumentException e) {
      return DaemonReport.silent(daemon, reason(daemon.uri(), e));
    }
  }

  private List<PluginReport> plugins() throws IOException {
    List<PluginReport> plugins = new ArrayList<>();
    for (Map<String, Object> bean : jmx.query(PLUGINS)) {
      plugins.add(PluginReport.of(bean));
    }
    return plugins;
  }

  /** One line without the address: the report names it, and equal reasons share a line. */
  static String reason(URI uri, Exception e) {
    String text = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    return text.replace(uri.toString(), "").replaceAll("\\s+", " ").trim();
  }

  private DaemonReport nameNode(List<PluginReport> plugins) throws IOException {
    Map<String, Object> info = jmx.bean("Hadoop:service=NameNode,name=NameNodeInfo");
    if (info.isEmpty()) {
      Map<String, Object> startup = jmx.bean("Hadoop:service=NameNode,name=StartupProgress");
      if (!startup.isEmpty()) {
        return DaemonReport.silent(daemon, "it is still starting" + share(startup));
      }
      return DaemonReport.silent(daemon, "it answers, but is no NameNode; use --daemon for it");
    }
    readLive(info);
    readDead(info);
    Map<String, Object> status = jmx.bean("Hadoop:service=NameNode,name=NameNodeStatus");
    Identity identity =
        new Identity(
            text(info, "SoftwareVersion", UNKNOWN),
            text(status, "State", "").toLowerCase(Locale.ROOT),
            text(info, "BlockPoolId", ""));
    return DaemonReport.answered(daemon, identity, plugins);
  }

  /**
   * A DataNode answers before it has spoken with a NameNode, and loads its plugins one by one after
   * that; there are two. Where the answer does not come there is a dataset: it asks a disk that
   * hangs.
   */
  private boolean isStarting(String role, List<PluginReport> plugins) {
    if (!Daemon.DATANODE.equals(role) || plugins.size() >= DATANODE_PLUGINS) {
      return false;
    }
    try {
      return jmx.query("Hadoop:service=DataNode,name=FSDatasetState*").isEmpty();
    } catch (IOException e) {
      return false;
    }
  }

  private static String share(Map<String, Object> startup) {
    Object done = startup.get("PercentComplete");
    return done instanceof Number
        ? String.format(Locale.ROOT, " (%.0f %% done)", 100 * ((Number) done).doubleValue())
        : "";
  }

  private DaemonReport other(List<PluginReport> plugins) throws IOException {
    String role = daemon.role();
    for (Map<String, Object> bean : jmx.query("Hadoop:service=*,name=JvmMetrics")) {
      role = text(bean, "tag.ProcessName", role);
    }
    if (isStarting(role, plugins)) {
      return DaemonReport.silent(daemon, STARTING);
    }
    String version = UNKNOWN;
    for (Map<String, Object> bean : jmx.query("Hadoop:service=*,name=*NodeInfo")) {
      version = text(bean, "SoftwareVersion", version);
    }
    for (PluginReport plugin : plugins) {
      // YARN daemons have no bean with their release; a plugin knows where it runs
      version = UNKNOWN.equals(version) ? plugin.hadoopVersion() : version;
    }
    return DaemonReport.answered(
        new Daemon(role, daemon.uri()), new Identity(version, "", ""), plugins);
  }

  private void readLive(Map<String, Object> info) {
    boolean https = "https".equals(daemon.uri().getScheme());
    for (Map.Entry<String, Map<?, ?>> entry : nodes(info, "LiveNodes").entrySet()) {
      Map<?, ?> node = entry.getValue();
      LiveDataNode live = LiveDataNode.of(entry.getKey(), node, https);
      Object version = node.get("version");
      liveDataNodes.put(
          new Daemon(Daemon.DATANODE, live.uri(), live.name()),
          version == null ? null : version.toString());
    }
  }

  private void readDead(Map<String, Object> info) {
    nodes(info, "DeadNodes")
        .forEach(
            (name, node) -> {
              if (!Boolean.TRUE.equals(node.get("decommissioned"))) {
                deadDataNodes.add(name);
              }
            });
  }

  /** An attribute that holds a JSON document of nodes by name, as text. */
  private static Map<String, Map<?, ?>> nodes(Map<String, Object> info, String attribute) {
    Map<String, Map<?, ?>> nodes = new LinkedHashMap<>();
    Object document = Json.parse(text(info, attribute, "{}"));
    if (document instanceof Map) {
      ((Map<?, ?>) document)
          .forEach(
              (name, node) -> {
                if (node instanceof Map) {
                  nodes.put(String.valueOf(name), (Map<?, ?>) node);
                }
              });
    }
    return nodes;
  }

  private static String text(Map<String, Object> bean, String attribute, String otherwise) {
    Object value = bean.get(attribute);
    return value == null ? otherwise : value.toString();
  }
}
