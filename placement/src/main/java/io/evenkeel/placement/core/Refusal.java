package io.evenkeel.placement.core;

/** Why a DataNode that the rules allow was not given a replica. */
public enum Refusal {
  /** It is leaving, in maintenance, or dead. */
  NOT_IN_SERVICE,
  /** It has more transfers than its share, missed heartbeats, or counts as slow. */
  BUSY_STALE_OR_SLOW,
  /** No volume of the storage type has room. */
  NO_SPACE
}
