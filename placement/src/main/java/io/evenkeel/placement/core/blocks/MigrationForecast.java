package io.evenkeel.placement.core.blocks;

/** What the NameNode will copy, of a whole cluster or estimated from a part. Not thread-safe. */
public final class MigrationForecast {
  private final long sample;
  private final long population;
  private long replicated;
  private long striped;
  private long shortOfReplicas;
  private double copies;
  private double copiesSquared;
  private double bytes;
  private double bytesSquared;

  MigrationForecast(long sample, long population) {
    this.sample = sample;
    this.population = population;
  }

  /**
   * Adds blocks that need the same number of copies.
   *
   * @param units sum of the bytes of one copy of each, and sum of their squares
   */
  void add(boolean isStriped, int copiesEach, long count, double[] units) {
    if (copiesEach > 0) {
      replicated += isStriped ? 0 : count;
      striped += isStriped ? count : 0;
      copies += (double) copiesEach * count;
      copiesSquared += (double) copiesEach * copiesEach * count;
      bytes += copiesEach * units[0];
      bytesSquared += (double) copiesEach * copiesEach * units[1];
    }
  }

  void addShort(long count) {
    shortOfReplicas += count;
  }

  /** Blocks looked at. */
  public long sample() {
    return sample;
  }

  /** Blocks of the cluster. */
  public long population() {
    return population;
  }

  /** Replicated blocks that break a rule. */
  public Estimate replicatedBlocks() {
    return Estimate.count(replicated, Math.max(1, sample), population);
  }

  /** Striped groups that break a rule. */
  public Estimate stripedGroups() {
    return Estimate.count(striped, Math.max(1, sample), population);
  }

  /** Replicas and units to be copied. */
  public Estimate copies() {
    return Estimate.total(copies, copiesSquared, Math.max(1, sample), population);
  }

  /** Bytes to be copied. */
  public Estimate bytes() {
    return Estimate.total(bytes, bytesSquared, Math.max(1, sample), population);
  }

  /** Blocks looked at that lack replicas or units, which are copied under any policy. */
  public long shortOfReplicas() {
    return shortOfReplicas;
  }

  /** Whether any block breaks a rule. */
  public boolean isNeeded() {
    return replicated + striped > 0;
  }
}
