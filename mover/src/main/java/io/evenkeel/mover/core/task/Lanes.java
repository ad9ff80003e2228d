package io.evenkeel.mover.core.task;

import io.evenkeel.mover.core.task.MoveQueue.Entry;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeSet;
import java.util.function.LongConsumer;
import java.util.function.Predicate;

/**
 * Waiting moves of one request to one DataNode, in a lane for each DataNode their bytes are read
 * from, so that one that hangs or is busy is in nobody's way; moves within a DataNode have a lane
 * too. By priority and age over all lanes. Not thread-safe.
 *
 * @param <T> what belongs to a move
 */
final class Lanes<T> {
  /** How many lanes, and moves of a lane that were put off, are looked at before others' turn. */
  private static final int LOOK_AHEAD = 32;

  /** The lane of moves within a DataNode. */
  private static final String LOCAL = "";

  private static final class Lane<T> {
    final String proxy;
    final PriorityQueue<Entry<T>> moves;

    Lane(String proxy, Comparator<Entry<T>> order) {
      this.proxy = proxy;
      this.moves = new PriorityQueue<>(order);
    }

    boolean isLocal() {
      return proxy.equals(LOCAL);
    }
  }

  private final NodePermits permits;
  private final Comparator<Entry<T>> order;
  private final Map<String, Lane<T>> byProxy = new HashMap<>();

  /** By the first move of each. A lane is not in here while its first move changes. */
  private final TreeSet<Lane<T>> lanes;

  /**
   * Creates it without a move.
   *
   * @param order total
   */
  Lanes(NodePermits permits, Comparator<Entry<T>> order) {
    this.permits = permits;
    this.order = order;
    this.lanes = new TreeSet<>((a, b) -> order.compare(a.moves.peek(), b.moves.peek()));
  }

  boolean isEmpty() {
    return lanes.isEmpty();
  }

  /** The move whose turn it is, if it may start. */
  Entry<T> first() {
    return lanes.first().moves.peek();
  }

  void add(Entry<T> entry) {
    Lane<T> lane =
        byProxy.computeIfAbsent(
            entry.move().isLocal() ? LOCAL : entry.move().proxy(),
            proxy -> new Lane<>(proxy, order));
    if (!lane.moves.isEmpty()) {
      lanes.remove(lane);
    }
    lane.moves.add(entry);
    lanes.add(lane);
  }

  /** Takes all moves of such owners out. */
  void removeIf(Predicate<T> owner, List<Entry<T>> out) {
    lanes.clear();
    for (Iterator<Lane<T>> all = byProxy.values().iterator(); all.hasNext(); ) {
      Lane<T> lane = all.next();
      for (Iterator<Entry<T>> moves = lane.moves.iterator(); moves.hasNext(); ) {
        Entry<T> entry = moves.next();
        if (owner.test(entry.owner())) {
          out.add(entry);
          moves.remove();
        }
      }
      if (lane.moves.isEmpty()) {
        all.remove();
      } else {
        lanes.add(lane);
      }
    }
  }

  /**
   * The next move that may start for all the DataNode says that it reads from, with a permit of
   * that one unless it is a local move; null when there is none.
   *
   * @param wake told, in nanoseconds from now, when one that only waits for time may start
   */
  Entry<T> poll(long now, LongConsumer wake) {
    int looked = 0;
    for (Iterator<Lane<T>> all = lanes.iterator(); all.hasNext() && looked < LOOK_AHEAD; looked++) {
      Lane<T> lane = all.next();
      Entry<T> found = take(lane, now, wake);
      if (found != null) {
        all.remove();
        if (lane.moves.isEmpty()) {
          byProxy.remove(lane.proxy);
        } else {
          lanes.add(lane);
        }
        return found;
      }
    }
    return null;
  }

  private Entry<T> take(Lane<T> lane, long now, LongConsumer wake) {
    if (lane.isLocal()) {
      return takeDue(lane, now, wake);
    }
    long blocked = permits.notBefore(lane.proxy) - now;
    if (blocked > 0) {
      wake.accept(blocked);
      return null;
    }
    if (!permits.tryAcquire(lane.proxy)) {
      return null;
    }
    Entry<T> found = takeDue(lane, now, wake);
    if (found == null) {
      permits.release(lane.proxy);
    }
    return found;
  }

  /** The first move of a lane that is not put off. */
  private Entry<T> takeDue(Lane<T> lane, long now, LongConsumer wake) {
    List<Entry<T>> passed = new ArrayList<>();
    Entry<T> found = null;
    while (found == null && !lane.moves.isEmpty() && passed.size() < LOOK_AHEAD) {
      Entry<T> entry = lane.moves.poll();
      long wait = entry.delayNanos(now);
      if (wait > 0) {
        wake.accept(wait);
        passed.add(entry);
      } else {
        found = entry;
      }
    }
    lane.moves.addAll(passed);
    return found;
  }
}
