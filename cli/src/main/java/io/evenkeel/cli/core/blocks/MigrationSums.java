package io.evenkeel.cli.core.blocks;

/** What some blocks need, summed up. Not thread-safe. */
final class MigrationSums {
  final long blocks;
  final double length;
  long replicated;
  long striped;
  long shortOfReplicas;
  double copies;
  double copiesSquared;
  double bytes;
  double bytesSquared;

  /** Sums over so many blocks, of so many bytes without replicas. */
  MigrationSums(long blocks, double length) {
    this.blocks = blocks;
    this.length = length;
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
}
