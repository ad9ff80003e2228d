package io.evenkeel.placement.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * Replays a placement replica by replica and asks by a scan what else was eligible at that moment.
 *
 * <p>Replicas are chosen one after the other, so the guarantee is one of every step: no rule gives
 * way for a replica as long as one DataNode is eligible with which it need not.
 */
final class Oracle {
  final FakeCluster cluster;
  final HostTopology topology;
  final BlockRequest request;
  final FakeChecks targets;
  final List<Integer> held = new ArrayList<>();
  private final boolean[] excluded;
  private int wanted;

  Oracle(FakeCluster cluster, BlockRequest request, FakeChecks targets) {
    this.cluster = cluster;
    this.topology = cluster.topology;
    this.request = request;
    this.targets = targets;
    excluded = new boolean[topology.nodes()];
    for (int node : request.excluded) {
      excluded[node] = true;
    }
    for (int node : request.chosen) {
      held.add(node);
    }
  }

  /** To be called before each step. */
  void wants(int types) {
    wanted = types;
  }

  boolean eligible(int node, int rackLimit) {
    return !excluded[node]
        && !held.contains(node)
        && cluster.inService[node]
        && !targets.refused.get(node)
        && (cluster.types[node] & wanted) != 0
        && inRack(topology.rackOf(node)) < rackLimit;
  }

  boolean any(IntPredicate which) {
    for (int node = 0; node < topology.nodes(); node++) {
      if (eligible(node, request.rackLimit) && which.test(node)) {
        return true;
      }
    }
    return false;
  }

  long inRack(int rack) {
    return held.stream().filter(n -> topology.rackOf(n) == rack).count();
  }

  long onHost(int node) {
    return held.stream().filter(n -> topology.sameHost(n, node)).count();
  }

  /** Whether as many hosts have a replica as the request wants before one is shared. */
  boolean mayShare() {
    long hosts = held.stream().map(n -> topology.hostKey(topology.hostOf(n))).distinct().count();
    return hosts >= request.sharedHostsAfter;
  }

  boolean soft(int node) {
    for (int host : request.maintenanceHosts) {
      if (topology.hostOf(node) == host) {
        return true;
      }
    }
    return false;
  }

  /** The one rack of all replicas, -1 when there is none or more than one. */
  int onlyRack() {
    return held.isEmpty() || held.stream().mapToInt(topology::rackOf).distinct().count() > 1
        ? -1
        : topology.rackOf(held.get(0));
  }

  /** A replicated block: the rules that must not have given way for this replica. */
  void step(int node) {
    assertThat(eligible(node, request.rackLimit)).as("eligible").isTrue();
    assertThat(any(n -> onHost(n) < onHost(node))).as("a host with fewer").isFalse();
    assertThat(onHost(node) == 0 || mayShare()).as("enough hosts in use").isTrue();
    int only = onlyRack();
    if (only >= 0 && topology.rackOf(node) == only) {
      assertThat(any(n -> onHost(n) == onHost(node) && topology.rackOf(n) != only))
          .as("a second rack")
          .isFalse();
    }
    if (onHost(node) == 0 && soft(node)) {
      boolean opens = only >= 0 && topology.rackOf(node) != only;
      assertThat(any(n -> onHost(n) == 0 && !soft(n) && (!opens || topology.rackOf(n) != only)))
          .as("a host not in maintenance")
          .isFalse();
    }
    shape(node);
    held.add(node);
  }

  private void shape(int node) {
    IntPredicate near = place();
    if (near != null && !near.test(node)) {
      boolean soft = onHost(node) == 0 && soft(node);
      assertThat(any(n -> near.test(n) && onHost(n) == onHost(node) && (soft || !soft(n))))
          .as("a place in the shape")
          .isFalse();
    }
  }

  /** Where the shape wants the next replica; null for anywhere. */
  IntPredicate place() {
    if (held.isEmpty()) {
      return switch (request.writer) {
        case ON_NODE, ON_HOST -> n -> topology.hostOf(n) == request.writerHost;
        case IN_RACK -> n -> topology.rackOf(n) == request.writerRack;
        case OUTSIDE, NEAR_RACK -> null;
      };
    }
    if (held.size() == 2 && onlyRack() < 0) {
      boolean source = !request.newBlock && inRack(request.writerRack) > 0;
      int rack = source ? request.writerRack : topology.rackOf(held.get(1));
      return n -> topology.rackOf(n) == rack;
    }
    return null;
  }

  /**
   * A striped block: the internal block goes where the host has the fewest, there rather to one not
   * in maintenance, and among those where the rack has the fewest.
   */
  void unit(int node) {
    assertThat(eligible(node, Integer.MAX_VALUE)).as("eligible").isTrue();
    for (int other = 0; other < topology.nodes(); other++) {
      if (eligible(other, Integer.MAX_VALUE)) {
        assertThat(cost(other)).as("than %d", other).isGreaterThanOrEqualTo(cost(node));
      }
    }
    held.add(node);
  }

  private long cost(int node) {
    return onHost(node) * 10_000 + (soft(node) ? 1_000 : 0) + inRack(topology.rackOf(node));
  }
}
