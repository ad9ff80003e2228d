package io.evenkeel.placement.core;

/** A wish or rule that had to give way for a replica, because nothing better was eligible. */
public enum Relaxation {
  /** The third replica is not in the rack it belongs to: that rack has no other eligible host. */
  SHAPE,
  /** The replica is not on the writer's DataNode or host although the writer has one. */
  NOT_LOCAL,
  /** All replicas are in one rack: no other rack is eligible. */
  ONE_RACK,
  /** A replica beside one on a host in maintenance. */
  MAINTENANCE_HOST,
  /** Two replicas on one host. Units of striped blocks share hosts by plan and are not counted. */
  SHARED_HOST
}
