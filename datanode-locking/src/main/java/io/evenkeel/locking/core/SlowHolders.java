package io.evenkeel.locking.core;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Decides which slow holders are worth a log line: at each look the longest of a volume, unless
 * something was told of that volume less than an interval ago; then it is kept for later. Holds
 * that end between two looks count as well. Thread-safe; the lock inside is held for memory only.
 */
public final class SlowHolders {
  private final long slowNanos;
  private final long intervalNanos;

  /** By storage id; guarded by this. */
  private final Map<String, Volume> volumes = new HashMap<>();

  /**
   * Nothing told yet.
   *
   * @param slowNanos a hold of this length or longer is slow
   * @param intervalNanos least time between two lines about a volume
   */
  public SlowHolders(long slowNanos, long intervalNanos) {
    this.slowNanos = slowNanos;
    this.intervalNanos = intervalNanos;
  }

  /** Whether a hold of this length is slow. */
  public boolean isSlow(long heldNanos) {
    return heldNanos >= slowNanos;
  }

  /** What counts as slow, in nanoseconds. */
  public long slowNanos() {
    return slowNanos;
  }

  /** A slow hold is over. */
  synchronized void ended(Operation operation, long heldNanos) {
    SlowHold hold = SlowHold.ended(operation, heldNanos);
    volume(hold.volume()).note(hold);
  }

  private Volume volume(String id) {
    return volumes.computeIfAbsent(id, key -> new Volume());
  }

  /**
   * What to tell now.
   *
   * @param nanoTime as {@link System#nanoTime}
   * @param holdings who holds a lock at this moment
   * @return at most one per volume, ordered by storage id
   */
  public synchronized List<SlowHold> look(long nanoTime, List<Holding> holdings) {
    Map<String, Volume> now = new TreeMap<>();
    for (Holding each : holdings) {
      if (isSlow(each.heldNanos())) {
        SlowHold hold = SlowHold.going(each);
        now.computeIfAbsent(hold.volume(), key -> new Volume()).note(hold);
      }
    }
    volumes.forEach((id, ended) -> now.computeIfAbsent(id, key -> new Volume()).addEnded(ended));
    List<SlowHold> told = new ArrayList<>();
    now.forEach(
        (id, seen) -> {
          if (seen.worst != null && volume(id).mayTell(nanoTime, intervalNanos)) {
            told.add(seen.worst.withOthers(seen.count - 1));
          }
        });
    return told;
  }

  /** Slow holds of one volume that nobody was told of. Guarded by its owner. */
  private static final class Volume {
    private SlowHold worst;
    private long count;
    private boolean told;
    private long toldAt;

    void note(SlowHold hold) {
      count++;
      if (worst == null || hold.heldNanos() > worst.heldNanos()) {
        worst = hold;
      }
    }

    void addEnded(Volume ended) {
      if (ended.worst != null) {
        note(ended.worst);
        count += ended.count - 1;
      }
    }

    boolean mayTell(long now, long interval) {
      if (told && now - toldAt < interval) {
        return false;
      }
      told = true;
      toldAt = now;
      worst = null;
      count = 0;
      return true;
    }
  }
}
