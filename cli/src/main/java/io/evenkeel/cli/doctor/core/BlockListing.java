package io.evenkeel.cli.doctor.core;

import io.evenkeel.cli.core.blocks.ListedBlock;
import io.evenkeel.cli.core.blocks.Migration;
import io.evenkeel.cli.core.blocks.MigrationForecast;
import io.evenkeel.cli.core.blocks.StorageTypes;
import java.util.function.Consumer;

/** Blocks of a listing too long to be kept. */
public interface BlockListing {
  /** What it is, in words: the option and what it names. */
  String description();

  /**
   * Hands on block after block; asked only once, as it may be standard input.
   *
   * @param migration counts each block as well
   * @throws io.evenkeel.common.cli.CommandException when it cannot be read or is something else
   */
  Summary read(Migration migration, Consumer<ListedBlock> blocks);

  /** What is known when all blocks are read. Immutable. */
  final class Summary {
    private final boolean whole;
    private final MigrationForecast forecast;
    private final StorageTypes storageTypes;

    /**
     * Creates it.
     *
     * @param whole whether it came to its end
     * @param forecast what a switch copies
     * @param storageTypes not changed any more
     */
    public Summary(boolean whole, MigrationForecast forecast, StorageTypes storageTypes) {
      this.whole = whole;
      this.forecast = forecast;
      this.storageTypes = storageTypes;
    }

    /** Whether it came to its end. */
    boolean isWhole() {
      return whole;
    }

    /** What a switch to our placement policy copies. */
    MigrationForecast forecast() {
      return forecast;
    }

    /** Blocks by storage types. */
    StorageTypes storageTypes() {
      return storageTypes;
    }
  }
}
