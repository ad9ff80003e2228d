package io.evenkeel.placement.core;

import java.util.Arrays;

/**
 * What is asked for one block. Fill in and hand over; not to be changed afterwards.
 *
 * <p>DataNodes, hosts and racks are numbers of the {@link HostTopology}; -1 stands for none.
 */
public final class BlockRequest {
  /** Who writes, relative to the cluster. */
  public enum Writer {
    /** No DataNode and on none of their hosts: every DataNode is as good. */
    OUTSIDE,
    /** On the DataNode {@link #writerNode}. */
    ON_NODE,
    /** On the host {@link #writerHost}; its DataNodes are equally near. */
    ON_HOST,
    /** In the rack {@link #writerRack}. */
    IN_RACK,
    /** In that rack, which is used while it is not much more loaded than others. */
    NEAR_RACK
  }

  final int replicas;
  Writer writer = Writer.OUTSIDE;
  int writerNode = -1;
  int writerHost = -1;
  int writerRack = -1;
  boolean hostByLoad = true;
  boolean newBlock = true;
  int sharedHostsAfter;
  int rackLimit = Integer.MAX_VALUE;
  int[] chosen = new int[0];
  int[] excluded = new int[0];
  int[] maintenanceHosts = new int[0];
  boolean everyone;

  /** A request for that many replicas more, at least 1. */
  public BlockRequest(int replicas) {
    this.replicas = replicas;
  }

  /** The writer is on this DataNode. */
  public BlockRequest writtenOn(HostTopology topology, int node) {
    writer = Writer.ON_NODE;
    writerNode = node;
    writerHost = topology.hostOf(node);
    writerRack = topology.rackOf(node);
    return this;
  }

  /**
   * The writer is on this host, as near to one of its DataNodes as to another.
   *
   * @param byLoad whether their load matters as for any other DataNode
   */
  public BlockRequest writtenOnHost(HostTopology topology, int host, boolean byLoad) {
    writer = Writer.ON_HOST;
    hostByLoad = byLoad;
    writerHost = host;
    writerRack = topology.rackOfHost(host);
    return this;
  }

  /**
   * The writer is somewhere in this rack.
   *
   * @param balanced whether the rack is used only while it is not much more loaded than others
   */
  public BlockRequest writtenInRack(int rack, boolean balanced) {
    writer = balanced ? Writer.NEAR_RACK : Writer.IN_RACK;
    writerRack = rack;
    return this;
  }

  /** DataNodes that have a replica already; the block is then not a new one. */
  public BlockRequest chosen(int... nodes) {
    chosen = nodes;
    newBlock = nodes.length == 0;
    return this;
  }

  /** DataNodes that must not be used. */
  public BlockRequest excluded(int... nodes) {
    excluded = nodes;
    return this;
  }

  /** More DataNodes that must not be used. */
  public BlockRequest alsoExcluded(int... nodes) {
    int before = excluded.length;
    excluded = Arrays.copyOf(excluded, before + nodes.length);
    System.arraycopy(nodes, 0, excluded, before, nodes.length);
    return this;
  }

  /** A host that holds a replica which is in maintenance: used last. */
  public BlockRequest maintenanceHost(int host) {
    maintenanceHosts = Arrays.copyOf(maintenanceHosts, maintenanceHosts.length + 1);
    maintenanceHosts[maintenanceHosts.length - 1] = host;
    return this;
  }

  /** Most replicas in one rack, those that exist included. */
  public BlockRequest rackLimit(int limit) {
    rackLimit = limit;
    return this;
  }

  /**
   * How many hosts must have a replica before one may get a second, when nothing else is eligible;
   * those that exist included. 0 unless said otherwise; {@link Integer#MAX_VALUE} for never.
   */
  public BlockRequest sharedHostsAfter(int hosts) {
    sharedHostsAfter = hosts;
    return this;
  }

  /** Has each DataNode asked, if need be, also those that are known to be full or to refuse. */
  public BlockRequest askingEveryone() {
    everyone = true;
    return this;
  }

  /** Whether it has no replica yet. */
  public boolean isNewBlock() {
    return newBlock;
  }

  /** Replicas the block will have in all. */
  public int total() {
    return replicas + chosen.length;
  }
}
