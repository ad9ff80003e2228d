package io.evenkeel.cli.core.blocks;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Draws of paths, with the blocks of each. Paths are drawn by the number of their files, so that
 * blocks per file and copies per file of every draw count alike. Not thread-safe.
 */
public final class BlockSample {
  private final List<Part> draws = new ArrayList<>();

  /** The blocks of one path. */
  public static final class Part {
    private final BlockShapes shapes = new BlockShapes();
    private final long files;

    Part(long files) {
      this.files = files;
    }

    BlockShapes shapes() {
      return shapes;
    }

    /** Files it has by the measure it was drawn by, at least 1. */
    long files() {
      return files;
    }
  }

  /** Adds a draw; a part that is drawn again is added again. */
  public void add(Part part) {
    draws.add(part);
  }

  List<Part> draws() {
    return Collections.unmodifiableList(draws);
  }

  /** Number of draws. */
  public int size() {
    return draws.size();
  }
}
