package io.evenkeel.mover.core.task;

import io.evenkeel.mover.core.plan.ReplicaMove;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.function.LongConsumer;
import java.util.function.Predicate;

/**
 * Moves that wait for their turn: the permits of their DataNodes, the bandwidth of their request
 * and of their target, and the pace of all that share one. Fair over target DataNodes, by priority
 * and age on each, where a request whose bandwidth is used up and a DataNode that is read from and
 * is busy or hangs are in nobody's way. Not thread-safe.
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

  /**
   * By target, that of which a move was started last being the last; on each by {@link #lane}. None
   * is empty.
   */
  private final Map<String, Map<List<Object>, PriorityQueue<Entry<T>>>> byTarget =
      new LinkedHashMap<>();

  /** Moves that wait beside the others until they are due, by when that is. */
  private final PriorityQueue<Entry<T>> putOff =
      new PriorityQueue<>((a, b) -> Long.signum(a.notBefore - b.notBefore));

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
    if (entry.delays > 0) {
      putOff.add(entry);
    } else {
      line(entry);
    }
    size++;
    local += entry.move.isLocal() ? 1 : 0;
    if (entry.pace != null) {
      paced++;
      pace = entry.pace;
    }
  }

  private void line(Entry<T> entry) {
    byTarget
        .computeIfAbsent(entry.move.target(), node -> new HashMap<>())
        .computeIfAbsent(lane(entry), lane -> new PriorityQueue<>(order))
        .add(entry);
  }

  /** Of moves to one DataNode those of one request that are read from one DataNode. */
  private static List<Object> lane(Entry<?> entry) {
    return Arrays.asList(entry.bandwidth, entry.move.proxy());
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
    return removeIf(entry -> targets.isStalled(entry.move.target(), nowNanos));
  }

  /** Takes the moves out that would be read from a DataNode that has hung for long. */
  public List<Entry<T>> removeOfStalledSources(long nowNanos) {
    return removeIf(
        entry -> !entry.move.isLocal() && sources.isStalled(entry.move.proxy(), nowNanos));
  }

  /** Takes all moves of a kind out. */
  public List<Entry<T>> removeIf(Predicate<Entry<T>> kind) {
    List<Entry<T>> out = new ArrayList<>();
    take(putOff, kind, out);
    for (Map<List<Object>, PriorityQueue<Entry<T>>> lanes : byTarget.values()) {
      lanes.values().forEach(lane -> take(lane, kind, out));
      lanes.values().removeIf(PriorityQueue::isEmpty);
    }
    byTarget.values().removeIf(Map::isEmpty);
    out.forEach(this::left);
    return out;
  }

  private static <T> void take(
      PriorityQueue<Entry<T>> moves, Predicate<Entry<T>> kind, List<Entry<T>> out) {
    moves.stream().filter(kind).forEach(out::add);
    moves.removeIf(kind);
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
    while (!putOff.isEmpty() && putOff.peek().delayNanos(nowNanos) <= 0) {
      line(putOff.poll());
    }
    if (!putOff.isEmpty()) {
      wake.accept(putOff.peek().delayNanos(nowNanos));
    }
    for (String node : byTarget.keySet()) {
      Entry<T> found = poll(node, nowNanos, wake);
      if (found != null) {
        Map<List<Object>, PriorityQueue<Entry<T>>> lanes = byTarget.remove(node);
        if (!lanes.isEmpty()) {
          byTarget.put(node, lanes); // as the last one
        }
        left(found);
        return found;
      }
    }
    return null;
  }

  private Entry<T> poll(String node, long now, LongConsumer wake) {
    long blocked = Math.max(permits.notBefore(node) - now, bandwidthOf(node).delayNanos(now));
    if (blocked > 0) {
      wake.accept(blocked);
      return null;
    }
    if (targets.isHeld(node, now) || !permits.isFree(node)) {
      return null;
    }
    Entry<T> found = null;
    for (PriorityQueue<Entry<T>> lane : byTarget.get(node).values()) {
      Entry<T> first = lane.peek();
      if ((found == null || order.compare(first, found) < 0) && mayStart(first, now, wake)) {
        found = first;
      }
    }
    if (found != null) {
      start(found, now);
    }
    return found;
  }

  /** Whether a move may start for all its request and the DataNode that it reads from say. */
  private boolean mayStart(Entry<T> entry, long now, LongConsumer wake) {
    boolean inside = entry.move.isLocal();
    String proxy = entry.move.proxy();
    long blocked = inside ? 0 : permits.notBefore(proxy) - now;
    blocked = Math.max(blocked, entry.overdrawnNanos(now));
    if (blocked > 0) {
      wake.accept(blocked);
      return false;
    }
    return inside || !sources.isHeld(proxy, now) && permits.isFree(proxy);
  }

  /** Takes the first move of its lane out, and what it needs. */
  private void start(Entry<T> entry, long now) {
    String target = entry.move.target();
    Map<List<Object>, PriorityQueue<Entry<T>>> lanes = byTarget.get(target);
    PriorityQueue<Entry<T>> lane = lanes.get(lane(entry));
    lane.remove();
    if (lane.isEmpty()) {
      lanes.remove(lane(entry));
    }
    permits.acquire(target);
    targets.asked(target, now);
    if (!entry.move.isLocal()) {
      permits.acquire(entry.move.proxy());
      sources.asked(entry.move.proxy(), now);
    }
    if (entry.delays == 0) { // one that was put off has paid already
      entry.pay(now);
      bandwidthOf(target).take(entry.move.replica().bytes(), now);
    }
  }

  private TokenBucket bandwidthOf(String node) {
    return nodeBandwidth.computeIfAbsent(node, any -> new TokenBucket(nodeBytesPerSecond));
  }
}
