package io.evenkeel.mover.core.task;

import io.evenkeel.mover.core.plan.ReplicaMove;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import java.util.function.Predicate;

/**
 * Moves that wait for their turn: the permits of their DataNodes, the bandwidth of their request
 * and of their target, and the pace of all that share one. Fair over target DataNodes, by priority
 * and age on each, where a DataNode that is read from and has no permit left is in nobody's way.
 * Not thread-safe.
 *
 * @param <T> what belongs to a move
 */
public final class MoveQueue<T> {
  private final MovesPerDataNode permits;
  private final UnresponsiveDataNodes targets = UnresponsiveDataNodes.targets();
  private final UnresponsiveDataNodes sources = UnresponsiveDataNodes.sources();
  private final long nodeBytesPerSecond;
  private final Map<String, TokenBucket> nodeBandwidth = new HashMap<>();
  private final Comparator<Entry<T>> order =
      Comparator.<Entry<T>>comparingInt(e -> -e.priority).thenComparingLong(e -> e.sequence);

  /** By target and request: one whose bandwidth is used up is in nobody's way. */
  private final Map<String, Map<TokenBucket, TargetQueue<T>>> byTarget = new HashMap<>();

  private final List<String> turn = new ArrayList<>();
  private int next;
  private int size;
  private int local;
  private int paced;
  private TokenBucket pace; // what all that are paced share
  private long sequence;

  /**
   * Creates an empty queue.
   *
   * @param nodeBytesPerSecond most bytes a second into one DataNode, local moves too; 0 for no
   *     limit
   */
  public MoveQueue(MovesPerDataNode permits, long nodeBytesPerSecond) {
    this.permits = permits;
    this.nodeBytesPerSecond = nodeBytesPerSecond;
  }

  /** One waiting move. */
  public static final class Entry<T> {
    private final ReplicaMove move;
    private final T owner;
    private final TokenBucket bandwidth;
    private int priority;
    private TokenBucket pace; // null for none; the same for all that have one
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

    /** It also takes one of these, which are replicas. Before it is added, if at all. */
    public void pacedBy(TokenBucket replicas) {
      pace = replicas;
    }

    private long overdrawnNanos(long now) {
      return Math.max(bandwidth.delayNanos(now), pace == null ? 0 : pace.delayNanos(now));
    }

    private void pay(long now) {
      bandwidth.take(move.replica().bytes(), now);
      if (pace != null) {
        pace.take(1, now);
      }
    }

    /** Has it wait for the pace no more, with a priority of at least so. Not while in a queue. */
    public void hurry(int least) {
      pace = null;
      priority = Math.max(priority, least);
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

    /** When it may start, if it was put off. */
    long notBefore() {
      return notBefore;
    }

    /** How long it is put off from now on, nanoseconds; not above 0 when it is not. */
    long delayNanos(long now) {
      return delays == 0 ? 0 : notBefore - now;
    }
  }

  /** Number of waiting moves. */
  public int size() {
    return size;
  }

  /** How many of them are inside a DataNode. */
  public int localMoves() {
    return local;
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
        .computeIfAbsent(entry.bandwidth, request -> new TargetQueue<>(permits, sources, order))
        .add(entry);
    size++;
    local += entry.move.isLocal() ? 1 : 0;
    if (entry.pace != null) {
      paced++;
      pace = entry.pace;
    }
  }

  /** Has the moves of an owner wait for the pace no more, with a priority of at least so. */
  public void hurry(T owner, int priority) {
    for (Entry<T> entry : removeIf(entry -> owner.equals(entry.owner))) {
      entry.hurry(priority);
      put(entry);
    }
  }

  /**
   * Puts a move back that a DataNode was too busy for; it gives its permits back.
   *
   * @param proxyRefused whether that was the DataNode the bytes are read from, not the target
   */
  public void putOff(Entry<T> entry, boolean proxyRefused, long nowNanos, long delayNanos) {
    ReplicaMove move = entry.move;
    permits.busy(proxyRefused ? move.proxy() : move.target(), nowNanos);
    putBack(entry, nowNanos, delayNanos);
  }

  /** Puts a move back that could not be started; it gives its permits back. */
  public void putBack(Entry<T> entry, long nowNanos, long delayNanos) {
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
    targets.ended(entry.move.target());
    if (!entry.move.isLocal()) {
      permits.release(entry.move.proxy());
      sources.ended(entry.move.proxy());
    }
  }

  /** The target of a move said something. */
  public void answered(ReplicaMove move, long nowNanos) {
    targets.alive(move.target(), nowNanos);
  }

  /** Bytes came from the DataNode that a move reads from. */
  public void wasRead(ReplicaMove move, long nowNanos) {
    if (!move.isLocal()) {
      sources.alive(move.proxy(), nowNanos);
    }
  }

