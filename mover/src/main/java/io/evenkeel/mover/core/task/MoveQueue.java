package io.evenkeel.mover.core.task;

import io.evenkeel.mover.core.plan.ReplicaMove;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.function.LongConsumer;
import java.util.function.Predicate;

/**
 * Moves that wait for their turn: the permits of their DataNodes, the bandwidth of their request
 * and of their target. Fair over target DataNodes, by priority and age on each. Not thread-safe.
 *
 * @param <T> what belongs to a move
 */
public final class MoveQueue<T> {
  /** How many moves of one target are looked at before others have their turn. */
  private static final int LOOK_AHEAD = 32;

  private final NodePermits permits;
  private final long nodeBytesPerSecond;
  private final Map<String, TokenBucket> nodeBandwidth = new HashMap<>();
  private final Comparator<Entry<T>> order =
      Comparator.<Entry<T>>comparingInt(e -> -e.priority).thenComparingLong(e -> e.sequence);

  /** By target and request: one whose bandwidth is used up is in nobody's way. */
  private final Map<String, Map<TokenBucket, PriorityQueue<Entry<T>>>> byTarget = new HashMap<>();

  private final List<String> turn = new ArrayList<>();
  private int next;
  private int size;
  private long sequence;

  /**
   * Creates an empty queue.
   *
   * @param nodeBytesPerSecond most bytes a second into one DataNode, local moves too; 0 for no
   *     limit
   */
  public MoveQueue(NodePermits permits, long nodeBytesPerSecond) {
    this.permits = permits;
    this.nodeBytesPerSecond = nodeBytesPerSecond;
  }

  /** One waiting move. */
  public static final class Entry<T> {
    private final ReplicaMove move;
    private final T owner;
    private final TokenBucket bandwidth;
    private final int priority;
    private long sequence;
    private long notBefore;
    private int delays;

    /** A move of an owner, under the bandwidth of its request. */
    public Entry(ReplicaMove move, T owner, TokenBucket bandwidth, int priority) {
      this.move = move;
      this.owner = owner;
      this.bandwidth = bandwidth;
      this.priority = priority;
    }

    /** The move. */
    public ReplicaMove move() {
      return move;
    }

    /** What belongs to it. */
    public T owner() {
      return owner;
    }

    /** How often it was put off. */
    public int delays() {
      return delays;
    }
  }

  /** Number of waiting moves. */
  public int size() {
    return size;
  }

  /** Permits that are taken by moves under way. */
  public int permits() {
    return permits.inFlight();
  }

  /** Adds a move. */
  public void add(Entry<T> entry) {
    entry.sequence = sequence++;
    put(entry);
  }

  private void put(Entry<T> entry) {
    byTarget
        .computeIfAbsent(
            entry.move.target(),
            node -> {
              turn.add(node);
              return new HashMap<>();
            })
        .computeIfAbsent(entry.bandwidth, request -> new PriorityQueue<>(order))
        .add(entry);
    size++;
  }

  /**
   * Puts a move back that a DataNode was too busy for; it gives its permits back.
   *
   * @param proxyRefused whether that was the DataNode the bytes are read from, not the target
   */
  public void putOff(Entry<T> entry, boolean proxyRefused, long nowNanos, long delayNanos) {
    ReplicaMove move = entry.move;
    permits.busy(proxyRefused ? move.proxy() : move.target(), nowNanos);
    release(entry);
    entry.notBefore = nowNanos + delayNanos;
    entry.delays++;
    put(entry);
  }

  /** Gives the permits of a move back that has ended. */
  public void ended(Entry<T> entry, boolean done) {
    if (done) {
      permits.succeeded(entry.move.target());
      if (!entry.move.isLocal()) {
        permits.succeeded(entry.move.proxy());
      }
    }
    release(entry);
  }

  private void release(Entry<T> entry) {
    permits.release(entry.move.target());
    if (!entry.move.isLocal()) {
      permits.release(entry.move.proxy());
    }
  }

