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

  /** Why it is not as it should be; empty when it is. */
  public String reason() {
    return text("reason");
  }

  /** Whether it is in use, though blocks that were sent there did not arrive. */
  public boolean isInDoubt() {
    return "in_use".equals(health()) && !reason().isEmpty();
  }

  /** Whether it is said to be something else than in use. */
  public boolean isSetAside() {
    return !health().isEmpty() && !"in_use".equals(health());
  }
}
