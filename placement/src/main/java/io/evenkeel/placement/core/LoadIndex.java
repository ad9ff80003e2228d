package io.evenkeel.placement.core;

import java.util.function.DoubleSupplier;
import java.util.function.IntPredicate;
import java.util.function.IntToDoubleFunction;

/**
 * Finds the least loaded DataNode of any part of a cluster, and the rack whose two least loaded
 * hosts are least loaded.
 *
 * <p>Not thread-safe; {@link LoadTable} guards it.
 */
final class LoadIndex {
  /** The load of a DataNode that is not to be had. */
  static final double NONE = Double.POSITIVE_INFINITY;

  private final ClusterView view;
  private final Tuning tuning;
  private final DoubleSupplier fraction;
  private final MinTree nodes;
  private final MinTree hosts;
  private final MinTree racks;

  LoadIndex(ClusterView view, Tuning tuning, DoubleSupplier fraction) {
    this.view = view;
    this.tuning = tuning;
    this.fraction = fraction;
    nodes = new MinTree(view.nodes());
    hosts = new MinTree(view.hosts());
    racks = new MinTree(view.racks());
  }

  /** Notes the load of a DataNode. */
  void set(int node, double load) {
    nodes.set(node, load);
    int host = view.hostOf(node);
    double ofHost = nodes.min(view.firstNodeOfHost(host), view.firstNodeOfHost(host + 1));
    if (ofHost == hosts.get(host)) {
      return;
    }
    hosts.set(host, ofHost);
    int rack = view.rackOf(node);
    int first = view.firstHostOfRack(rack);
    int end = view.firstHostOfRack(rack + 1);
    int best = hosts.least(first, end, hosts::get);
    if (best < 0) {
      racks.set(rack, NONE);
    } else {
      double other = Math.min(hosts.min(first, best), hosts.min(best + 1, end));
      racks.set(rack, pair(hosts.get(best), other));
    }
  }

  /** What it costs to use a rack for two replicas; for one when it has no other host. */
  private double pair(double one, double other) {
    double more = Double.isInfinite(other) ? one : other;
    return more + tuning.perLesser * one;
  }

  /** The least loaded DataNode of the scope among those admitted; -1 without any. */
  int least(Scope scope, IntPredicate admitted) {
    IntToDoubleFunction load = node -> admitted.test(node) ? nodes.get(node) : NONE;
    switch (scope.kind) {
      case HOST:
        return nodes.least(
            view.firstNodeOfHost(scope.id), view.firstNodeOfHost(scope.id + 1), load);
      case RACK:
        return nodes.least(view.firstNodeOfRack(scope.id), view.endOfRack(scope.id), load);
      case OTHER_RACKS:
        return outside(
            view.firstNodeOfRack(scope.id), view.endOfRack(scope.id), view.nodes(), load);
      case OTHER_RACKS_PAIR:
        int rack = rackForPair(scope.id, load);
        return rack < 0 ? -1 : nodes.least(view.firstNodeOfRack(rack), view.endOfRack(rack), load);
      case NEAR_RACK:
        return near(view.firstNodeOfRack(scope.id), view.endOfRack(scope.id), load);
      default:
        return nodes.least(0, view.nodes(), load);
    }
  }

  /** The least of [from, to), or of all when that is much less loaded. */
  private int near(int from, int to, IntToDoubleFunction load) {
    int there = nodes.least(from, to, load);
    double leastThere = nodes.found();
    int anywhere = nodes.least(0, view.nodes(), load);
    return there >= 0 && leastThere <= nodes.found() + tuning.forNearness ? there : anywhere;
  }

  /** The least of [0, end) outside [from, to). */
  private int outside(int from, int to, int end, IntToDoubleFunction load) {
    int before = nodes.least(0, from, load);
    double least = nodes.found();
    int after = nodes.least(to, end, load);
    return after < 0 || (before >= 0 && least <= nodes.found()) ? before : after;
  }

  /**
   * The rack for two replicas. Among racks within a few blocks of each other chance decides anew
   * each time, or writers taking turns would meet the same racks over and over and a DataNode would
   * share its blocks with few others.
   */
  private int rackForPair(int except, IntToDoubleFunction load) {
    long salt = Double.doubleToRawLongBits(fraction.getAsDouble());
    IntToDoubleFunction chance = rack -> tuning.amongRacks * mixed(rack, salt);
    int rack =
        racks.least(
            0, view.racks(), r -> r == except ? NONE : racks.get(r) + chance.applyAsDouble(r));
    if (rack >= 0 && pairLoad(rack, load) > racks.get(rack)) {
      // some of its DataNodes are not to be had for this block
      // a rack of which only the less loaded host is to be had does not become cheaper by that
      IntToDoubleFunction cost = r -> Math.max(racks.get(r), pairLoad(r, load));
      return racks.least(
          0,
          view.racks(),
          r -> r == except ? NONE : cost.applyAsDouble(r) + chance.applyAsDouble(r));
    }
    return rack;
  }

  /** A fraction of [0, 1) that depends on the number and the salt only. */
  private static double mixed(int number, long salt) {
    long z = (salt ^ number) * 0x9E3779B97F4A7C15L;
    z = (z ^ (z >>> 32)) * 0xBF58476D1CE4E5B9L;
    return (z >>> 11) * 0x1.0p-53;
  }

  private double pairLoad(int rack, IntToDoubleFunction load) {
    int first = view.firstNodeOfRack(rack);
    int end = view.endOfRack(rack);
    int one = nodes.least(first, end, load);
    if (one < 0) {
      return NONE;
    }
    double least = nodes.found();
    int host = view.hostOf(one);
    nodes.least(first, view.firstNodeOfHost(host), load);
    double other = nodes.found();
    nodes.least(view.firstNodeOfHost(host + 1), end, load);
    return pair(least, Math.min(other, nodes.found()));
  }
}
