package io.evenkeel.cli.doctor;

import io.evenkeel.cli.core.topology.Topology;
import io.evenkeel.cli.core.topology.TopologyNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Where the DataNodes are: by a file, by a script, or as the NameNode says. Immutable; files and
 * scripts are read when they are needed.
 */
public final class Places {
  private static final String UNKNOWN = "/default-rack";
  private static final int SHOWN = 3;

  /** A script for many DataNodes may take this many times the limit of one connection. */
  private static final long SCRIPT_LIMITS = 4;

  private final Topology file;
  private final String script;
  private final Topology.Layers layers;

  private Places(Topology file, String script, Topology.Layers layers) {
    this.file = file;
    this.script = script;
    this.layers = layers;
  }

  /** As the NameNode says; Hadoop before 3.3 does not. */
  public static Places byNameNode(Topology.Layers layers) {
    return new Places(null, null, layers);
  }

  /** As a file says. */
  public static Places byFile(Topology file) {
    return new Places(file, null, Topology.Layers.AUTO);
  }

  /** As a script says that is run with their addresses. */
  public static Places byScript(String script, Topology.Layers layers) {
    return new Places(null, script, layers);
  }

  /**
   * The layout of the DataNodes.
   *
   * @param live attributes by the name they registered
   * @param timeoutMillis limit of a connection, in milliseconds; a script may take four times that
   * @param unseen told in a line whose place is not known
   * @throws io.evenkeel.common.cli.CommandException when the script fails
   */
  Topology of(Map<String, Map<?, ?>> live, int timeoutMillis, List<String> unseen)
      throws InterruptedException {
    Map<String, String> paths = file != null ? byFile(live) : located(live, timeoutMillis);
    List<TopologyNode> nodes = new ArrayList<>();
    List<String> unknown = new ArrayList<>();
    live.forEach(
        (name, node) -> {
          String path = paths.get(name);
          if (path == null) {
            unknown.add(name);
          }
          nodes.add(
              new TopologyNode.Builder(name, path == null ? UNKNOWN : path)
                  .address(address(name, node))
                  .inService(inService(node))
                  .build());
        });
    if (!unknown.isEmpty()) {
      unseen.add(why(unknown, live.size()));
    }
    return new Topology(nodes, layers());
  }

  /** As the file has them: one that names no DataNode of this cluster decides nothing. */
  private Topology.Layers layers() {
    if (file == null) {
      return layers;
    }
    return file.hasNodeGroups() ? Topology.Layers.NODEGROUP : Topology.Layers.RACK;
  }

  private String why(List<String> unknown, int all) {
    String which =
        unknown.size() == all
            ? "the racks of all DataNodes"
            : "the racks of " + unknown.size() + " DataNodes (" + some(unknown) + ")";
    return file != null
        ? which + ": the file of --map does not name them"
        : which
            + ": the NameNode does not say them; run 'hdfs dfsadmin -printTopology > FILE' and give"
            + " --map FILE, or give the script of net.topology.script.file.name as --script";
  }

  static String some(List<String> names) {
    int more = names.size() - SHOWN;
    return String.join(", ", names.subList(0, Math.min(SHOWN, names.size())))
        + (more > 0 ? " and " + more + " more" : "");
  }

  private Map<String, String> byFile(Map<String, Map<?, ?>> live) {
    Map<String, String> paths = new LinkedHashMap<>();
    live.forEach(
        (name, node) -> {
          Topology.Spot spot = file.locate(name);
          spot = spot == null ? file.locate(address(name, node)) : spot;
          if (spot != null) {
            paths.put(name, spot.isNodeGroup() ? spot.host() : spot.rack());
          }
        });
    return paths;
  }

  private Map<String, String> located(Map<String, Map<?, ?>> live, int timeoutMillis)
      throws InterruptedException {
    Map<String, String> paths = new LinkedHashMap<>();
    if (script == null) {
      live.forEach(
          (name, node) -> {
            Object location = node.get("location");
            if (location != null && location.toString().matches("(/[^/]+)+")) {
              paths.put(name, location.toString());
            }
          });
      return paths;
    }
    Map<String, String> hosts = new LinkedHashMap<>();
    live.forEach((name, node) -> hosts.put(name, host(address(name, node))));
    Set<String> addresses = new TreeSet<>(hosts.values());
    Map<String, String> locations =
        new LocationScript(script, SCRIPT_LIMITS * timeoutMillis).of(addresses);
    return hosts.entrySet().stream()
        .collect(Collectors.toMap(Map.Entry::getKey, e -> locations.get(e.getValue())));
  }

  /** Without the port; an address of version 6 without its brackets, as Hadoop hands it over. */
  private static String host(String address) {
    return address.replaceAll(":\\d+$", "").replaceAll("^\\[|]$", "");
  }

  private static String address(String name, Map<?, ?> node) {
    Object address = node.get("xferaddr");
    return address == null ? name : address.toString();
  }

  static boolean inService(Map<?, ?> node) {
    Object state = node.get("adminState");
    return state == null || "In Service".equals(state);
  }
}
