package io.evenkeel.mover.core.plan;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** The live DataNodes at one moment. Immutable. */
public final class ClusterView {
  /** How far apart two DataNodes are, nearest first. */
  enum Distance {
    SAME_NODE_GROUP,
    SAME_RACK,
    OTHER
  }

  private final Map<String, NodeView> nodes = new LinkedHashMap<>();
  private final boolean nodeGroups;
  private final boolean pinning;
  private final long roomForRemote;

  /**
   * Creates it.
   *
   * @param nodeGroups whether the last part of a location is a node group
   * @param pinning whether DataNodes may have replicas that are not to leave them
   * @param roomForRemote free bytes a volume must have for any replica that comes from another
   *     DataNode, however short it is
   */
  public ClusterView(
      Collection<NodeView> nodes, boolean nodeGroups, boolean pinning, long roomForRemote) {
    for (NodeView node : nodes) {
      this.nodes.put(node.uuid(), node);
    }
    this.nodeGroups = nodeGroups;
    this.pinning = pinning;
    this.roomForRemote = roomForRemote;
  }

  /** The node, null when it is not live. */
  public NodeView node(String uuid) {
    return nodes.get(uuid);
  }

  /** Network location of a replica's DataNode; empty when that is not live. */
  String locationOf(Replica replica) {
    NodeView node = node(replica.node());
    return node == null ? "" : node.location();
  }

  /** How far apart two nodes are. */
  Distance distance(NodeView a, NodeView b) {
    if (nodeGroups && a.location().equals(b.location())) {
      return Distance.SAME_NODE_GROUP;
    }
    return rack(a).equals(rack(b)) ? Distance.SAME_RACK : Distance.OTHER;
  }

  /** Where its rack is. */
  String rack(NodeView node) {
    String location = node.location();
    int end = nodeGroups ? location.lastIndexOf('/') : -1;
    return end > 0 ? location.substring(0, end) : location;
  }

  /** All live nodes. */
  public Collection<NodeView> nodes() {
    return Collections.unmodifiableCollection(nodes.values());
  }

  /** Whether the last part of a location is a node group. */
  public boolean hasNodeGroups() {
    return nodeGroups;
  }

  /** Whether DataNodes may have replicas that are not to leave them. */
  public boolean hasPinning() {
    return pinning;
  }

  /** Free bytes a volume must have for any replica that comes from another DataNode. */
  public long roomForRemote() {
    return roomForRemote;
  }
}
