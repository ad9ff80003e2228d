package io.evenkeel.volume.core;

import java.io.IOException;
import java.util.List;

/**
 * Outcome of one choice: a volume; or a volume whose free space cannot be read and whose turn it
 * was; or none with room. Immutable.
 *
 * @param <V> type of a volume
 */
public final class Selection<V> {
  private final V volume;
  private final IOException failure;
  private final List<V> refused;
  private final long largestFree;

  private Selection(V volume, IOException failure, List<V> refused, long largestFree) {
    this.volume = volume;
    this.failure = failure;
    this.refused = refused;
    this.largestFree = largestFree;
  }

  static <V> Selection<V> of(V volume) {
    return new Selection<>(volume, null, null, 0);
  }

  static <V> Selection<V> failing(V volume, IOException failure) {
    return new Selection<>(volume, failure, null, 0);
  }

  static <V> Selection<V> none(List<V> refused, long largestFree) {
    return new Selection<>(null, null, refused, largestFree);
  }

  /** The volume chosen, or the one that failed; null when none has room. */
  public V volume() {
    return volume;
  }

  /** Why the volume cannot be used; null when it can. */
  public IOException failure() {
    return failure;
  }

  /** When none has room: the volumes that were asked. */
  public List<V> refused() {
    return refused;
  }

  /** When none has room: the largest free space among those asked, in bytes. */
  public long largestFree() {
    return largestFree;
  }
}
