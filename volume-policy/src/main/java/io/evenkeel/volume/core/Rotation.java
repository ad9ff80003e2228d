package io.evenkeel.volume.core;

import java.io.IOException;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Exact rotation over the volumes of one storage type: each choice takes the least recently chosen
 * volume that has room, ties in list order.
 *
 * <p>The state belongs to the volumes, not to positions in a list. So the next list may be shorter,
 * longer or in another order: a volume that was absent is chosen once and then rotates, a new one
 * stands at the end of the line, as behind the cursor of stock, and a volume nobody refers to any
 * more is forgotten.
 *
 * <p>A choice first claims a volume, under the lock, and asks for its free space afterwards,
 * without the lock. Concurrent choices therefore claim different volumes, and one that cannot
 * answer delays only those that have claimed it. A volume without room gives the claim back and
 * keeps its place; a volume that throws has had its turn, so that it fails one choice per round and
 * not all of them.
 *
 * <p>Separate from its policy to be tested without Hadoop. Thread-safe. All fields, and those of a
 * {@code Turn}, are guarded by {@code this}.
 *
 * @param <V> type of a volume; compared by identity
 */
public final class Rotation<V> {
  private long stamp;
  private final Roster<V, Turn<V>> turns = new Roster<>(volume -> new Turn<>(volume, stamp));

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
    if (candidates.isEmpty()) {
      return Choice.none(Collections.emptyList(), 0);
    }
    Claim<V> claim = claim(candidates);
    long free = ask(claim, moreThan, space);
    if (free > moreThan) {
      return Choice.of(claim.volume);
    }
    List<V> refused = new ArrayList<>(candidates.size());
    List<V> left = new ArrayList<>(candidates);
    long largestFree = 0;
    while (true) {
      refused.add(claim.volume);
      largestFree = Math.max(largestFree, free);
      remove(left, claim.volume);
      if (left.isEmpty()) {
        return Choice.none(refused, largestFree);
      }
      claim = claim(left);
      free = ask(claim, moreThan, space);
      if (free > moreThan) {
        return Choice.of(claim.volume, refused, largestFree);
      }
    }
  }

  /** By identity, not by index: the caller's list may have changed since the first claim. */
  private static <T> void remove(List<T> volumes, T asked) {
    volumes.removeIf(v -> v == asked);
  }

  /** Free bytes of the volume claimed; settles the claim whatever happens. */
  private long ask(Claim<V> claim, long moreThan, FreeSpace<V> space) throws IOException {
    boolean used = true;
    try {
      long free = space.of(claim.volume);
      used = free > moreThan;
      return free;
    } finally {
      settle(claim, used);
    }
  }

  /** Takes the turn of the volume that waited longest. {@code volumes} must not be empty. */
  synchronized Claim<V> claim(List<? extends V> volumes) {
    V waited = null;
    Turn<V> longest = null;
    long oldest = Long.MAX_VALUE;
    for (int i = 0; i < volumes.size(); i++) {
      V volume = volumes.get(i);
      Turn<V> turn = turns.of(volume);
      long last = turn.last();
      if (last < oldest) {
        longest = turn;
        oldest = last;
        waited = volume;
      }
    }
    stamp++;
    longest.openClaims++;
    longest.newestClaim = stamp;
    return new Claim<>(waited, longest, stamp);
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
    return turns.all().size();
  }

  /** A volume whose free space is being asked for. Immutable apart from its turn. */
  static final class Claim<V> {
    final V volume;
    private final Turn<V> turn;
    private final long stamp;

    private Claim(V volume, Turn<V> turn, long stamp) {
      this.volume = volume;
      this.turn = turn;
      this.stamp = stamp;
    }
  }

  /** When a volume was last chosen, and claims on it that are not settled. */
  private static final class Turn<V> extends WeakReference<V> {
    private long lastChosen;
    private long newestClaim;
    private int openClaims;

    /** A new one counts as chosen at {@code stamp}. */
    Turn(V volume, long stamp) {
      super(volume);
      lastChosen = stamp;
    }

    long last() {
      return openClaims == 0 ? lastChosen : Math.max(lastChosen, newestClaim);
    }
  }
}
