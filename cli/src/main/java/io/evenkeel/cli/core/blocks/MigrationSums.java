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

  /** Adds blocks of one shape, each of which needs {@code copiesEach}. */
  void add(BlockShape shape, int copiesEach, BlockShapes.Sums of) {
    long count = of.blocks();
    if (copiesEach > 0) {
      replicated += shape.isStriped() ? 0 : count;
      striped += shape.isStriped() ? count : 0;
      copies += (double) copiesEach * count;
      copiesSquared += (double) copiesEach * copiesEach * count;
      bytes += copiesEach * of.unitBytes();
      bytesSquared += (double) copiesEach * copiesEach * of.unitSquares();
    }
    shortOfReplicas += shape.isShort() ? count : 0;
  }
}
