package io.evenkeel.volume;

import io.evenkeel.common.config.Key;
import io.evenkeel.common.config.KeyTable;
import io.evenkeel.common.version.SupportedVersions;

/** The configuration keys of this module and the Hadoop releases it is tested on. */
public final class VolumeKeys {
  /** Hadoop releases the tests of this module run on. */
  public static final SupportedVersions SUPPORTED =
      SupportedVersions.of("2.7.7", "2.10.2", "3.1.4", "3.3.6", "3.4.3", "3.5.0");

  /** Use the module on a release that is not in {@link #SUPPORTED}. */
  public static final Key<Boolean> ALLOW_UNTESTED =
      Key.bool(
          "evenkeel.volume.allow-untested",
          false,
          "Stay active on a Hadoop release this jar was not tested on, instead of falling back to the stock policy.");

  /** All keys under {@code evenkeel.volume.}. */
  public static final KeyTable TABLE = KeyTable.of("evenkeel.volume.", ALLOW_UNTESTED);

  private VolumeKeys() {}
}
