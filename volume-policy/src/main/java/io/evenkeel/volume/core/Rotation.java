package io.evenkeel.volume.core;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Exact rotation over the volumes of one storage type: each choice takes the least recently chosen
 * volume that has room, ties in list order.
 *
 * <p>The state belongs to the volumes, not to positions in a list. So the next list may be shorter,
 * longer or in another order: a volume that is new or was absent is chosen once and then rotates,
 * and a volume nobody refers to any more is forgotten.
 *
 * <p>A choice first claims a volume, under the lock, and asks for its free space afterwards,
 * without the lock. Concurrent choices therefore claim different volumes, and one that cannot
 * answer delays only those that have claimed it. A volume without room gives the claim back and
 * keeps its place; a volume that throws has had its turn, so that it fails one choice per round and
 * not all of them.
 *
 * <p>Thread-safe. All fields, and those of {@link Turn}, are guarded by {@code this}.
 *
 * @param <V> type of a volume; compared by identity
 */
public final class Rotation<V> {
  private final WeakIdentityMap<V, Turn> turns = new WeakIdentityMap<>();
  private long stamp;

  /**
   * Chooses a volume.
   *
   * @param candidates volumes of one storage type; may be empty
   * @param moreThan bytes; a volume has room when its free space is larger
   * @param space asked at most once per volume, in rotation order
   * @return the choice; nothing found is a value, not an exception
   * @throws IOException as thrown by {@code space}
   */
  public Choice<V> choose(List<? extends V> candidates, long moreThan, FreeSpace<V> space)
      throws IOException {
    List<V> volumes = new ArrayList<>(candidates);
    List<V> refused = Collections.emptyList();
    long largestFree = 0;
    while (!volumes.isEmpty()) {
      Claim<V> claim = claim(volumes);
      V volume = claim.volume;
      boolean used = true;
      long free;
      try {
        free = space.of(volume);
        used = free > moreThan;
      } finally {
        settle(claim, used);
      }
      if (used) {
        return Choice.of(volume, refused, largestFree);
      }
      if (refused.isEmpty()) {
        refused = new ArrayList<>(volumes.size());
      }
      refused.add(volume);
      largestFree = Math.max(largestFree, free);
      volumes.remove(claim.index);
    }
    return Choice.none(refused, largestFree);
  }

  /** Takes the turn of the volume that waited longest. {@code volumes} must not be empty. */
  synchronized Claim<V> claim(List<V> volumes) {
    int index = 0;
    Turn longest = null;
    for (int i = 0; i < volumes.size(); i++) {
      Turn turn = turnOf(volumes.get(i));
      if (longest == null || turn.last() < longest.last()) {
        longest = turn;
        index = i;
      }
    }
    stamp++;
    longest.openClaims++;
    longest.newestClaim = stamp;
    return new Claim<>(volumes.get(index), index, longest, stamp);
  }

  /** Ends a claim: the turn was used, or the volume keeps its place. */
  synchronized void settle(Claim<V> claim, boolean used) {
    claim.turn.openClaims--;
    if (used) {
      claim.turn.lastChosen = Math.max(claim.turn.lastChosen, claim.stamp);
    }
  }

  /** How many volumes have a place at the moment, forgotten ones not counted. */
  synchronized int size() {
    return turns.size();
  }

  private Turn turnOf(V volume) {
    Turn turn = turns.get(volume);
    if (turn == null) {
      turn = new Turn();
      turns.put(volume, turn);
    }
    return turn;
  }

  /** When a volume was last chosen, and claims on it that are not settled. */
  private static final class Turn {
    long lastChosen;
    long newestClaim;
    int openClaims;

    long last() {
      return openClaims == 0 ? lastChosen : Math.max(lastChosen, newestClaim);
    }
  }

  /** A volume whose free space is being asked for. Immutable apart from its turn. */
  static final class Claim<V> {
    final V volume;
    final int index;
    private final Turn turn;
    private final long stamp;

    private Claim(V volume, int index, Turn turn, long stamp) {
      this.volume = volume;
      this.index = index;
      this.turn = turn;
      this.stamp = stamp;
    }
  }
}
