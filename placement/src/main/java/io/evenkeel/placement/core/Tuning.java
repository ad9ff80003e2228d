package io.evenkeel.placement.core;

/**
 * The constants of the uniform choice. The defaults were chosen with the simulator; decision 0011
 * has the numbers.
 */
public final class Tuning {
  /** The values used when nothing is configured. */
  public static final Tuning DEFAULT = new Tuning(16, 1024);

  /** How many blocks of the past a block in flight above the mean counts for. */
  final double perScheduled;

  /**
   * How many blocks in flight above the mean count at most. Whoever has more keeps some of them
   * open for long, and would be given nothing beside them.
   */
  final double mostAbove = 4;

  /** How much the less loaded host of a pair counts beside the other. */
  final double perLesser = 0.25;

  /** Up to how many blocks the loads of racks may differ and chance still decide. */
  final double amongRacks = 2;

  /** How many blocks more a rack may have and still be near enough to be chosen for that. */
  final double forNearness = 8;

  /** After how many blocks per DataNode a lead or a lag counts half. */
  final double halfLife;

  /** The least weight of a DataNode over the mean. */
  final double leastWeight;

  /** The greatest weight of a DataNode over the mean. */
  final double mostWeight;

  /** DataNodes looked at again with each block. */
  final int refreshed = 24;

  /**
   * Up to how many blocks per unit of weight a load may have changed without being noted at a look;
   * little beside the fraction of a block by which equals are told apart.
   */
  final double notNoted = 0.125;

  /**
   * How many blocks per unit of weight the load of a DataNode may be below the mean, those in
   * flight included.
   */
  final double mostLag = 32;

  /**
   * How many DataNodes that refused a block are asked again in their turn with each block. Each
   * refusal costs a question; half of a large cluster may be stale or full.
   */
  final int retried = 2;

  /** The same for a look at all DataNodes. */
  final int retriedByAll = 64;

  /**
   * After how many refusals those are not asked any more that are known to be full or to have
   * refused a block. They are asked in turn, so the next block comes to others.
   */
  final int mostRefusals = 64;

  /**
   * Creates a set of constants.
   *
   * @param perScheduled see {@link #perScheduled}; at least 0
   * @param halfLife see {@link #halfLife}; at least 1
   */
  public Tuning(double perScheduled, double halfLife) {
    this(perScheduled, halfLife, 0, Double.POSITIVE_INFINITY);
  }

  private Tuning(double perScheduled, double halfLife, double leastWeight, double mostWeight) {
    this.perScheduled = perScheduled;
    this.halfLife = halfLife;
    this.leastWeight = leastWeight;
    this.mostWeight = mostWeight;
  }

  /** The same, with weights of half to three times the mean at most. */
  Tuning boundingWeights() {
    return new Tuning(perScheduled, halfLife, 0.5, 3);
  }

  /** What is left of a lead from one look at a DataNode to the next, of {@code nodes}. */
  double fade(int nodes) {
    double replicasBetween = 3.0 / Math.max(1, Math.min(refreshed, nodes));
    return Math.pow(0.5, replicasBetween / halfLife);
  }
}
