package io.evenkeel.bench.gameday.agreement;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A file of a replica in a data directory. Immutable.
 *
 * @param volume last element of the data directory
 * @param directory the directory below it that says the state: finalized, rbw, tmp or lazypersist
 * @param block block id
 * @param generation generation stamp of a meta file; -1 of a file with the data
 * @param length bytes of the file
 */
public record BlockFile(String volume, String directory, long block, long generation, long length) {

  /** Where replicas are that are complete. */
  public static final String FINALIZED = "finalized";

  private static final Pattern NAME = Pattern.compile("blk_(-?\\d+)(?:_(\\d+)\\.meta)?");

  /**
   * Reads the name of a file.
   *
   * @return empty when it is none of a replica
   */
  public static Optional<BlockFile> of(String volume, String directory, String name, long length) {
    Matcher matcher = NAME.matcher(name);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    long generation = matcher.group(2) == null ? -1 : Long.parseLong(matcher.group(2));
    long block = Long.parseLong(matcher.group(1));
    return Optional.of(new BlockFile(volume, directory, block, generation, length));
  }

  boolean isMeta() {
    return generation >= 0;
  }
}
