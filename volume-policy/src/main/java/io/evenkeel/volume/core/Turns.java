package io.evenkeel.volume.core;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;

/**
 * The turns of all volumes that somebody still refers to. Volumes are told apart by identity and
 * held weakly.
 *
 * <p>A list and not a map: lists of volumes come in nearly the same order each time, so looking on
 * from the last hit finds the next one at once, without hashing.
 *
 * <p>Not thread-safe: the owner guards it, and the fields of {@link Turn}.
 */
final class Turns<V> {
  private final List<Turn<V>> known = new ArrayList<>();
  private int next;

  /** The turn of a volume; when it has none, a new one that counts as chosen at {@code stamp}. */
  Turn<V> of(V volume, long stamp) {
    int size = known.size();
    int at = next;
    for (int i = 0; i < size; i++) {
      Turn<V> turn = known.get(at);
      at = at + 1 == size ? 0 : at + 1;
      if (turn.get() == volume) {
        next = at;
        return turn;
      }
    }
    size(); // a new volume is rare, so this is the time to forget others
    Turn<V> turn = new Turn<>(volume);
    turn.lastChosen = stamp;
    known.add(turn);
    next = 0;
    return turn;
  }

  /** Forgets volumes that are gone and says how many are left. */
  int size() {
    if (known.removeIf(turn -> turn.get() == null)) {
      next = 0;
    }
    return known.size();
  }

  /** When a volume was last chosen, and claims on it that are not settled. */
  static final class Turn<V> extends WeakReference<V> {
    long lastChosen;
    long newestClaim;
    int openClaims;

    Turn(V volume) {
      super(volume);
    }

    long last() {
      return openClaims == 0 ? lastChosen : Math.max(lastChosen, newestClaim);
    }
  }
}
