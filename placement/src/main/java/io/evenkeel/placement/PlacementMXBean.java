package io.evenkeel.placement;

import java.util.Map;

/**
 * What the uniform placement policies of a NameNode do, as {@code
 * io.evenkeel:type=Placement,module=placement} in JMX. Counts are since the NameNode started.
 */
public interface PlacementMXBean {
  /** Choices, each for one or more replicas or internal blocks of a block. */
  long getChoices();

  /** Replicas and internal blocks chosen. */
  long getReplicas();

  /** Choices with fewer replicas than wanted. */
  long getShortChoices();

  /** Mean time of a choice in microseconds; 0 before the first. */
  double getMicrosPerChoice();

  /** How often DataNodes refused, by reason. */
  Map<String, Long> getRefusals();

  /** How often a wish or rule gave way, by which. */
  Map<String, Long> getRelaxations();

  /**
   * Checks of blocks on too few hosts or racks that were called satisfied because it depends on the
   * storage types of the replicas, which such a check is not told, whether there are more. fsck
   * knows them.
   */
  long getUndecidedChecks();

  /**
   * Blocks that a failover to this NameNode, or its restart, would have copied: an estimate by a
   * sample, made once the NameNode knows its blocks; -1 before.
   */
  long getMisplacedBlocksEstimate();

  /**
   * DataNodes that are on other hosts than when they registered, by what the mapping says now; see
   * {@code evenkeel.placement.location-check}.
   */
  int getMovedDataNodes();

  /**
   * Blocks with two replicas on one host because DataNodes have moved, about; -1 while they are
   * counted.
   */
  long getBlocksDoubledByMoves();

  /** Replicas on the fullest DataNode over the mean, per unit of weight; 0 without any. */
  double getReplicasMaxOverMean();

  /** Blocks in flight on the busiest DataNode over the mean, per unit of weight; 0 without any. */
  double getInFlightMaxOverMean();

  /**
   * With {@code evenkeel.placement.observe-only}: blocks for which stock's choice and ours were
   * compared (COMPARED) and not (NOT_COMPARED), and for how many of the former the choice shares a
   * host, is in one rack, or has fewer replicas than wanted (STOCK_SHARED_HOST, OURS_SHARED_HOST
   * and so on). Empty without.
   */
  Map<String, Long> getObserved();

  /** With observe-only: new replicas on the DataNode stock gave most, over the mean; else 0. */
  double getObservedStockMaxOverMean();

  /** The same for the choices of this policy. */
  double getObservedOursMaxOverMean();

  /** DataNodes known. */
  int getDataNodes();

  /** Hosts that could take a replica when last looked at. */
  int getEligibleHosts();

  /** Racks that could take a replica when last looked at. */
  int getEligibleRacks();

  /** What tells hosts apart: node-group, address, hostname or none; unknown before a choice. */
  String getHostKey();
}
