package io.evenkeel.cli.core.blocks;

import java.util.HashMap;
import java.util.Map;

/** Blocks of the same shape, kept as one number. Not thread-safe. */
final class BlockShapes {
  private final Map<BlockShape, Sums> shapes = new HashMap<>();
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

    /** Sum of the bytes of one copy of each. */
    double unitBytes() {
      return unitBytes;
    }

    /** Sum of the squares of the bytes of one copy of each. */
    double unitSquares() {
      return unitSquares;
    }
  }

  /** A block, also one whose shape is not known. */
  void count(long length) {
    blocks++;
    bytes += length;
  }

  /** The shape of a block; {@code unit} is the bytes of one copy. */
  void add(BlockShape shape, double unit) {
    Sums sums = shapes.computeIfAbsent(shape, s -> new Sums());
    sums.blocks++;
    sums.unitBytes += unit;
    sums.unitSquares += unit * unit;
  }

  Map<BlockShape, Sums> shapes() {
    return shapes;
  }

  long blocks() {
    return blocks;
  }

  double bytes() {
    return bytes;
  }
}
