package io.evenkeel.mover.hdfs;

import io.evenkeel.mover.core.plan.MovableRule;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.BlockType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicies;
import org.apache.hadoop.net.NetworkTopology;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The placement policy of this configuration, made and asked as the Balancer does it, over the
 * DataNodes of the last report; and never fewer racks than before. What the policy refuses would
 * not converge: the NameNode then ignores the hint which replica to delete. Where the policy cannot
 * be made, the racks alone decide, and for a move about which it fails. Thread-safe.
 */
final class PlacementRule implements MovableRule {
  private static final Logger LOG = LoggerFactory.getLogger(PlacementRule.class);

  private final NetworkTopology topology;
  private final Map<String, DatanodeInfo> nodes = new HashMap<>();
  private BlockPlacementPolicies policies;
  private boolean warned;

  PlacementRule(Configuration conf) {
    this.topology = NetworkTopology.getInstance(conf);
    try {
      policies = policies(conf, topology);
    } catch (RuntimeException | LinkageError | ReflectiveOperationException e) {
      fallBack(e);
    }
  }

  /** The constructor names a class that is not public. */
  private static BlockPlacementPolicies policies(Configuration conf, NetworkTopology topology)
      throws ReflectiveOperationException {
    return (BlockPlacementPolicies)
        BlockPlacementPolicies.class.getConstructors()[0].newInstance(conf, null, topology, null);
  }

  /** Whether the last part of a location is a node group. */
  boolean isNodeGroupAware() {
    return topology.isNodeGroupAware();
  }

  /** Takes the DataNodes of a new report for those of the last one. */
  synchronized void update(Collection<DatanodeInfo> live) {
    Map<String, DatanodeInfo> added = new HashMap<>();
    live.forEach(node -> added.put(node.getDatanodeUuid(), node));
    for (DatanodeInfo known : new ArrayList<>(nodes.values())) {
      DatanodeInfo node = added.get(known.getDatanodeUuid());
      if (node != null && isSamePlace(known, node)) {
        added.remove(known.getDatanodeUuid());
      } else { // before the others are added, one of which may have its address
        nodes.remove(known.getDatanodeUuid());
        topology.remove(known);
      }
    }
    added.values().forEach(this::add);
  }

  @Override
  public synchronized boolean isMovable(
      boolean striped, List<String> replicas, String source, String target) {
    DatanodeInfo from = nodes.get(source);
    DatanodeInfo to = nodes.get(target);
    if (from == null || to == null) {
      return false;
    }
    List<DatanodeInfo> holders = new ArrayList<>(replicas.size() + 1);
    for (String replica : replicas) {
      DatanodeInfo node = nodes.get(replica);
      if (node != null) {
        holders.add(node);
      }
    }
    return keepsRacks(holders, from, to) && agrees(striped, holders, from, to);
  }

  /** The policy looks for the target among the holders; without it there it agrees to all moves. */
  private boolean agrees(
      boolean striped, List<DatanodeInfo> holders, DatanodeInfo from, DatanodeInfo to) {
    if (policies == null) {
      return true;
    }
    List<DatanodeInfo> withTarget = new ArrayList<>(holders);
    withTarget.add(to);
    try {
      return policies
          .getPolicy(striped ? BlockType.STRIPED : BlockType.CONTIGUOUS)
          .isMovable(withTarget, from, to);
    } catch (RuntimeException | LinkageError e) {
      warn("The placement policy failed; only the number of racks was checked for this move", e);
      return true;
    }
  }

  /** Asked of thousands of DataNodes for one block, so without collections. */
  private boolean keepsRacks(List<DatanodeInfo> holders, DatanodeInfo from, DatanodeInfo to) {
    String left = rack(from);
    String reached = rack(to);
    boolean isNew = true;
    for (DatanodeInfo node : holders) {
      if (!node.equals(from)) {
        if (rack(node).equals(left)) {
          return true;
        }
        isNew &= !rack(node).equals(reached);
      }
    }
    return isNew || reached.equals(left);
  }

  /** As stock's policies do it: the topology's own answer for a node group is the node group. */
  private String rack(DatanodeInfo node) {
    String location = node.getNetworkLocation();
    return topology.isNodeGroupAware() ? NetworkTopology.getFirstHalf(location) : location;
  }

  private void add(DatanodeInfo node) {
    // A copy: the topology writes the place in the tree into it.
    DatanodeInfo copy = new DatanodeInfo.DatanodeInfoBuilder().setFrom(node).build();
    nodes.put(copy.getDatanodeUuid(), copy);
    try {
      topology.add(copy);
    } catch (RuntimeException e) {
      fallBack(e);
    }
  }

  private static boolean isSamePlace(DatanodeInfo a, DatanodeInfo b) {
    return a.getNetworkLocation().equals(b.getNetworkLocation())
        && a.getXferAddr().equals(b.getXferAddr())
        && Objects.equals(a.getUpgradeDomain(), b.getUpgradeDomain());
  }

  private void fallBack(Throwable e) {
    warn("The placement policy cannot be used here; only the number of racks is checked", e);
    policies = null;
  }

  /** Once. */
  private void warn(String message, Throwable e) {
    if (!warned) {
      LOG.warn(message, e);
    }
    warned = true;
  }
}
