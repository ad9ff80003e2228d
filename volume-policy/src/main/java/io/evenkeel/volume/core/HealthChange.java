package io.evenkeel.volume.core;

/**
 * A volume is trusted more or less than before. Immutable.
 *
 * @param <V> type of a volume
 */
public final class HealthChange<V> {
  private final V volume;
  private final Health from;
  private final Health to;
  private final String reason;

  HealthChange(V volume, Health from, Health to, String reason) {
    this.volume = volume;
    this.from = from;
    this.to = to;
    this.reason = reason;
  }

  /** Which volume. */
  public V volume() {
    return volume;
  }

  /** What it was before. */
  public Health from() {
    return from;
  }

  /** What it is now. */
  public Health to() {
    return to;
  }

  /** Why; empty when it is in use again. */
  public String reason() {
    return reason;
  }
}
