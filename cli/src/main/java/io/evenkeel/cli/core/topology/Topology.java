package io.evenkeel.cli.core.topology;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Which DataNode stands on which host in which rack. Immutable.
 *
 * <p>With node groups a host is the whole network location and the rack is what stands before its
 * last part. On plain racks the rack is the whole location, and DataNodes that share an address or
 * a host name are on one host, called by its address; a loopback address is not taken for a host.
 */
public final class Topology {
  /** What the last part of a network location is. */
  public enum Layers {
    /** A node group when most locations have two parts or more, else a rack. */
    AUTO,
    /** A rack: {@code /rack} or {@code /room/rack}. */
    RACK,
    /** A node group, that is a host: {@code /rack/nodegroup}. */
    NODEGROUP
  }

  /** Where a replica is. Immutable. */
  public static final class Spot {
    private final String rack;
    private final String host;

    private Spot(String rack, String host) {
      this.rack = rack;
      this.host = host;
    }

    /** Key of the rack. */
    public String rack() {
      return rack;
    }

    /** Key of the host; equal keys fail as one. */
    public String host() {
      return host;
    }

    /** Whether the host is a node group, that is a part of the network location. */
    public boolean isNodeGroup() {
      return host.startsWith(rack + "/");
    }
  }

  private final List<TopologyNode> nodes;
  private final boolean nodeGroups;
  private final boolean undecided;
  private final int depth;
  private final Machines machines;
  private final Map<String, TopologyNode> byName = new HashMap<>();

  /** Creates the layout of these DataNodes. */
  public Topology(List<TopologyNode> nodes, Layers layers) {
    this.nodes = Collections.unmodifiableList(new ArrayList<>(nodes));
    depth = usualDepth(nodes);
    nodeGroups = layers == Layers.NODEGROUP || (layers == Layers.AUTO && depth >= 2);
    undecided = layers == Layers.AUTO && nodes.isEmpty();
    machines = new Machines(nodes);
    for (TopologyNode node : nodes) {
      byName.putIfAbsent(node.name(), node);
      byName.putIfAbsent(node.address(), node);
      // of a loopback address only the port tells DataNodes apart
      if (!TopologyNode.isLoopback(node.host())) {
        byName.putIfAbsent(node.host(), node);
      }
      if (!TopologyNode.isLoopback(TopologyNode.hostOf(node.address()))) {
        byName.putIfAbsent(TopologyNode.hostOf(node.address()), node);
      }
    }
  }

  /** The depth most DataNodes have; 1 without any. */
  private static int usualDepth(List<TopologyNode> nodes) {
    Map<Integer, Integer> counts = new TreeMap<>();
    nodes.forEach(node -> counts.merge(node.depth(), 1, Integer::sum));
    int usual = 1;
    for (Map.Entry<Integer, Integer> entry : counts.entrySet()) {
      usual = entry.getValue() > counts.getOrDefault(usual, 0) ? entry.getKey() : usual;
    }
    return usual;
  }

  /**
   * A made-up cluster of equal hosts.
   *
   * @param hosts spread over the racks as evenly as can be
   * @param perHost DataNodes on each
   */
  public static Topology regular(int racks, int hosts, int perHost) {
    List<TopologyNode> nodes = new ArrayList<>(hosts * perHost);
    for (int h = 0; h < hosts; h++) {
      int rack = (int) ((long) h * racks / hosts);
      String path = String.format(Locale.ROOT, "/r%05d/h%06d", rack, h);
      for (int d = 0; d < perHost; d++) {
        String name = String.format(Locale.ROOT, "h%06d:%d", h, 9866 + d);
        nodes.add(new TopologyNode.Builder(name, path).build());
      }
    }
    return new Topology(nodes, Layers.NODEGROUP);
  }

  /** The DataNodes, in the order they were given. */
  public List<TopologyNode> nodes() {
    return nodes;
  }

  /** Whether the last part of a location is a node group. */
  public boolean hasNodeGroups() {
    return nodeGroups;
  }

  /** The number of parts most locations have. */
  int depth() {
    return depth;
  }

  /** The rack of a DataNode. */
  public String rack(TopologyNode node) {
    return spot(node).rack;
  }

  /** The host of a DataNode. */
  public String host(TopologyNode node) {
    return spot(node).host;
  }

  /** The machine of a DataNode by its address and name alone, whatever its location says. */
  String machine(TopologyNode node) {
    return machines.of(node);
  }

  /** Where one of these DataNodes is. */
  public Spot spot(TopologyNode node) {
    return spot(machines.of(node), node.path());
  }

  private Spot spot(String machine, String path) {
    int last = path.lastIndexOf('/');
    return (nodeGroups || undecided) && last > 0
        ? new Spot(path.substring(0, last), path)
        : new Spot(path, machine);
  }

  /**
   * Where the DataNode is that a listing of blocks calls so: its name or address, or the network
   * location with that at its end.
   *
   * @return null when neither the topology nor the text itself says it; on plain racks the text
   *     alone does not, as an address may be another name of a host of the topology
   */
  public Spot locate(String text) {
    int last = text.lastIndexOf('/');
    String name = text.substring(last + 1);
    String host = TopologyNode.hostOf(name);
    TopologyNode known = byName.get(name);
    if (known == null && (last <= 0 || !nodeGroups)) {
      known = byName.get(host);
    }
    if (known != null) {
      return spot(known);
    }
    boolean said = last > 0 && (nodeGroups || nodes.isEmpty());
    return said ? spot(TopologyNode.isLoopback(host) ? name : host, text.substring(0, last)) : null;
  }

  /** Keys of the hosts that go by a name, or have a DataNode of that name or address. */
  public Set<String> hostsCalled(String name) {
    Set<String> found = new TreeSet<>();
    for (TopologyNode node : nodes) {
      String host = host(node);
      if (goesBy(host, name) || isCalled(node.name(), name) || isCalled(node.address(), name)) {
        found.add(host);
      }
    }
    return found;
  }

  /** Whether a name is the key of a host or, of a node group, the last part of it. */
  public static boolean goesBy(String host, String name) {
    return host.equals(name) || (host.startsWith("/") && host.endsWith("/" + name));
  }

  private static boolean isCalled(String dataNode, String name) {
    return dataNode.equals(name) || TopologyNode.hostOf(dataNode).equals(name);
  }

  /** Hosts with a DataNode in service. */
  public Set<String> hosts() {
    Set<String> found = new TreeSet<>();
    serving().forEach(node -> found.add(host(node)));
    return found;
  }

  /** Racks with a DataNode in service. */
  public Set<String> racks() {
    Set<String> found = new TreeSet<>();
    serving().forEach(node -> found.add(rack(node)));
    return found;
  }

  /** DataNodes in service. */
  public List<TopologyNode> serving() {
    List<TopologyNode> found = new ArrayList<>();
    for (TopologyNode node : nodes) {
      if (node.inService()) {
        found.add(node);
      }
    }
    return found;
  }

  /** DataNodes that get blocks of ordinary files: those in service that have a disk. */
  public List<TopologyNode> withDisk() {
    List<TopologyNode> found = serving();
    found.removeIf(node -> !node.types().contains(TopologyNode.DISK));
    return found;
  }
}
