package io.evenkeel.placement.core;

/** Why a DataNode that the rules allow was not given a replica. */
public enum Refusal {
  /** It is leaving, in maintenance, or dead. */
  NOT_IN_SERVICE,
  /** It has not sent a heartbeat for some time. */
  STALE,
  /** It has more transfers than its share, or counts as slow. */
  BUSY_OR_SLOW,
  /** No volume of the storage type has room. */
  NO_SPACE
}
