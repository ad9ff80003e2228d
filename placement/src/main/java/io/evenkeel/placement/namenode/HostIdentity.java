package io.evenkeel.placement.namenode;

import io.evenkeel.placement.core.EligibleHosts;
import io.evenkeel.placement.core.HostTopology.Place;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.net.NetworkTopology;
import org.apache.hadoop.net.NodeBase;

/**
 * What makes two DataNodes one host, and where the rack ends in a network location. Keys are full
 * paths or prefixed names, so that node groups of the same name in two racks differ. Immutable.
 */
public final class HostIdentity {
  /** Location of storage outside HDFS (ProvidedDescriptor). */
  private static final String REMOTE = "/REMOTE";

  /**
   * Other replicas of a block that has no more than three. The Balancer and the Mover ask the
   * policy of replicated blocks about internal blocks of striped ones, too, and do not say which it
   * is; the NameNode would bring an internal block back to a rack of its own, without end.
   */
  private static final int MOST_OTHERS = 2;

  /** What tells hosts apart. */
  public enum Kind {
    /** The network location. */
    NODE_GROUP,
    /** The address of the DataNode. */
    ADDRESS,
    /** The host name of the DataNode. */
    HOSTNAME,
    /** Every DataNode is its own host. */
    NONE;

    /** As in {@code evenkeel.placement.host-key}. */
    public String key() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  private final Kind kind;
  private final boolean nodeGroupsInPath;
  private final boolean trusted;
  private final Map<String, Move> moves; // by DataNode UUID

  private HostIdentity(
      Kind kind, boolean nodeGroupsInPath, boolean trusted, Map<String, Move> moves) {
    this.kind = kind;
    this.nodeGroupsInPath = nodeGroupsInPath;
    this.trusted = trusted;
    this.moves = moves;
  }

  /** That a DataNode is on another host than when it registered. Immutable. */
  static final class Move {
    private final String from;
    private final String to;

    /** {@code from} is the network location it registered with; {@code to} where it is now. */
    Move(String from, String to) {
      this.from = from;
      this.to = to;
    }

    String from() {
      return from;
    }

    String to() {
      return to;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Move
          && from.equals(((Move) other).from)
          && to.equals(((Move) other).to);
    }

    @Override
    public int hashCode() {
      return Objects.hash(from, to);
    }
  }

  /** Keys of one kind; {@code nodeGroupsInPath} when locations end with a node group. */
  public static HostIdentity of(Kind kind, boolean nodeGroupsInPath) {
    return new HostIdentity(kind, nodeGroupsInPath, true, Collections.emptyMap());
  }

  /** Addresses that nobody asked for: not used when they turn out to be those of a proxy or NAT. */
  public static HostIdentity guessed() {
    return new HostIdentity(Kind.ADDRESS, false, false, Collections.emptyMap());
  }

  /** Whether they hold for these DataNodes: no guessed key stands for more than half of them. */
  boolean holdFor(List<? extends DatanodeInfo> nodes) {
    if (trusted) {
      return true;
    }
    Map<String, Integer> counts = new HashMap<>();
    nodes.forEach(n -> counts.merge(host(n), 1, Integer::sum));
    int most = counts.values().stream().max(Integer::compare).orElse(0);
    return most <= 1 || 2 * most <= nodes.size();
  }

  /** The same, with every DataNode its own host. */
  HostIdentity withoutHosts() {
    return new HostIdentity(Kind.NONE, nodeGroupsInPath, true, Collections.emptyMap());
  }

  /**
   * The same, with DataNodes that have moved, by their UUIDs. Only what is told apart by node
   * groups has any: an address moves with its machine.
   */
  HostIdentity with(Map<String, Move> moved) {
    return kind == Kind.NODE_GROUP
        ? new HostIdentity(kind, nodeGroupsInPath, trusted, moved)
        : this;
  }

  /** DataNodes that have moved since they registered, by their UUIDs. */
  Map<String, Move> moves() {
    return moves;
  }

  /** Key of the rack of a DataNode. */
  public String rack(DatanodeInfo node) {
    return rackOf(node.getNetworkLocation());
  }

  /** Key of the rack of a network location. */
  public String rackOf(String location) {
    if (location == null) {
      return NetworkTopology.DEFAULT_RACK;
    }
    int last = location.lastIndexOf(NodeBase.PATH_SEPARATOR);
    return nodeGroupsInPath && last > 0 ? location.substring(0, last) : location;
  }

  /** Key of the host of a DataNode, where it is now. */
  public String host(DatanodeInfo node) {
    switch (kind) {
      case NODE_GROUP:
        Move move = moves.isEmpty() ? null : moves.get(node.getDatanodeUuid());
        boolean holds = move != null && move.from().equals(node.getNetworkLocation());
        return holds ? move.to() : node.getNetworkLocation();
      case ADDRESS:
        return usable(node, node.getIpAddr()) ? "address:" + node.getIpAddr() : alone(node);
      case HOSTNAME:
        return usable(node, node.getHostName()) ? "name:" + node.getHostName() : alone(node);
      default:
        return alone(node);
    }
  }

  /** Whether a replica on {@code node} keeps hosts apart and the limit per rack. */
  public boolean fits(DatanodeDescriptor node, int maxPerRack, List<DatanodeStorageInfo> results) {
    int inRack = 1;
    for (DatanodeStorageInfo result : results) {
      DatanodeDescriptor other = result.getDatanodeDescriptor();
      inRack += rack(node).equals(rack(other)) ? 1 : 0;
      if (other != node && host(node).equals(host(other))) {
        return false;
      }
    }
    return inRack <= maxPerRack;
  }

  /**
   * Whether a replica may move, see {@link EligibleHosts#movable}. As with stock racks may get
   * fewer only with node groups, and here no fewer than two.
   *
   * @param striped whether the block is known to be striped
   */
  public boolean movable(
      Collection<DatanodeInfo> replicas,
      DatanodeInfo source,
      DatanodeInfo target,
      boolean striped) {
    List<Place> others = new ArrayList<>();
    for (DatanodeInfo replica : replicas) {
      if (!replica.equals(source) && !replica.equals(target)) {
        others.add(place(replica));
      }
    }
    boolean keepsRacks = striped || !nodeGroupsInPath || others.size() > MOST_OTHERS;
    int racks = keepsRacks ? Integer.MAX_VALUE : 2;
    return EligibleHosts.movable(others, place(source), place(target), racks);
  }

  /** Where a DataNode is. */
  Place place(DatanodeInfo node) {
    return new Place(rack(node), host(node));
  }

  private static String alone(DatanodeInfo node) {
    return "node:" + node.getDatanodeUuid();
  }

  /** Loopback, nothing and storage outside HDFS say nothing about a host. */
  private static boolean usable(DatanodeInfo node, String key) {
    return key != null
        && !key.isEmpty()
        && !key.startsWith("127.")
        && !key.startsWith("localhost")
        && !key.equals("::1")
        && !key.equals("0:0:0:0:0:0:0:1")
        && !REMOTE.equals(node.getNetworkLocation());
  }

  /** What tells hosts apart. */
  public Kind kind() {
    return kind;
  }

  /** Whether locations end with a node group. */
  public boolean nodeGroupsInPath() {
    return nodeGroupsInPath;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof HostIdentity
        && kind == ((HostIdentity) other).kind
        && nodeGroupsInPath == ((HostIdentity) other).nodeGroupsInPath
        && trusted == ((HostIdentity) other).trusted
        && moves.equals(((HostIdentity) other).moves);
  }

  @Override
  public int hashCode() {
    return Objects.hash(kind, nodeGroupsInPath, trusted, moves);
  }
}
