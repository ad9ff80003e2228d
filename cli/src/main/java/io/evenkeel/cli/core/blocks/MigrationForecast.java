package io.evenkeel.cli.core.blocks;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * What the NameNode will copy, of a whole cluster, or estimated from blocks of it or from draws of
 * paths. Not thread-safe.
 */
public final class MigrationForecast {
  private final MigrationSums seen;
  private final long population;
  private final List<MigrationSums> draws = new ArrayList<>();
  private final List<Long> files = new ArrayList<>();

  MigrationForecast(MigrationSums seen, long population) {
    this.seen = seen;
    this.population = population;
  }

  /** Adds a draw of a path with so many files. */
  void draw(MigrationSums drawn, long ofFiles) {
    draws.add(drawn);
    files.add(ofFiles);
  }

  /** Blocks looked at. */
  public long sample() {
    return seen.blocks;
  }

  /** Blocks of the cluster. */
  public long population() {
    return population;
  }

  /** Draws of paths; 0 when blocks were looked at one by one. */
  public int draws() {
    return draws.size();
  }

  /** Replicated blocks that break a rule. */
  public Estimate replicatedBlocks() {
    return isDrawn()
        ? ratio(sums -> sums.replicated, 1)
        : Estimate.count(seen.replicated, Math.max(1, seen.blocks), population);
  }

  /** Striped groups that break a rule. */
  public Estimate stripedGroups() {
    return isDrawn()
        ? ratio(sums -> sums.striped, 1)
        : Estimate.count(seen.striped, Math.max(1, seen.blocks), population);
  }

  /** Replicas and units to be copied. */
  public Estimate copies() {
    return isDrawn()
        ? ratio(sums -> sums.copies, 1)
        : Estimate.total(seen.copies, seen.copiesSquared, Math.max(1, seen.blocks), population);
  }

  /** Bytes to be copied. */
  public Estimate bytes() {
    return isDrawn()
        ? ratio(sums -> sums.bytes, seen.length / Math.max(1, seen.blocks))
        : Estimate.total(seen.bytes, seen.bytesSquared, Math.max(1, seen.blocks), population);
  }

  private boolean isDrawn() {
    return !draws.isEmpty();
  }

  private Estimate ratio(ToDoubleFunction<MigrationSums> what, double each) {
    double[] blocks = new double[draws.size()];
    double[] values = new double[draws.size()];
    for (int i = 0; i < blocks.length; i++) {
      blocks[i] = (double) draws.get(i).blocks / files.get(i);
      values[i] = what.applyAsDouble(draws.get(i)) / files.get(i);
    }
    return Estimate.ratio(blocks, values, each, population, what.applyAsDouble(seen));
  }

  /** Blocks looked at that lack replicas or units, which are copied under any policy. */
  public long shortOfReplicas() {
    return seen.shortOfReplicas;
  }

  /** Whether any block breaks a rule. */
  public boolean isNeeded() {
    return seen.replicated + seen.striped > 0;
  }
}
