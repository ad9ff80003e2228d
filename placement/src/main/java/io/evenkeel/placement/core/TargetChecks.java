package io.evenkeel.placement.core;

/** How a NameNode judges the DataNodes chosen for one block: takes them, or says why not. */
public interface TargetChecks {
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
  Refusal take(int node, int type, boolean local);

  /** DataNodes that must not have a replica beside one on {@code node}, other than by its host. */
  default int[] dependents(int node) {
    return new int[0];
  }
}
