package io.evenkeel.bench.sim.placement;

import io.evenkeel.bench.sim.placement.Shape.Place;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/** Adds up where the replicas went. One thread. */
final class PlacementTally {
  /** The scatter width is that of about so many DataNodes: each takes a bit for every other. */
  private static final int SCATTER_SAMPLE = 1000;

  private final List<Place> places;
  private final int racks;
  private final long[] replicas;
  private final int every;
  private final BitSet[] sharing;
  private Violations violations = Violations.NONE;

  PlacementTally(List<Place> places) {
    this.places = places;
    racks = (int) places.stream().mapToInt(Place::rack).distinct().count();
    replicas = new long[places.size()];
    every = 1 + places.size() / SCATTER_SAMPLE;
    sharing = new BitSet[1 + places.size() / every];
    Arrays.setAll(sharing, i -> new BitSet());
  }

  /** Adds a block by the indexes of its DataNodes. */
  void add(int[] chosen, int wanted) {
    violations = violations.plus(Violations.of(places, racks, chosen, wanted));
    for (int a : chosen) {
      replicas[a]++;
      for (int b : chosen) {
        if (a % every == 0) {
          sharing[a / every].set(b);
        }
      }
    }
  }

  long[] replicas() {
    return replicas.clone();
  }

  /** The result over the DataNodes that could be used. */
  PlacementResult result(BitSet unusable, InFlight inFlight) {
    long least = Long.MAX_VALUE;
    long most = 0;
    long sum = 0;
    double weights = 0;
    double mostPerWeight = 0;
    long shared = 0;
    int sampled = 0;
    List<Long> each = new ArrayList<>();
    List<Integer> inFlightAtEnd = new ArrayList<>();
    for (int i = unusable.nextClearBit(0); i < replicas.length; i = unusable.nextClearBit(i + 1)) {
      each.add(replicas[i]);
      inFlightAtEnd.add(inFlight.of(i));
      least = Math.min(least, replicas[i]);
      most = Math.max(most, replicas[i]);
      sum += replicas[i];
      weights += places.get(i).weight();
      mostPerWeight = Math.max(mostPerWeight, replicas[i] / places.get(i).weight());
      if (i % every == 0) {
        sampled++;
        shared += Math.max(0, sharing[i / every].cardinality() - 1);
      }
    }
    return new PlacementResult(
        each,
        inFlightAtEnd,
        new PlacementResult.Replicas(least, (double) sum / each.size(), most),
        mostPerWeight * weights / sum,
        new PlacementResult.Ratio(inFlight.mean(), inFlight.p99()),
        (double) shared / sampled,
        violations);
  }
}
