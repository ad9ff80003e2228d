package io.evenkeel.placement.core;

import java.util.Arrays;

/**
 * What the next replica of one block asks of a DataNode, and which DataNodes are out of the
 * question for this block. Confined to one placement.
 */
final class Demand {
  private final ClusterView view;
  private final long[] refused;
  private int[] chosen;
  private int count;
  private int[] softHosts = new int[0];

  /** Storage types of which a DataNode must have one, as bits. */
  int types = -1;

  /** Most replicas of the block on one host. */
  int hostLimit = 1;

  /** Most replicas of the block in one rack. */
  int rackLimit = Integer.MAX_VALUE;

  /** Whether hosts in maintenance that hold a replica are kept free. */
  boolean avoidSoftHosts;

  Demand(ClusterView view, int expected) {
    this.view = view;
    this.refused = new long[(view.nodes() >> 6) + 1];
    this.chosen = new int[Math.max(4, expected)];
  }

  boolean admits(int node, int typesOfNode) {
    return (typesOfNode & types) != 0
        && (refused[node >> 6] & (1L << node)) == 0
        && (!avoidSoftHosts || !soft(node))
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

  private boolean soft(int node) {
    int host = view.hostOf(node);
    for (int soft : softHosts) {
      if (soft == host) {
        return true;
      }
    }
    return false;
  }

  /** The DataNode is not asked again for this block. */
  void refuse(int node) {
    refused[node >> 6] |= 1L << node;
  }

  /** Its host counts as occupied as long as there is another. */
  void softHost(int host) {
    softHosts = Arrays.copyOf(softHosts, softHosts.length + 1);
    softHosts[softHosts.length - 1] = host;
  }

  boolean anySoftHost() {
    return softHosts.length > 0;
  }

  /** Whether the replica chosen last is on one of those hosts. */
  boolean lastOnSoftHost() {
    return count > 0 && soft(chosen[count - 1]);
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
