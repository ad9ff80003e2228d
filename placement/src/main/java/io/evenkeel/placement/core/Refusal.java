package io.evenkeel.placement.core;

/** Why replicas are missing, in stock's words where it has any. */
public enum Refusal {
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
  /** No DataNode in service has the storage type; once for a placement that came out short. */
  NO_REQUIRED_STORAGE_TYPE,
  /** Those that have it are excluded, or no rule for hosts and racks allows them; alike. */
  NO_OTHER_HOST_OR_RACK
}
