package io.evenkeel.placement.core;

import io.evenkeel.placement.core.TargetChecks.NotChosenReason;
import java.util.Arrays;

/**
 * The targets of one block: those it has and those it is given, the DataNodes ruled out for it with
 * their reasons, and the limits per host and rack. Scarcity is a value: fewer targets than asked
 * for. Confined to the thread that places the block.
 */
public final class BlockTargets {
  /** A wish or rule that had to give way for a replica, because nothing better was eligible. */
  public enum Relaxation {
    /** The third replica is not in the rack it belongs to: that has no other eligible host. */
    SHAPE,
    /** The replica is not on the writer's DataNode or host although the writer has one. */
    NOT_LOCAL,
    /** All replicas are in one rack: no other rack is eligible. */
    ONE_RACK,
    /** A replica beside one on a host in maintenance. */
    MAINTENANCE_HOST,
    /** Two replicas on one host. Not counted of internal blocks, which may share hosts. */
    SHARED_HOST
  }

  private final HostTopology topology;
  private final long[] refused;
  private final int[] reasons = new int[NotChosenReason.values().length];
  private final int[] relaxations = new int[Relaxation.values().length];
  private int[] chosen;
  private int before; // of the chosen: those that had a replica
  private int count;
  private int[] maintenanceHosts = new int[0];
  private int refusals;

  /** Parts of the cluster that the limits close to the block: [from, to) of DataNodes, sorted. */
  private int[] closedFrom = new int[4];

  private int[] closedTo = new int[4];
  private int closed;

  /** The storage type a DataNode must have, as bit number. */
  int type;

  /** The number of this block among those that were refused; 0 before. Kept by the load table. */
  long round;

  /** Whether each DataNode is asked in the end, see {@link LoadTable#MOST_REFUSALS}. */
  boolean everyone;

  /** Whether some were not asked since too many had refused. */
  boolean gaveUp;

  /** Most replicas of the block on one host. */
  int hostLimit = 1;

  /** The storage type of two replicas that will follow in another rack, as bit number. */
  int pairType;

  /** Most replicas of the block in one rack. */
  int rackLimit = Integer.MAX_VALUE;

  /** Whether hosts in maintenance that hold a replica are kept free. */
  boolean avoidMaintenanceHosts;

  BlockTargets(HostTopology topology, int expected) {
    this.topology = topology;
    this.refused = new long[(topology.nodes() >> 6) + 1];
    this.chosen = new int[Math.max(4, expected)];
  }

  /** Whether a DataNode may be asked, whatever its storage types. */
  boolean admits(int node) {
    return (refused[node >> 6] & (1L << node)) == 0
        && (!avoidMaintenanceHosts || !onMaintenanceHost(node))
        && withinLimits(node);
  }

  private boolean withinLimits(int node) {
    int onHost = 0;
    int inRack = 0;
    int rack = topology.rackOf(node);
    for (int i = 0; i < count; i++) {
      if (topology.rackOf(chosen[i]) == rack) {
        inRack++;
      }
      if (topology.sameHost(chosen[i], node)) {
        onHost++;
      }
    }
    return onHost < hostLimit && inRack < rackLimit;
  }

  private boolean onMaintenanceHost(int node) {
    int host = topology.hostOf(node);
    for (int other : maintenanceHosts) {
      if (other == host) {
        return true;
      }
    }
    return false;
  }

  /**
   * Finds what the limits close as a whole, so that a search need not look at the DataNodes there
   * one by one; to be called after they changed. What {@link #admits} is the same without.
   */
  void close() {
    closed = 0;
    for (int i = 0; i < count; i++) {
      int rack = topology.rackOf(chosen[i]);
      int host = topology.hostOf(chosen[i]);
      if (inRack(rack) >= rackLimit) {
        close(topology.firstNodeOfRack(rack), topology.endOfRack(rack));
      } else if (onHost(host) >= hostLimit) {
        closeHost(host);
      }
    }
    for (int i = 0; avoidMaintenanceHosts && i < maintenanceHosts.length; i++) {
      closeHost(maintenanceHosts[i]);
    }
  }

  private void closeHost(int host) {
    close(topology.firstNodeOfHost(host), topology.firstNodeOfHost(host + 1));
  }

  private void close(int from, int to) {
    if (closed == closedFrom.length) {
      closedFrom = Arrays.copyOf(closedFrom, 2 * closed);
      closedTo = Arrays.copyOf(closedTo, 2 * closed);
    }
    int at = closed++;
    for (; at > 0 && closedFrom[at - 1] > from; at--) {
      closedFrom[at] = closedFrom[at - 1];
      closedTo[at] = closedTo[at - 1];
    }
    closedFrom[at] = from;
    closedTo[at] = to;
  }

  /** Where the i-th closed part begins; beyond all DataNodes after the last one. */
  int closedFrom(int i) {
    return i < closed ? closedFrom[i] : Integer.MAX_VALUE;
  }

