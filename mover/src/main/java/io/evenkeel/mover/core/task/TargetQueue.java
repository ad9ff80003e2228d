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
 * Waiting moves of one request to one DataNode, in a queue for each DataNode their bytes are read
 * from, so that one that hangs or is busy is in nobody's way; moves within a DataNode have a queue
 * too. By priority and age over all queues. What was put off waits beside them until it is due. Not
 * thread-safe. Separate from the queue of all, which has one for each request and DataNode.
 *
 * @param <T> what belongs to a move
 */
final class TargetQueue<T> {
  /**
   * How many queues are looked at before others have their turn: as many as moves are made at once
   * by default, so that DataNodes without a permit seldom hide one that has. With more moves at
   * once they may, until one of theirs ends.
   */
  private static final int LOOK_AHEAD = 32;

  /** The queue of moves within a DataNode. */
  private static final String LOCAL = "";

  private static final class ProxyQueue<T> {
    final String proxy;
    final PriorityQueue<Entry<T>> moves;

    ProxyQueue(String proxy, Comparator<Entry<T>> order) {
      this.proxy = proxy;
      this.moves = new PriorityQueue<>(order);
    }
  }

  private final MovesPerDataNode permits;
  private final UnresponsiveDataNodes sources;
  private final Comparator<Entry<T>> order;
  private final Map<String, ProxyQueue<T>> byProxy = new HashMap<>();

  /** By the first move of each. A queue is not in here while its first move changes. */
  private final TreeSet<ProxyQueue<T>> queues;

  /** By when they may start. */
  private final PriorityQueue<Entry<T>> putOff =
      new PriorityQueue<>((a, b) -> Long.signum(a.delayNanos(b.notBefore())));

  /**
   * Creates it without a move.
   *
   * @param order total
   */
  TargetQueue(MovesPerDataNode permits, UnresponsiveDataNodes sources, Comparator<Entry<T>> order) {
    this.permits = permits;
    this.sources = sources;
    this.order = order;
    this.queues = new TreeSet<>((a, b) -> order.compare(a.moves.peek(), b.moves.peek()));
  }

  boolean isEmpty() {
    return queues.isEmpty() && putOff.isEmpty();
  }

  /** The move whose turn it is; null when all are put off. */
  Entry<T> first() {
    return queues.isEmpty() ? null : queues.first().moves.peek();
  }

  void add(Entry<T> entry) {
    if (entry.delays() > 0) {
      putOff.add(entry);
    } else {
      line(entry);
    }
  }

  private void line(Entry<T> entry) {
    ProxyQueue<T> queue =
        byProxy.computeIfAbsent(
            entry.move().isLocal() ? LOCAL : entry.move().proxy(),
            proxy -> new ProxyQueue<>(proxy, order));
    boolean first = queue.moves.isEmpty() || order.compare(entry, queue.moves.peek()) < 0;
    if (first && !queue.moves.isEmpty()) {
      queues.remove(queue);
    }
    queue.moves.add(entry);
    if (first) {
      queues.add(queue);
    }
  }

  /** Takes all such moves out. */
  void removeIf(Predicate<Entry<T>> which, List<Entry<T>> out) {
    take(putOff, which, out);
    List<ProxyQueue<T>> changed = new ArrayList<>();
    for (ProxyQueue<T> queue : byProxy.values()) {
      if (queue.moves.stream().anyMatch(which)) {
        changed.add(queue);
      }
    }
    for (ProxyQueue<T> queue : changed) {
      queues.remove(queue);
      take(queue.moves, which, out);
      settle(queue);
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

  /** After moves of a queue were taken, while it stands in no order. */
  private void settle(ProxyQueue<T> queue) {
    if (queue.moves.isEmpty()) {
      byProxy.remove(queue.proxy);
    } else {
      queues.add(queue);
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
    for (Iterator<ProxyQueue<T>> all = queues.iterator();
        all.hasNext() && looked < LOOK_AHEAD;
        looked++) {
      ProxyQueue<T> queue = all.next();
      if (isFree(queue, now, wake)) {
        all.remove();
        Entry<T> found = queue.moves.poll();
        settle(queue);
        return found;
      }
    }
    return null;
  }

  /** Whether moves of the queue may start; then with a permit taken, if they need one. */
  private boolean isFree(ProxyQueue<T> queue, long now, LongConsumer wake) {
    if (queue.proxy.equals(LOCAL)) {
      return true;
    }
    long blocked = permits.notBefore(queue.proxy) - now;
    if (blocked > 0) {
      wake.accept(blocked);
      return false;
    }
    return !sources.isHeld(queue.proxy, now) && permits.tryAcquire(queue.proxy);
  }
}
