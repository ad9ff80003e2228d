package io.evenkeel.placement;

import java.util.Map;

/**
 * What the uniform placement policies of a NameNode do, as {@code
 * io.evenkeel:type=Placement,module=placement} in JMX. Counts are since the NameNode started.
 */
public interface PlacementMXBean {
  /** Choices, each for one or more replicas or units of a block. */
  long getChoices();

  /** Replicas and units chosen. */
  long getReplicas();

  /** Choices with fewer replicas than wanted. */
  long getShortChoices();

  /** Mean time of a choice in microseconds; 0 before the first. */
  double getMicrosPerChoice();

  /** How often DataNodes refused, by reason. */
  Map<String, Long> getRefusals();

  /** How often a wish or rule gave way, by which. */
  Map<String, Long> getRelaxations();

  /** Replicas on the fullest DataNode over the mean, per unit of weight; 0 without any. */
  double getReplicasMaxOverMean();

  /** Blocks in flight on the busiest DataNode over the mean, per unit of weight; 0 without any. */
  double getInFlightMaxOverMean();

  /** DataNodes known. */
  int getDataNodes();

  /** Hosts that could take a replica when last looked at. */
  int getEligibleHosts();

  /** Racks that could take a replica when last looked at. */
  int getEligibleRacks();

  /** What tells hosts apart: node-group, address, hostname or none; unknown before a choice. */
  String getHostKey();
}
