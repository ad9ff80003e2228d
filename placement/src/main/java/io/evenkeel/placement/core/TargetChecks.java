package io.evenkeel.placement.core;

/** How a NameNode judges the DataNodes chosen for one block: takes them, or says why not. */
public interface TargetChecks {
  /**
   * Why DataNodes were not chosen, or replicas are missing: the words of {@code
   * BlockPlacementPolicy.NodeNotChosenReason} where that has any.
   */
  enum NotChosenReason {
    /** A DataNode is leaving, in maintenance, or dead. */
    NOT_IN_SERVICE,
    /** A DataNode missed heartbeats. */
    NODE_STALE,
    /** A DataNode has more transfers than its share, of all or per volume. */
    NODE_TOO_BUSY,
    /** Other DataNodes reported it as slow. */
    NODE_SLOW,
    /** No volume of the storage type has room. */
    NOT_ENOUGH_STORAGE_SPACE,
    /** No DataNode in service has the storage type; once for a choice that came out short. */
    NO_REQUIRED_STORAGE_TYPE,
    /** Those that have it are excluded, or no rule for hosts and racks allows them; alike. */
    NO_OTHER_HOST_OR_RACK
  }

  /**
   * The storage types that replicas are still wanted on, as bits; the lowest bit is tried first.
   */
  int wantedTypes();

  /**
   * Takes a DataNode as the next target.
   *
   * @param type bit number of the storage type, one that is wanted
   * @param local whether it is taken for being near the writer, then its load does not matter
   * @return null when it was taken
   */
  NotChosenReason take(int node, int type, boolean local);

  /** DataNodes that must not have a replica beside one on {@code node}, other than by its host. */
  default int[] dependents(int node) {
    return new int[0];
  }
}