  /** The DataNode after the i-th closed part. */
  int closedTo(int i) {
    return i < closed ? closedTo[i] : Integer.MAX_VALUE;
  }

  private int onHost(int host) {
    int found = 0;
    for (int i = 0; i < count; i++) {
      found += topology.hostOf(chosen[i]) == host ? 1 : 0;
    }
    return found;
  }

  /** The DataNode is not asked again for this block. */
  void refuse(int node) {
    refused[node >> 6] |= 1L << node;
  }

  /** A DataNode was asked to take the block, and does not. */
  void refusedBy(int node, NotChosenReason reason) {
    refuse(node);
    refusals++;
    add(reason);
  }

  /** Nothing was chosen for a reason that is not that of a DataNode asked. */
  void add(NotChosenReason reason) {
    reasons[reason.ordinal()]++;
  }

  void add(Relaxation relaxation) {
    relaxations[relaxation.ordinal()]++;
  }

  /** How many DataNodes refused the block. */
  int refusals() {
    return refusals;
  }

  /** Its host counts as occupied as long as there is another. */
  void maintenanceHost(int host) {
    maintenanceHosts = Arrays.copyOf(maintenanceHosts, maintenanceHosts.length + 1);
    maintenanceHosts[maintenanceHosts.length - 1] = host;
  }

  boolean anyMaintenanceHost() {
    return maintenanceHosts.length > 0;
  }

  /** Whether the replica chosen last is on one of those hosts. */
  boolean lastOnMaintenanceHost() {
    return count > 0 && onMaintenanceHost(chosen[count - 1]);
  }

  /** The DataNode had a replica of the block before; not to be called once one was chosen. */
  void had(int node) {
    chose(node);
    before = count;
  }

  /** The DataNode is given a replica of the block. */
  void chose(int node) {
    if (count == chosen.length) {
      chosen = Arrays.copyOf(chosen, 2 * count);
    }
    chosen[count++] = node;
    refuse(node);
  }

  /** How many replicas the block has, those that existed included. */
  int replicas() {
    return count;
  }

  int chosen(int i) {
    return chosen[i];
  }

  /** The rack that holds all replicas so far, or -1. */
  int onlyRack() {
    int rack = count == 0 ? -1 : topology.rackOf(chosen[0]);
    for (int i = 1; i < count; i++) {
      if (topology.rackOf(chosen[i]) != rack) {
        return -1;
      }
    }
    return rack;
  }

  /** Whether none of those chosen before the i-th is in its rack. */
  boolean firstInRack(int i) {
    int rack = topology.rackOf(chosen[i]);
    for (int j = 0; j < i; j++) {
      if (topology.rackOf(chosen[j]) == rack) {
        return false;
      }
    }
    return true;
  }

  /** Replicas of the block in a rack. */
  int inRack(int rack) {
    int found = 0;
    for (int i = 0; i < count; i++) {
      if (topology.rackOf(chosen[i]) == rack) {
        found++;
      }
    }
    return found;
  }

  /** How many hosts have a replica of the block. */
  int hostsInUse() {
    int hosts = 0;
    for (int i = 0; i < count; i++) {
      boolean seen = false;
      for (int j = 0; j < i && !seen; j++) {
        seen = topology.sameHost(chosen[i], chosen[j]);
      }
      hosts += seen ? 0 : 1;
    }
    return hosts;
  }

  /** Most replicas of the block on one host, those that existed included. */
  public int mostOnOneHost() {
    int most = 0;
    for (int i = 0; i < count; i++) {
      int same = 0;
      for (int j = 0; j < count; j++) {
        same += topology.sameHost(chosen[i], chosen[j]) ? 1 : 0;
      }
      most = Math.max(most, same);
    }
    return most;
  }

  /** Whether some DataNodes were not asked since too many had refused. */
  public boolean gaveUp() {
    return gaveUp;
  }

  /** The DataNodes chosen, in order, without those that had a replica before. */
  public int[] nodes() {
    return Arrays.copyOfRange(chosen, before, count);
  }

  /** How many were chosen. */
  public int size() {
    return count - before;
  }

  /** How many DataNodes were not chosen for this reason. */
  public int refusals(NotChosenReason reason) {
    return reasons[reason.ordinal()];
  }

  /** How often this wish or rule gave way. */
  public int relaxations(Relaxation relaxation) {
    return relaxations[relaxation.ordinal()];
  }

  /** The reasons with their numbers, as in {@code NOT_IN_SERVICE=3}. */
  public String reasons() {
    StringBuilder text = new StringBuilder();
    for (NotChosenReason reason : NotChosenReason.values()) {
      if (refusals(reason) > 0) {
        text.append(text.length() == 0 ? "" : ", ");
        text.append(reason).append('=').append(refusals(reason));
      }
    }
    return text.toString();
  }
}
