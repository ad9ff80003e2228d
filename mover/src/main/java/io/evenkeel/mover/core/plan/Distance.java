package io.evenkeel.mover.core.plan;

/** How far apart two DataNodes are, nearest first. */
enum Distance {
  SAME_NODE_GROUP,
  SAME_RACK,
  OTHER;

  /**
   * The distance of two nodes.
   *
   * @param nodeGroups whether the last part of a location is a node group
   */
  static Distance between(NodeView a, NodeView b, boolean nodeGroups) {
    if (nodeGroups && a.location().equals(b.location())) {
      return SAME_NODE_GROUP;
    }
    return rack(a, nodeGroups).equals(rack(b, nodeGroups)) ? SAME_RACK : OTHER;
  }

  /** The rack a node is in. */
  static String rack(NodeView node, boolean nodeGroups) {
    String location = node.location();
    int end = nodeGroups ? location.lastIndexOf('/') : -1;
    return end > 0 ? location.substring(0, end) : location;
  }
}
