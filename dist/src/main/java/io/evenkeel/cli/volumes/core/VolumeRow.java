package io.evenkeel.cli.volumes.core;

import java.util.Map;

/**
 * One volume as a DataNode shows it. An attribute that an older plugin does not have reads as
 * unknown. Immutable.
 */
public final class VolumeRow {
  private final Map<?, ?> attributes;

  /** Wraps one object of the bean's list; it is not changed afterwards. */
  public VolumeRow(Map<?, ?> attributes) {
    this.attributes = attributes;
  }

  /** The value as text, empty when it is not there. */
  public String text(String attribute) {
    Object value = attributes.get(attribute);
    return value == null ? "" : String.valueOf(value);
  }

  /** The value, null when it is not there or no number. */
  public Number number(String attribute) {
    Object value = attributes.get(attribute);
    return value instanceof Number ? (Number) value : null;
  }

  /** The value, null when it is not there or negative, which says that it is not known. */
  public Number known(String attribute) {
    Number value = number(attribute);
    return value == null || value.doubleValue() < 0 ? null : value;
  }

  /** The value of a number that is unknown at 0 as well, such as a capacity. */
  public Number positive(String attribute) {
    Number value = number(attribute);
    return value == null || value.doubleValue() <= 0 ? null : value;
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
