package io.evenkeel.placement.core.sim;

import io.evenkeel.placement.core.DataNodeStats;
import io.evenkeel.placement.core.HostTopology;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The DataNodes of a cluster on paper, with one storage type, and the blocks they were given. */
final class Fleet implements DataNodeStats {
  private final HostTopology topology;
  private final double[] weights;
  private final boolean[] serving;
  private final int[] inFlight;
  private final long[] blocks;

  /** Where a DataNode is and what it can take. */
  record Node(String rack, String host, double weight) {}

  Fleet(List<Node> nodes) {
    List<HostTopology.Place> places =
        nodes.stream().map(node -> new HostTopology.Place(node.rack(), node.host())).toList();
    topology = HostTopology.of(places);
    weights =
        Arrays.stream(HostTopology.order(places)).mapToDouble(i -> nodes.get(i).weight()).toArray();
    serving = new boolean[nodes.size()];
    Arrays.fill(serving, true);
    inFlight = new int[nodes.size()];
    blocks = new long[nodes.size()];
  }

  /**
   * Racks of equal hosts with equal DataNodes.
   *
   * @param missing DataNodes left out, one per host from the first host on
   */
  static Fleet regular(int racks, int hostsPerRack, int perHost, int missing) {
    List<Node> nodes = new ArrayList<>();
    for (int h = 0; h < racks * hostsPerRack; h++) {
      String rack = String.format("/r%05d", h / hostsPerRack);
      String host = String.format("%s/h%06d", rack, h);
      for (int d = h < missing ? 1 : 0; d < perHost; d++) {
        nodes.add(new Node(rack, host, 1));
      }
    }
    return new Fleet(nodes);
  }

  HostTopology topology() {
    return topology;
  }

  @Override
  public int scheduled(int node) {
    return inFlight[node];
  }

  @Override
  public boolean inService(int node) {
    return serving[node];
  }

  @Override
  public int types(int node) {
    return 1;
  }

  @Override
  public int fullTypes(int node) {
    return 0;
  }

  @Override
  public double weight(int node) {
    return weights[node];
  }

  /** Takes a DataNode out of service, or back into it. */
  void serve(int node, boolean now) {
    serving[node] = now;
  }

  /** A block was given to the DataNode. */
  void allocate(int node) {
    inFlight[node]++;
    blocks[node]++;
  }

  /** It is written. */
  void complete(int node) {
    inFlight[node]--;
  }

  /** Blocks the DataNode was given. */
  long blocks(int node) {
    return blocks[node];
  }
}
