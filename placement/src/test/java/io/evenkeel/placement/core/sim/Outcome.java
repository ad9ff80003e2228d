package io.evenkeel.placement.core.sim;

import io.evenkeel.placement.core.HostTopology;
import java.util.Arrays;
import java.util.BitSet;
import java.util.stream.DoubleStream;

/** How even blocks and blocks in flight were, and which rules were broken. */
final class Outcome {
  private final Fleet fleet;
  private final HostTopology topology;
  private final BitSet[] partners;
  private final int[] inFlightCounts = new int[1 << 10];
  private final DoubleStream.Builder inFlightRatios = DoubleStream.builder();
  private double[] ratios;
  private int mostInFlight;
  private long inFlight;
  private long sharedHost;
  private long oneRack;
  private long missing;
  private long blocks;

  Outcome(Fleet fleet) {
    this.fleet = fleet;
    topology = fleet.topology();
    partners = new BitSet[Math.min(topology.nodes(), 64)];
    Arrays.setAll(partners, i -> new BitSet());
    inFlightCounts[0] = topology.nodes();
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
    if (blocks > topology.nodes()) {
      inFlightRatios.add(mostInFlight / ((double) inFlight / topology.nodes()));
    }
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
    int every = Math.max(1, topology.nodes() / partners.length);
    for (int i = 0; i < nodes.length; i++) {
      for (int j = 0; j < nodes.length; j++) {
        shared |= i != j && topology.sameHost(nodes[i], nodes[j]);
        racks |= topology.rackOf(nodes[i]) != topology.rackOf(nodes[j]);
        if (i != j && nodes[i] % every == 0 && nodes[i] / every < partners.length) {
          partners[nodes[i] / every].set(nodes[j]);
        }
      }
    }
    sharedHost += shared ? 1 : 0;
    oneRack += racks ? 0 : 1;
  }

  /** Blocks on the fullest DataNode over the mean, per unit of weight. */
  double maxOverMean() {
    double most = 0;
    double all = 0;
    double weights = 0;
    for (int n = 0; n < topology.nodes(); n++) {
      if (fleet.inService(n)) {
        most = Math.max(most, fleet.blocks(n) / fleet.weight(n));
        all += fleet.blocks(n);
        weights += fleet.weight(n);
      }
    }
    return most * weights / all;
  }

  /** Blocks in flight on the busiest DataNode over the mean, averaged over the run. */
  double inFlightMaxOverMean() {
    return Arrays.stream(ratios()).average().orElseThrow();
  }

  /** The same, exceeded in one of a hundred moments. */
  double inFlightP99() {
    return ratios()[(int) Math.ceil(0.99 * ratios.length) - 1];
  }

  /** The ratios of the run, which is over then. */
  private double[] ratios() {
    ratios = ratios == null ? inFlightRatios.build().sorted().toArray() : ratios;
    return ratios;
  }

  /** With how many DataNodes one shares blocks, on average over a sample of them. */
  double scatterWidth() {
    return Arrays.stream(partners).mapToInt(BitSet::cardinality).average().orElse(0);
  }

  /** Blocks with two replicas on one host. */
  long sharedHost() {
    return sharedHost;
  }

  /** Blocks with all replicas in one rack. */
  long oneRack() {
    return oneRack;
  }

  /** Blocks with fewer replicas than wanted. */
  long missing() {
    return missing;
  }
}
