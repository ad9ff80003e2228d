package io.evenkeel.placement.core;

/**
 * What a NameNode knows of its DataNodes at this moment, by their number in a {@link HostTopology}.
 * Asked with a lock held: answers come from memory, do not block and do not throw.
 */
public interface DataNodeStats {
  /** All storage types: of a DataNode that has reported none yet. */
  int UNKNOWN_TYPES = -1;

  /** Blocks given to the DataNode that it has not reported yet; at least 0. */
  int scheduled(int node);

  /** Whether it may be given blocks at all: alive and neither leaving nor in maintenance. */
  boolean inService(int node);

  /** Its storage types, one bit per ordinal, or {@link #UNKNOWN_TYPES}. */
  int types(int node);

  /** Those of its storage types without room for an ordinary block. */
  int fullTypes(int node);

  /** What it can take compared with others: any unit, above 0. */
  double weight(int node);

  /**
   * The same of one storage type: a DataNode without the type is not in service there and has
   * weight 0, and its other types count for nothing. Asked of engines that balance every storage
   * type by itself.
   *
   * @param type bit number
   */
  default DataNodeStats of(int type) {
    throw new UnsupportedOperationException("one storage type alone is not known");
  }
}
