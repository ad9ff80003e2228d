package io.evenkeel.cli.volumes.core;

import io.evenkeel.cli.core.BeanRow;

/** One volume as a DataNode shows it. Immutable. */
public final class VolumeRow extends BeanRow {
  /** The same attributes. */
  VolumeRow(BeanRow row) {
    super(row);
  }

  /** Data directory. */
  public String directory() {
    return text("directory");
  }

  /** {@code in_use}, {@code probation}, {@code ejected}, {@code hung}, {@code failing} or empty. */
  public String health() {
    return text("health");
  }

  /** Whether it is said to be something else than in use. */
  public boolean isSetAside() {
    return !health().isEmpty() && !"in_use".equals(health());
  }
}
