package io.evenkeel.volume.core;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * The volumes of one group that somebody still refers to, told apart by identity.
 *
 * <p>A list and not a map: lists of volumes come in nearly the same order each time, so the place
 * after the last hit is nearly always the right one. Not thread-safe: guarded by the group.
 */
final class Roster<V> {
  private final List<Tracked<V>> known = new ArrayList<>();
  private final Function<V, VolumeTraits> traits;
  private int next;

  Roster(Function<V, VolumeTraits> traits) {
    this.traits = traits;
  }

  /** What is known of a volume; nothing yet, when it is new. */
  Tracked<V> of(V volume) {
    int size = known.size();
    int at = next;
    for (int i = 0; i < size; i++) {
      if (at >= size) {
        at = 0;
      }
      Tracked<V> tracked = known.get(at++);
      if (tracked.get() == volume) {
        next = at;
        return tracked;
      }
    }
    known.removeIf(t -> t.get() == null); // a new volume is rare: the time to forget others
    Tracked<V> tracked = new Tracked<>(volume, traits.apply(volume));
    known.add(tracked);
    next = 0;
    return tracked;
  }

  /** All of them, forgotten ones left out. */
  List<Tracked<V>> all() {
    if (known.removeIf(t -> t.get() == null)) {
      next = 0;
    }
    return new ArrayList<>(known);
  }
}