  /** The target of a move could not be reached, or said nothing. Before the move is ended. */
  public void notAnswered(ReplicaMove move, long nowNanos) {
    targets.failed(move.target(), nowNanos);
  }

  /** The target of a move could not read from the other DataNode. Before the move is ended. */
  public void notRead(ReplicaMove move, long nowNanos) {
    if (!move.isLocal()) {
      sources.failed(move.proxy(), nowNanos);
    }
  }

  /** How many moves are under way on DataNodes that may hang. */
  public int quiet(long nowNanos) {
    return targets.askedOfQuiet(nowNanos) + sources.askedOfQuiet(nowNanos);
  }

  /** Takes the moves out whose target has hung for long. */
  public List<Entry<T>> removeOfStalledTargets(long nowNanos) {
    return targets.isAnyStalled(nowNanos)
        ? removeIf(entry -> targets.isStalled(entry.move.target(), nowNanos))
        : Collections.emptyList();
  }

  /** Takes the moves out that would be read from a DataNode that has hung for long. */
  public List<Entry<T>> removeOfStalledSources(long nowNanos) {
    return sources.isAnyStalled(nowNanos)
        ? removeIf(
            entry -> !entry.move.isLocal() && sources.isStalled(entry.move.proxy(), nowNanos))
        : Collections.emptyList();
  }

  /** Takes all moves of a kind out. */
  public List<Entry<T>> removeIf(Predicate<Entry<T>> kind) {
    List<Entry<T>> out = new ArrayList<>();
    for (Map<TokenBucket, TargetQueue<T>> requests : byTarget.values()) {
      requests.values().forEach(queues -> queues.removeIf(kind, out));
      requests.values().removeIf(TargetQueue::isEmpty);
    }
    out.forEach(this::left);
    return out;
  }

  private void left(Entry<T> entry) {
    size--;
    local -= entry.move.isLocal() ? 1 : 0;
    paced -= entry.pace == null ? 0 : 1;
  }

  /**
   * The next move that may start now, with its permits taken; null when none may.
   *
   * @param wake told, in nanoseconds from now, when a move that only waits for time may start
   */
  public Entry<T> poll(long nowNanos, LongConsumer wake) {
    long overdrawn = paced == size && size > 0 ? pace.delayNanos(nowNanos) : 0;
    if (overdrawn > 0) { // known without a look at each DataNode
      wake.accept(overdrawn);
      return null;
    }
    for (int seen = turn.size(); seen > 0; seen--) {
      if (next >= turn.size()) {
        next = 0;
      }
      String node = turn.get(next);
      Map<TokenBucket, TargetQueue<T>> requests = byTarget.get(node);
      if (requests.isEmpty()) {
        byTarget.remove(node);
        turn.remove(next);
        continue;
      }
      next++;
      Entry<T> found = poll(node, requests, nowNanos, wake);
      if (found != null) {
        left(found);
        return found;
      }
    }
    return null;
  }

  private Entry<T> poll(
      String node, Map<TokenBucket, TargetQueue<T>> requests, long now, LongConsumer wake) {
    long blocked = Math.max(permits.notBefore(node) - now, bandwidthOf(node).delayNanos(now));
    if (blocked > 0) {
      wake.accept(blocked);
      return null;
    }
    if (targets.isHeld(node, now) || !permits.tryAcquire(node)) {
      return null;
    }
    Entry<T> found = pollOf(requests, now, wake);
    if (found == null) {
      permits.release(node);
      return null;
    }
    targets.asked(node, now);
    if (!found.move.isLocal()) {
      sources.asked(found.move.proxy(), now);
    }
    if (found.delays == 0) { // one that was put off has paid already
      found.pay(now);
      bandwidthOf(node).take(found.move.replica().bytes(), now);
    }
    return found;
  }

  private Entry<T> pollOf(Map<TokenBucket, TargetQueue<T>> requests, long now, LongConsumer wake) {
    List<Map.Entry<TokenBucket, TargetQueue<T>>> byTurn = new ArrayList<>();
    for (Map.Entry<TokenBucket, TargetQueue<T>> request : requests.entrySet()) {
      request.getValue().letIn(now, wake);
      if (request.getValue().first() != null) {
        byTurn.add(request);
      }
    }
    byTurn.sort((a, b) -> order.compare(a.getValue().first(), b.getValue().first()));
    Entry<T> found = null;
    for (int i = 0; i < byTurn.size() && found == null; i++) {
      long overdrawn = byTurn.get(i).getValue().first().overdrawnNanos(now);
      if (overdrawn > 0) {
        wake.accept(overdrawn);
      } else {
        found = byTurn.get(i).getValue().poll(now, wake);
      }
    }
    requests.values().removeIf(TargetQueue::isEmpty);
    return found;
  }

  private TokenBucket bandwidthOf(String node) {
    return nodeBandwidth.computeIfAbsent(node, any -> new TokenBucket(nodeBytesPerSecond));
  }
}