  /** Takes all moves out that belong to an owner of this kind. */
  public List<Entry<T>> removeIf(Predicate<T> owner) {
    List<Entry<T>> out = new ArrayList<>();
    for (Map<TokenBucket, PriorityQueue<Entry<T>>> queues : byTarget.values()) {
      for (PriorityQueue<Entry<T>> queue : queues.values()) {
        for (Iterator<Entry<T>> all = queue.iterator(); all.hasNext(); ) {
          Entry<T> entry = all.next();
          if (owner.test(entry.owner)) {
            out.add(entry);
            all.remove();
          }
        }
      }
      queues.values().removeIf(PriorityQueue::isEmpty);
    }
    size -= out.size();
    return out;
  }

  /**
   * The next move that may start now, with its permits taken; null when none may.
   *
   * @param wake told, in nanoseconds from now, when a move that only waits for time may start
   */
  public Entry<T> poll(long nowNanos, LongConsumer wake) {
    for (int seen = turn.size(); seen > 0; seen--) {
      if (next >= turn.size()) {
        next = 0;
      }
      String node = turn.get(next);
      Map<TokenBucket, PriorityQueue<Entry<T>>> queues = byTarget.get(node);
      if (queues.isEmpty()) {
        byTarget.remove(node);
        turn.remove(next);
        continue;
      }
      next++;
      Entry<T> found = poll(node, queues, nowNanos, wake);
      if (found != null) {
        size--;
        return found;
      }
    }
    return null;
  }

  private Entry<T> poll(
      String node, Map<TokenBucket, PriorityQueue<Entry<T>>> queues, long now, LongConsumer wake) {
    long blocked = Math.max(permits.notBefore(node) - now, bandwidthOf(node).delayNanos(now));
    if (blocked > 0) {
      wake.accept(blocked);
      return null;
    }
    List<PriorityQueue<Entry<T>>> requests = new ArrayList<>(queues.values());
    requests.sort((a, b) -> order.compare(a.peek(), b.peek()));
    Entry<T> found = null;
    for (int i = 0; i < requests.size() && found == null; i++) {
      found = poll(requests.get(i), now, wake);
    }
    queues.values().removeIf(PriorityQueue::isEmpty);
    if (found != null && found.delays == 0) { // one that was put off has paid already
      found.bandwidth.take(found.move.replica().bytes(), now);
      bandwidthOf(node).take(found.move.replica().bytes(), now);
    }
    return found;
  }

  private Entry<T> poll(PriorityQueue<Entry<T>> queue, long now, LongConsumer wake) {
    long overdrawn = queue.peek().bandwidth.delayNanos(now);
    if (overdrawn > 0) {
      wake.accept(overdrawn);
      return null;
    }
    List<Entry<T>> passed = new ArrayList<>();
    Entry<T> found = null;
    while (found == null && !queue.isEmpty() && passed.size() < LOOK_AHEAD) {
      Entry<T> entry = queue.poll();
      long wait = waitOf(entry, now);
      if (wait > 0) {
        wake.accept(wait);
        passed.add(entry);
      } else if (acquire(entry)) {
        found = entry;
      } else {
        passed.add(entry);
      }
    }
    queue.addAll(passed);
    return found;
  }

  /** How long it is put off, or the DataNode it reads from is not to be asked; nanoseconds. */
  private long waitOf(Entry<T> entry, long now) {
    long own = entry.delays == 0 ? 0 : entry.notBefore - now;
    return entry.move.isLocal() ? own : Math.max(own, permits.notBefore(entry.move.proxy()) - now);
  }

  private boolean acquire(Entry<T> entry) {
    if (!permits.tryAcquire(entry.move.target())) {
      return false;
    }
    if (entry.move.isLocal() || permits.tryAcquire(entry.move.proxy())) {
      return true;
    }
    permits.release(entry.move.target());
    return false;
  }

  private TokenBucket bandwidthOf(String node) {
    return nodeBandwidth.computeIfAbsent(node, any -> new TokenBucket(nodeBytesPerSecond));
  }
}
