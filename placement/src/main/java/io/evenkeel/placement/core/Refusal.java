package io.evenkeel.placement.core;

/**
 * Why a DataNode that the rules allow was not given a replica, in stock's words where it has any.
 */
public enum Refusal {
  /** It is leaving, in maintenance, or dead. */
  NOT_IN_SERVICE,
  /** It has more transfers than its share, missed heartbeats, or counts as slow. */
  NODE_TOO_BUSY_STALE_OR_SLOW,
  /** No volume of the storage type has room. */
  NOT_ENOUGH_STORAGE_SPACE,
  /** No eligible DataNode has the storage type. */
  NO_REQUIRED_STORAGE_TYPE
}
