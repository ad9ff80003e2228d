package io.evenkeel.cli.doctor.core;

import io.evenkeel.cli.core.blocks.ListedBlock;
import java.util.function.Consumer;

/** Blocks of a listing too long to be kept. */
public interface BlockListing {
  /** What it is, in words. */
  String description();

  /**
   * Hands on block after block; asked only once, as it may be standard input.
   *
   * @return whether the listing is whole
   * @throws io.evenkeel.common.cli.CommandException when it cannot be read or is something else
   */
  boolean read(Consumer<ListedBlock> blocks);
}
