package io.evenkeel.bench.sim.placement;

import io.evenkeel.bench.sim.placement.Shape.Place;
import java.util.BitSet;
import java.util.List;

/** Adds up where the replicas went. One thread. */
final class PlacementTally {
  private final List<Place> places;
  private final int racks;
  private final long[] replicas;
  private final BitSet[] sharing;
  private Violations violations = Violations.NONE;

  PlacementTally(Shape shape) {
    places = shape.places();
    racks = shape.racks();
    replicas = new long[places.size()];
    sharing = new BitSet[places.size()];
    for (int i = 0; i < sharing.length; i++) {
      sharing[i] = new BitSet(sharing.length);
    }
  }

  /** Adds a block by the indexes of its DataNodes. */
  void add(int[] chosen, int wanted) {
    violations = violations.plus(Violations.of(places, racks, chosen, wanted));
    for (int a : chosen) {
      replicas[a]++;
      for (int b : chosen) {
        sharing[a].set(b);
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
    long disks = 0;
    double mostPerDisk = 0;
    long shared = 0;
    int usable = 0;
    for (int i = unusable.nextClearBit(0); i < replicas.length; i = unusable.nextClearBit(i + 1)) {
      usable++;
      least = Math.min(least, replicas[i]);
      most = Math.max(most, replicas[i]);
      sum += replicas[i];
      disks += places.get(i).disks();
      mostPerDisk = Math.max(mostPerDisk, (double) replicas[i] / places.get(i).disks());
      shared += Math.max(0, sharing[i].cardinality() - 1);
    }
    return new PlacementResult(
        new PlacementResult.Replicas(least, (double) sum / usable, most),
        mostPerDisk * disks / sum,
        new PlacementResult.Ratio(inFlight.mean(), inFlight.p99()),
        (double) shared / usable,
        violations);
  }
}
