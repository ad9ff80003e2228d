package io.evenkeel.mover.core.plan;

import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A live DataNode as a place for replicas. Immutable. */
public final class NodeView {
  /** Whether a node may be given replicas. */
  public enum Use {
    /** As usual. */
    TARGET,
    /** Slow or stale: only where no other node will do. */
    LAST_CHOICE,
    /** Decommissioning, in maintenance or excluded: replicas may leave it, none may come. */
    SOURCE_ONLY
  }

  private final String uuid;
  private final String location;
  private final String host;
  private final Use use;
  private final Map<String, List<Long>> remaining;

  /**
   * Creates it.
   *
   * @param uuid UUID of the DataNode
   * @param location network location, such as {@code /rack1} or {@code /rack1/group2}
   * @param host what must not hold two replicas of a block: the node group where the topology has
   *     them, else the DataNode itself
   * @param remaining free bytes of its volumes by storage type; a type it lacks is absent
   */
  public NodeView(
      String uuid, String location, String host, Use use, Map<String, List<Long>> remaining) {
    this.uuid = uuid;
    this.location = location;
    this.host = host;
    this.use = use;
    this.remaining = Collections.unmodifiableMap(new HashMap<>(remaining));
  }

  /** UUID of the DataNode. */
  public String uuid() {
    return uuid;
  }

  /** Network location. */
  public String location() {
    return location;
  }

  /** What must not hold two replicas of a block. */
  public String host() {
    return host;
  }

  /** Whether it may be given replicas. */
  public Use use() {
    return use;
  }

  /** Free bytes of its volumes by storage type. */
  public Map<String, List<Long>> remaining() {
    return remaining;
  }
}
