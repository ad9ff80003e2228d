package io.evenkeel.placement.core;

import java.util.Arrays;

/**
 * Replicas chosen so far for one block, DataNodes ruled out for it, and the limits per host and
 * rack. Confined to one placement.
 */
final class Constraints {
  private final ClusterView view;
  private final long[] refused;
  private int[] chosen;
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

  /** Whether each DataNode is asked in the end, see {@link Tuning#mostRefusals}. */
  boolean everyone;

  /** Whether some were not asked since too many had refused. */
  boolean gaveUp;

  /** Most replicas of the block on one host. */
  int hostLimit = 1;

  /** Most replicas of the block in one rack. */
  int rackLimit = Integer.MAX_VALUE;

  /** Whether hosts in maintenance that hold a replica are kept free. */
  boolean avoidMaintenanceHosts;

  Constraints(ClusterView view, int expected) {
    this.view = view;
    this.refused = new long[(view.nodes() >> 6) + 1];
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
    int rack = view.rackOf(node);
    for (int i = 0; i < count; i++) {
      if (view.rackOf(chosen[i]) == rack) {
        inRack++;
      }
      if (view.sameHost(chosen[i], node)) {
        onHost++;
      }
    }
    return onHost < hostLimit && inRack < rackLimit;
  }

  private boolean onMaintenanceHost(int node) {
    int host = view.hostOf(node);
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
      int rack = view.rackOf(chosen[i]);
      int host = view.hostOf(chosen[i]);
      if (inRack(rack) >= rackLimit) {
        close(view.firstNodeOfRack(rack), view.endOfRack(rack));
      } else if (onHost(host) >= hostLimit) {
        closeHost(host);
      }
    }
    for (int i = 0; avoidMaintenanceHosts && i < maintenanceHosts.length; i++) {
      closeHost(maintenanceHosts[i]);
    }
  }

  private void closeHost(int host) {
    close(view.firstNodeOfHost(host), view.firstNodeOfHost(host + 1));
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
      found += view.hostOf(chosen[i]) == host ? 1 : 0;
    }
    return found;
  }

  /** The DataNode is not asked again for this block. */
  void refuse(int node) {
    refused[node >> 6] |= 1L << node;
  }

  /** A DataNode that was chosen refused the block. */
  void refusedBy(int node) {
    refuse(node);
    refusals++;
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

  /** The DataNode has a replica of the block. */
  void chose(int node) {
    if (count == chosen.length) {
      chosen = Arrays.copyOf(chosen, 2 * count);
    }
    chosen[count++] = node;
    refuse(node);
  }

  int chosenCount() {
    return count;
  }

  int chosen(int i) {
    return chosen[i];
  }

  /** The rack that holds all replicas so far, or -1. */
  int onlyRack() {
    int rack = count == 0 ? -1 : view.rackOf(chosen[0]);
    for (int i = 1; i < count; i++) {
      if (view.rackOf(chosen[i]) != rack) {
        return -1;
      }
    }
    return rack;
  }

  /** Whether none of those chosen before the i-th is in its rack. */
  boolean firstInRack(int i) {
    int rack = view.rackOf(chosen[i]);
    for (int j = 0; j < i; j++) {
      if (view.rackOf(chosen[j]) == rack) {
        return false;
      }
    }
    return true;
  }

  /** Replicas of the block in a rack. */
  int inRack(int rack) {
    int found = 0;
    for (int i = 0; i < count; i++) {
      if (view.rackOf(chosen[i]) == rack) {
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
        seen = view.sameHost(chosen[i], chosen[j]);
      }
      hosts += seen ? 0 : 1;
    }
    return hosts;
  }

  /** Most replicas of the block on one host. */
  int mostOnOneHost() {
    int most = 0;
    for (int i = 0; i < count; i++) {
      int same = 0;
      for (int j = 0; j < count; j++) {
        same += view.sameHost(chosen[i], chosen[j]) ? 1 : 0;
      }
      most = Math.max(most, same);
    }
    return most;
  }
}
