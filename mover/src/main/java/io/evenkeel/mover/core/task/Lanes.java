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
 * too. By priority and age over all lanes. What was put off waits beside them until it is due. Not
 * thread-safe.
 *
 * @param <T> what belongs to a move
 */
final class Lanes<T> {
  /**
   * How many lanes are looked at before others have their turn: as many as moves are made at once
   * by default, so that DataNodes without a permit seldom hide one that has. With more moves at
   * once they may, until one of theirs ends.
   */
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
  }

  private final NodePermits permits;
  private final QuietNodes sources;
  private final Comparator<Entry<T>> order;
  private final Map<String, Lane<T>> byProxy = new HashMap<>();

  /** By the first move of each. A lane is not in here while its first move changes. */
  private final TreeSet<Lane<T>> lanes;

  /** By when they may start. */
  private final PriorityQueue<Entry<T>> putOff =
      new PriorityQueue<>((a, b) -> Long.signum(a.delayNanos(b.notBefore())));

  /**
   * Creates it without a move.
   *
   * @param order total
   */
  Lanes(NodePermits permits, QuietNodes sources, Comparator<Entry<T>> order) {
    this.permits = permits;
    this.sources = sources;
    this.order = order;
    this.lanes = new TreeSet<>((a, b) -> order.compare(a.moves.peek(), b.moves.peek()));
  }

  boolean isEmpty() {
    return lanes.isEmpty() && putOff.isEmpty();
  }

  /** The move whose turn it is; null when all are put off. */
  Entry<T> first() {
    return lanes.isEmpty() ? null : lanes.first().moves.peek();
  }

  void add(Entry<T> entry) {
    if (entry.delays() > 0) {
      putOff.add(entry);
    } else {
      line(entry);
    }
  }

  private void line(Entry<T> entry) {
    Lane<T> lane =
        byProxy.computeIfAbsent(
            entry.move().isLocal() ? LOCAL : entry.move().proxy(),
            proxy -> new Lane<>(proxy, order));
    boolean first = lane.moves.isEmpty() || order.compare(entry, lane.moves.peek()) < 0;
    if (first && !lane.moves.isEmpty()) {
      lanes.remove(lane);
    }
    lane.moves.add(entry);
    if (first) {
      lanes.add(lane);
    }
  }

  /** Takes all such moves out. */
  void removeIf(Predicate<Entry<T>> which, List<Entry<T>> out) {
    take(putOff, which, out);
    List<Lane<T>> changed = new ArrayList<>();
    for (Lane<T> lane : byProxy.values()) {
      if (lane.moves.stream().anyMatch(which)) {
        changed.add(lane);
      }
    }
    for (Lane<T> lane : changed) {
      lanes.remove(lane);
      take(lane.moves, which, out);
      settle(lane);
    }
  }

  private static <T> void take(
      PriorityQueue<Entry<T>> moves, Predicate<Entry<T>> which, List<Entry<T>> out) {
    for (Iterator<Entry<T>> all = moves.iterator(); all.hasNext(); ) {
      Entry<T> entry = all.next();
      if (which.test(entry)) {
        out.add(entry);
        all.remove();
      }
    }
  }

  /** After moves of a lane were taken, while it stands in no order. */
  private void settle(Lane<T> lane) {
    if (lane.moves.isEmpty()) {
      byProxy.remove(lane.proxy);
    } else {
      lanes.add(lane);
    }
  }

  /**
   * Puts what is due now in line.
   *
   * @param wake told, in nanoseconds from now, when the next one is
   */
  void letIn(long now, LongConsumer wake) {
    while (!putOff.isEmpty() && putOff.peek().delayNanos(now) <= 0) {
      line(putOff.poll());
    }
    if (!putOff.isEmpty()) {
      wake.accept(putOff.peek().delayNanos(now));
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
      if (isFree(lane, now, wake)) {
        all.remove();
        Entry<T> found = lane.moves.poll();
        settle(lane);
        return found;
      }
    }
    return null;
  }

  /** Whether moves of the lane may start; then with a permit taken, if they need one. */
  private boolean isFree(Lane<T> lane, long now, LongConsumer wake) {
    if (lane.proxy.equals(LOCAL)) {
      return true;
    }
    long blocked = permits.notBefore(lane.proxy) - now;
    if (blocked > 0) {
      wake.accept(blocked);
      return false;
    }
    return !sources.isHeld(lane.proxy, now) && permits.tryAcquire(lane.proxy);
  }
}
