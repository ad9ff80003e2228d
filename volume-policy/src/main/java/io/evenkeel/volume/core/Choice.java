package io.evenkeel.volume.core;

import java.util.Collections;
import java.util.List;

/**
 * The volume chosen, if any, and the volumes that had no room. Immutable.
 *
 * @param <V> type of a volume
 */
public final class Choice<V> {
  private final V volume;
  private final List<V> refused;
  private final long largestFree;

  private Choice(V volume, List<V> refused, long largestFree) {
    this.volume = volume;
    this.refused = refused.isEmpty() ? refused : Collections.unmodifiableList(refused);
    this.largestFree = largestFree;
  }

  static <V> Choice<V> of(V volume) {
    return new Choice<>(volume, Collections.emptyList(), 0);
  }

  static <V> Choice<V> of(V volume, List<V> refused, long largestFree) {
    return new Choice<>(volume, refused, largestFree);
  }

  static <V> Choice<V> none(List<V> refused, long largestFree) {
    return new Choice<>(null, refused, largestFree);
  }

  /** Whether a volume was found. */
  public boolean found() {
    return volume != null;
  }

  /** The volume chosen; null when none was found. */
  public V volume() {
    return volume;
  }

  /**
   * Volumes that had no room, in the order they were asked; of a {@link VolumeGroup} only when none
   * was found.
   */
  public List<V> refused() {
    return refused;
  }

  /** Largest free space in bytes among {@link #refused}; 0 when that is empty. */
  public long largestFree() {
    return largestFree;
  }
}
