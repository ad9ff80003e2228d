package io.evenkeel.cli.topology;

import io.evenkeel.cli.core.blocks.FsckReader;
import io.evenkeel.cli.core.blocks.ListedBlock;
import io.evenkeel.cli.core.blocks.ListingException;
import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import java.util.function.Consumer;

/** A file with the output of {@code hdfs fsck}. Immutable. */
public final class FsckListing {
  private final TextInput input;

  /** Creates it; nothing is opened yet. */
  public FsckListing(TextInput input) {
    this.input = input;
  }

  /**
   * Makes sure, as far as can be seen without reading it, that it can be read.
   *
   * @throws CommandException when it cannot
   */
  public void require() {
    input.require();
  }

  /** What it is, in words. */
  public String description() {
    return input.description();
  }

  /**
   * Reads all blocks.
   *
   * @return the reader, which knows how many they were and whether the listing is complete
   * @throws CommandException when it cannot be read or is something else
   */
  public FsckReader read(Consumer<ListedBlock> blocks) {
    FsckReader reader = new FsckReader(blocks);
    try {
      input.lines(reader::line);
    } catch (ListingException e) {
      throw new CommandException(ExitCode.COULD_NOT_RUN, description() + ", " + e.getMessage(), e);
    }
    if (reader.blocks() == 0 && !reader.isComplete()) {
      throw new CommandException(
          ExitCode.COULD_NOT_RUN,
          description()
              + " is no output of hdfs fsck; run "
              + "'hdfs fsck / -files -blocks -locations -racks'");
    }
    return reader;
  }
}
