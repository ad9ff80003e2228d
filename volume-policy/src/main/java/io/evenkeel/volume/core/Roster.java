package io.evenkeel.volume.core;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * What is known of each volume that somebody still refers to. Volumes are told apart by identity
 * and held weakly.
 *
 * <p>A list and not a map: lists of volumes come in nearly the same order each time, so looking on
 * from the last hit finds the next one at once, without hashing.
 *
 * <p>Not thread-safe: the owner guards it, and what it holds.
 *
 * @param <V> type of a volume
 * @param <T> what is known of one
 */
final class Roster<V, T extends WeakReference<V>> {
  private final List<T> known = new ArrayList<>();
  private final Function<V, T> stranger;
  private int next;

  /** Creates an empty roster; {@code stranger} makes the entry of a volume not known yet. */
  Roster(Function<V, T> stranger) {
    this.stranger = stranger;
  }

  /** The entry of a volume; a new one when it has none. */
  T of(V volume) {
    int size = known.size();
    int at = next;
    for (int i = 0; i < size; i++) {
      T entry = known.get(at);
      at = at + 1 == size ? 0 : at + 1;
      if (entry.get() == volume) {
        next = at;
        return entry;
      }
    }
    forget(); // a new volume is rare, so this is the time
    T entry = stranger.apply(volume);
    known.add(entry);
    next = 0;
    return entry;
  }

  /** All entries, those of volumes that are gone left out. */
  List<T> all() {
    forget();
    return new ArrayList<>(known);
  }

  private void forget() {
    if (known.removeIf(entry -> entry.get() == null)) {
      next = 0;
    }
  }
}
