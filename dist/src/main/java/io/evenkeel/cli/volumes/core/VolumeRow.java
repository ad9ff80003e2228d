package io.evenkeel.cli.volumes.core;

import io.evenkeel.cli.core.BeanRow;
import java.util.Map;

/** One volume as a DataNode shows it. Immutable. */
public final class VolumeRow extends BeanRow {
  /** Wraps one object of the bean's list; it is not changed afterwards. */
  public VolumeRow(Map<?, ?> attributes) {
    super(attributes);
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
