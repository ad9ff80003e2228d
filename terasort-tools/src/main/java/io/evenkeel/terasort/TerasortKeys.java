package io.evenkeel.terasort;

import io.evenkeel.common.config.Key;
import io.evenkeel.common.config.KeyTable;
import io.evenkeel.common.version.SupportedVersions;

/** The configuration keys of this module and the Hadoop releases it is tested on. */
public final class TerasortKeys {
  /** Hadoop releases the tests of this module run on. */
  public static final SupportedVersions SUPPORTED =
      SupportedVersions.of("3.1.4", "3.3.6", "3.4.3", "3.5.0");

  /** Use the module on a release that is not in {@link #SUPPORTED}. */
  public static final Key<Boolean> ALLOW_UNTESTED =
      Key.bool(
          "evenkeel.terasort.allow-untested",
          false,
          "Run without a warning on a Hadoop release this jar was not tested on.");

  /** Largest split made of several blocks, in bytes. */
  public static final Key<Long> SPLIT_BYTES =
      Key.size(
          "evenkeel.terasort.split.bytes",
          "1g",
          "0",
          "1t",
          "Blocks of one host are packed into splits of up to this size; 0 makes one split of each"
              + " block.");

  /** Splits a host gets at least. */
  public static final Key<Long> SPLITS_PER_HOST =
      Key.number(
          "evenkeel.terasort.split.per-host",
          4,
          1,
          1000,
          "Splits a host gets at least, as far as it has blocks: packing stops where a small input"
              + " would leave parts of a cluster idle.");

  /** All keys under {@code evenkeel.terasort.}. */
  public static final KeyTable TABLE =
      KeyTable.of("evenkeel.terasort.", ALLOW_UNTESTED, SPLIT_BYTES, SPLITS_PER_HOST);

  private TerasortKeys() {}
}
