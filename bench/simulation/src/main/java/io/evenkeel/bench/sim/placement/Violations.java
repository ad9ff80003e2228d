package io.evenkeel.bench.sim.placement;

import io.evenkeel.bench.sim.placement.Shape.Place;
import java.util.List;

/**
 * Blocks that break a rule.
 *
 * @param sameHost blocks with two replicas on one host
 * @param oneRack blocks on one rack where there are several
 * @param rackCap blocks with more replicas on one rack than allowed
 * @param tooFew blocks with fewer replicas than asked for
 */
public record Violations(long sameHost, long oneRack, long rackCap, long tooFew) {
  public static final Violations NONE = new Violations(0, 0, 0, 0);

  /**
   * Judges one block; counts 0 or 1 of each.
   *
   * @param chosen indexes into the places
   */
  public static Violations of(List<Place> places, int racks, int[] chosen, int replicas) {
    boolean sameHost = false;
    int mostOnRack = 0;
    for (int i = 0; i < chosen.length; i++) {
      Place place = places.get(chosen[i]);
      int onRack = 0;
      for (int j = 0; j < chosen.length; j++) {
        Place other = places.get(chosen[j]);
        onRack += other.rack() == place.rack() ? 1 : 0;
        sameHost |= i != j && other.host() == place.host();
      }
      mostOnRack = Math.max(mostOnRack, onRack);
    }
    boolean oneRack = racks > 1 && chosen.length > 1 && mostOnRack == chosen.length;
    boolean rackCap = mostOnRack > PlacementScenario.rackCap(replicas, racks);
    return new Violations(
        sameHost ? 1 : 0, oneRack ? 1 : 0, rackCap ? 1 : 0, chosen.length < replicas ? 1 : 0);
  }

  public Violations plus(Violations other) {
    return new Violations(
        sameHost + other.sameHost,
        oneRack + other.oneRack,
        rackCap + other.rackCap,
        tooFew + other.tooFew);
  }

  public long sum() {
    return sameHost + oneRack + rackCap + tooFew;
  }
}
