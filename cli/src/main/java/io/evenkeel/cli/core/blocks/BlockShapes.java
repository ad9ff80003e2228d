package io.evenkeel.cli.core.blocks;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Blocks that look the same, kept as one number. A shape is: replicas, hosts, hosts that are
 * eligible, racks, racks that are eligible, and the replication or, below 0, the units of a striped
 * group. Not thread-safe.
 */
final class BlockShapes {
  private final Map<List<Integer>, Sums> shapes = new HashMap<>();
  private long blocks;
  private double bytes;

  /** Blocks of one shape. */
  static final class Sums {
    private long blocks;
    private double unitBytes;
    private double unitSquares;

    long blocks() {
      return blocks;
    }

    /** Sum of the bytes of one copy of each, and sum of their squares. */
    double[] units() {
      return new double[] {unitBytes, unitSquares};
    }
  }

  /** A block, also one whose shape is not known. */
  void count(long length) {
    blocks++;
    bytes += length;
  }

  /** The shape of a block; {@code unit} is the bytes of one copy. */
  void add(List<Integer> shape, double unit) {
    Sums sums = shapes.computeIfAbsent(shape, s -> new Sums());
    sums.blocks++;
    sums.unitBytes += unit;
    sums.unitSquares += unit * unit;
  }

  Map<List<Integer>, Sums> shapes() {
    return shapes;
  }

  long blocks() {
    return blocks;
  }

  double bytes() {
    return bytes;
  }
}
