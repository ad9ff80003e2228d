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

  /** All keys under {@code evenkeel.terasort.}. */
  public static final KeyTable TABLE = KeyTable.of("evenkeel.terasort.", ALLOW_UNTESTED);

  private TerasortKeys() {}
}
