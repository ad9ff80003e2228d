package io.evenkeel.placement.core.sim;

import io.evenkeel.placement.core.ClusterView;
import java.util.Arrays;
import java.util.BitSet;
import java.util.stream.IntStream;

/**
 * What a simulation saw: how even blocks and blocks in flight were, and which rules were broken.
 */
public final class Outcome {
  private final Fleet fleet;
  private final ClusterView view;
  private final BitSet[] partners;
  private final int[] inFlightCounts = new int[1 << 16];
  private int mostInFlight;
  private long inFlight;
  private double inFlightSum;
  private long samples;
  private final long[] histogram = new long[4001];
  private long sharedHost;
  private long oneRack;
  private long missing;
  private long blocks;

  Outcome(Fleet fleet) {
    this.fleet = fleet;
    this.view = fleet.view();
    this.partners = new BitSet[Math.min(view.nodes(), 64)];
    Arrays.setAll(partners, i -> new BitSet());
    inFlightCounts[0] = view.nodes();
  }

  void allocated(int[] nodes, int wanted) {
    blocks++;
    missing += nodes.length < wanted ? 1 : 0;
    for (int node : nodes) {
      int now = fleet.scheduled(node);
      inFlightCounts[now - 1]--;
      inFlightCounts[now]++;
      mostInFlight = Math.max(mostInFlight, now);
      inFlight++;
    }
    rules(nodes);
    sample();
  }

  void completed(int[] nodes) {
    for (int node : nodes) {
      int now = fleet.scheduled(node);
      inFlightCounts[now + 1]--;
      inFlightCounts[now]++;
      inFlight--;
    }
    while (mostInFlight > 0 && inFlightCounts[mostInFlight] == 0) {
      mostInFlight--;
    }
  }

  private void rules(int[] nodes) {
    boolean shared = false;
    boolean racks = nodes.length < 2;
    for (int i = 0; i < nodes.length; i++) {
      for (int j = 0; j < nodes.length; j++) {
        shared |= i != j && view.sameHost(nodes[i], nodes[j]);
        racks |= view.rackOf(nodes[i]) != view.rackOf(nodes[j]);
        if (i != j && nodes[i] % every() == 0 && nodes[i] / every() < partners.length) {
          partners[nodes[i] / every()].set(nodes[j]);
        }
      }
    }
    sharedHost += shared ? 1 : 0;
    oneRack += racks ? 0 : 1;
  }

  private int every() {
    return Math.max(1, view.nodes() / partners.length);
  }

  private void sample() {
    if (blocks > view.nodes()) {
      double ratio = mostInFlight / ((double) inFlight / view.nodes());
      inFlightSum += ratio;
      samples++;
      histogram[(int) Math.min(4000, Math.round(ratio * 100))]++;
    }
  }

  /** Blocks on each DataNode in service, in the order of their numbers. */
  public long[] blocksPerNode() {
    return IntStream.range(0, view.nodes())
        .filter(fleet::inService)
        .mapToLong(fleet::blocks)
        .toArray();
  }

  /** Blocks written. */
  public long blocks() {
    return blocks;
  }

  /** Blocks on the fullest DataNode over the mean, per unit of weight; 1 before any block. */
  public double maxOverMean() {
    double most = 0;
    double all = 0;
    double weights = 0;
    for (int n = 0; n < view.nodes(); n++) {
      if (fleet.inService(n)) {
        most = Math.max(most, fleet.blocks(n) / fleet.weight(n));
        all += fleet.blocks(n);
        weights += fleet.weight(n);
      }
    }
    return all == 0 ? 1 : most * weights / all;
  }

  /**
   * Blocks in flight on the busiest DataNode over the mean, averaged over the run; not a number
   * when there were no more blocks than writers.
   */
  public double inFlightMaxOverMean() {
    return inFlightSum / samples;
  }

  /** The same, exceeded in one of a hundred moments. */
  public double inFlightP99() {
    if (samples == 0) {
      return Double.NaN;
    }
    long seen = 0;
    for (int i = 0; i < histogram.length; i++) {
      seen += histogram[i];
      if (seen >= 0.99 * samples) {
        return i / 100.0;
      }
    }
    return histogram.length / 100.0;
  }

  /** With how many DataNodes one shares blocks, on average over a sample of them. */
  public double scatterWidth() {
    return Arrays.stream(partners).mapToInt(BitSet::cardinality).average().orElse(0);
  }

  /** Blocks with two replicas on one host. */
  public long sharedHost() {
    return sharedHost;
  }

  /** Blocks with all replicas in one rack. */
  public long oneRack() {
    return oneRack;
  }

  /** Blocks with fewer replicas than wanted. */
  public long missing() {
    return missing;
  }
}
