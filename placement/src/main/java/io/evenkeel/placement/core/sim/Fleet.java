package io.evenkeel.placement.core.sim;

import io.evenkeel.placement.core.ClusterView;
import io.evenkeel.placement.core.NodeState;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The DataNodes of a simulated cluster: where they are, what they can take, how many blocks they
 * have and have in flight. Not thread-safe.
 */
public final class Fleet implements NodeState {
  private final ClusterView view;
  private final double[] weights;
  private final int[] types;
  private final boolean[] serving;
  private final int[] inFlight;
  private final long[] blocks;

  private Fleet(Builder builder) {
    int[] order = ClusterView.order(builder.places);
    view = ClusterView.of(builder.places);
    int n = order.length;
    weights = new double[n];
    types = new int[n];
    for (int i = 0; i < n; i++) {
      weights[i] = builder.weights.get(order[i]);
      types[i] = builder.types.get(order[i]);
    }
    serving = new boolean[n];
    Arrays.fill(serving, true);
    inFlight = new int[n];
    blocks = new long[n];
  }

  /** Collects DataNodes. */
  public static final class Builder {
    private final List<ClusterView.Place> places = new ArrayList<>();
    private final List<Double> weights = new ArrayList<>();
    private final List<Integer> types = new ArrayList<>();

    /** Adds a DataNode with weight 1 and one storage type. */
    public Builder add(String rack, String host) {
      return add(rack, host, 1, 1);
    }

    /** Adds a DataNode. */
    public Builder add(String rack, String host, double weight, int typeBits) {
      places.add(new ClusterView.Place(rack, host));
      weights.add(weight);
      types.add(typeBits);
      return this;
    }

    /** The fleet. */
    public Fleet build() {
      return new Fleet(this);
    }
  }

  /**
   * Racks of equal hosts with equal DataNodes; keys sort by number.
   *
   * @param missing DataNodes left out, one per host from the first host on
   */
  public static Fleet regular(int racks, int hostsPerRack, int perHost, int missing) {
    Builder builder = new Builder();
    for (int h = 0; h < racks * hostsPerRack; h++) {
      String rack = String.format("/r%05d", h / hostsPerRack);
      String host = String.format("%s/h%06d", rack, h);
      for (int d = h < missing ? 1 : 0; d < perHost; d++) {
        builder.add(rack, host);
      }
    }
    return builder.build();
  }

  /** Where the DataNodes are. */
  public ClusterView view() {
    return view;
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
    return types[node];
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
  public void serve(int node, boolean now) {
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
  public long blocks(int node) {
    return blocks[node];
  }
}
