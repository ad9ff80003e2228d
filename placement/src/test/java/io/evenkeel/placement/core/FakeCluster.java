package io.evenkeel.placement.core;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * A small cluster for tests. {@code "a:2,1 b:1"} has two racks; rack a has host a0 with two
 * DataNodes and host a1 with one.
 */
final class FakeCluster implements DataNodeStats {
  final HostTopology topology;
  final int[] scheduled;
  final boolean[] inService;
  final int[] types;
  final int[] full;
  final double[] weight;

  FakeCluster(List<HostTopology.Place> places) {
    topology = HostTopology.of(places);
    scheduled = new int[topology.nodes()];
    inService = new boolean[topology.nodes()];
    types = new int[topology.nodes()];
    full = new int[topology.nodes()];
    weight = new double[topology.nodes()];
    Arrays.fill(inService, true);
    Arrays.fill(types, 1);
    Arrays.fill(weight, 1);
  }

  static FakeCluster of(String spec) {
    List<HostTopology.Place> places = new ArrayList<>();
    for (String rack : spec.split(" ", -1)) {
      String[] hosts = rack.substring(2).split(",", -1);
      for (int h = 0; h < hosts.length; h++) {
        for (int d = Integer.parseInt(hosts[h]); d > 0; d--) {
          String name = rack.substring(0, 1);
          places.add(new HostTopology.Place(name, name + h));
        }
      }
    }
    return new FakeCluster(places);
  }

  PlacementEngine engine(long seed) {
    PlacementEngine engine =
        new PlacementEngine(topology, this, new SplittableRandom(seed)::nextDouble);
    engine.refreshAll();
    return engine;
  }

  /** The first DataNode of the host with this name. */
  int node(String host) {
    return topology.firstNodeOfHost(host(host));
  }

  int host(String host) {
    return topology.hostOf(host.substring(0, 1), host);
  }

  /** All DataNodes of these hosts. */
  int[] nodes(String... hosts) {
    List<String> wanted = Arrays.asList(hosts);
    return IntStream.range(0, topology.nodes())
        .filter(n -> wanted.contains(topology.hostKey(topology.hostOf(n))))
        .toArray();
  }

  /** The hosts of DataNodes, as in {@code "a0 b0 b1"}. */
  String hosts(int... nodes) {
    StringBuilder text = new StringBuilder();
    for (int node : nodes) {
      text.append(text.length() == 0 ? "" : " ").append(topology.hostKey(topology.hostOf(node)));
    }
    return text.toString();
  }

  @Override
  public int scheduled(int node) {
    return scheduled[node];
  }

  @Override
  public boolean inService(int node) {
    return inService[node];
  }

  @Override
  public int types(int node) {
    return types[node];
  }

  @Override
  public int fullTypes(int node) {
    return full[node];
  }

  @Override
  public double weight(int node) {
    return weight[node];
  }
}
