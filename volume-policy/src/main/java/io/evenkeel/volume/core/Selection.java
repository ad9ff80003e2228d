package io.evenkeel.volume.core;

/**
 * Finds the volume to use among those of one list, in one pass.
 *
 * <p>The order: health ({@link Health}), below its fill ceiling, idle ones by their free fraction
 * (when the settings say so), least work in flight over weight, {@link WeightedRoundRobin}, place
 * in the list. One whose latest blocks did not {@link TrackedVolume.Arrivals arrive} counts as if
 * it had the most work. Separate from the group because it is confined to one choice.
 */
final class Selection<V> {
  private final WeightedRoundRobin roundRobin;
  private final boolean fillsEvenly;
  private final double mostBlocks;
  private final double mostWorkBefore;
  private final long now;
  private final long window;

  V volume;
  TrackedVolume<V> best;
  boolean anyRefused;
  TrackedVolume<V> probe;
  V probeVolume;
  TrackedVolume<V> failing;

  /** The most work over weight of a volume that is in use. */
  double mostWork;

  private int bestRank;
  private double bestFraction;
  private double bestScore;

  /**
   * Begins.
   *
   * @param fillsEvenly whether idle ones come first, by their free fraction
   * @param mostBlocks as {@link EvenFill#allows} has it
   * @param mostWorkBefore what {@link #mostWork} was at the choice before
   */
  Selection(
      WeightedRoundRobin roundRobin,
      boolean fillsEvenly,
      double mostBlocks,
      double mostWorkBefore,
      long now) {
    this.roundRobin = roundRobin;
    this.fillsEvenly = fillsEvenly;
    this.mostBlocks = mostBlocks;
    this.mostWorkBefore = mostWorkBefore;
    this.now = now;
    this.window = WorkInFlight.window(now);
  }

  /** Considers a volume that has room. */
  void offer(V candidate, TrackedVolume<V> tracked) {
    Health health = tracked.health.at(now);
    if (health != Health.IN_USE) {
      offerTurn(candidate, tracked, health);
    }
    int rank = rank(tracked, health);
    double score = tracked.inFlight.work(candidate, window) / tracked.traits.weight();
    boolean inDoubt = tracked.inDoubt(candidate, now);
    if (inDoubt) {
      score = Math.max(score, mostWorkBefore);
    } else if (health == Health.IN_USE) {
      mostWork = Math.max(mostWork, score);
    }
    boolean mayFill = fillsEvenly && score <= 0 && !inDoubt;
    double fraction = mayFill ? tracked.idleFraction(candidate, mostBlocks, now) : -1;
    if (best == null || precedes(tracked, rank, fraction, score)) {
      best = tracked;
      volume = candidate;
      bestRank = rank;
      bestFraction = fraction;
      bestScore = score;
    }
  }

  /** Whether it is the turn of a volume that does not work, whatever the others offer. */
  private void offerTurn(V candidate, TrackedVolume<V> tracked, Health health) {
    if (health == Health.FAILING && failing == null && tracked.space.failureDue(now)) {
      failing = tracked;
    }
    if (probe == null && tracked.probeDue(health, candidate, now)) {
      probe = tracked;
      probeVolume = candidate;
    }
  }

  /** The volume the block would go to, or fail on; null when none has room. */
  TrackedVolume<V> next() {
    if (failing != null) {
      return failing;
    }
    return probe != null ? probe : best;
  }

  /**
   * Whether only volumes that do not work seem to have room, so that others must be asked first.
   */
  boolean lastResort() {
    return anyRefused && best.health.at(now).compareTo(Health.HUNG) >= 0;
  }

  /** Work of the volume found so far; 0 when there is none. */
  double leastWork() {
    return best == null ? 0 : bestScore * best.traits.weight();
  }

  /** Health, then below its ceiling or not, as one number; the lowest is first. */
  private static int rank(TrackedVolume<?> tracked, Health health) {
    boolean full = tracked.space.fullerThan(tracked.traits.ceiling());
    return 2 * health.ordinal() + (full ? 1 : 0);
  }

  private boolean precedes(TrackedVolume<V> t, int rank, double fraction, double score) {
    if (rank != bestRank) {
      return rank < bestRank;
    }
    if (fraction != bestFraction) {
      return fraction > bestFraction;
    }
    if (score != bestScore) {
      return score < bestScore;
    }
    return roundRobin.precedes(t.place, best.place);
  }
}
