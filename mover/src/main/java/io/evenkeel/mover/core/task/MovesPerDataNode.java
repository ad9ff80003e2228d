package io.evenkeel.mover.core.task;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * How many moves each DataNode may have in flight: a limit for all, and below it one of its own
 * that is learnt from refusals. A DataNode that makes as many moves as it may refuses more; each
 * refusal halves its own limit and nothing is started there for a while. Successes let the limit
 * grow by one after as many of them as the limit is; only a limit that was refused before is tried
 * again no sooner than {@value #PROBE_AFTER} successes after the refusal, so that finding out costs
 * few refusals.
 *
 * <p>Times are of one clock that never goes back, in nanoseconds. Not thread-safe: the caller
 * synchronises. One entry is kept for each DataNode ever asked for.
 */
public final class MovesPerDataNode {
  /** {@link #notBefore} of a node that is not blocked; differences to any time do not overflow. */
  public static final long NEVER_BLOCKED = Long.MIN_VALUE / 2;

  private static final int PROBE_AFTER = 60;

  private static final class Node {
    private int limit; // learnt, at most that of all
    private int inFlight;
    private int successes;
    private int sinceRefusal;
    private int refusedLimit = Integer.MAX_VALUE;
    private int refusals;
    private long notBefore = NEVER_BLOCKED;

    Node(int limit) {
      this.limit = limit;
    }
  }

  private final int limit;
  private final Backoff backoff;
  private final Map<String, Node> nodes = new HashMap<>();

  /**
   * Creates it.
   *
   * @param limit most moves in flight on one node, at least 1
   * @throws IllegalArgumentException when it is not
   */
  public MovesPerDataNode(int limit, Backoff backoff) {
    if (limit < 1) {
      throw new IllegalArgumentException("moves at once on a DataNode: " + limit);
    }
    this.limit = limit;
    this.backoff = backoff;
  }

  private Node node(String uuid) {
    return nodes.computeIfAbsent(uuid, any -> new Node(limit));
  }

  /** Whether the node has a permit left. The caller looks at {@link #notBefore} too. */
  public boolean isFree(String uuid) {
    Node node = node(uuid);
    return node.inFlight < node.limit;
  }

  /** Takes a permit of a node that {@link #isFree}; {@link #release} must follow. */
  public void acquire(String uuid) {
    node(uuid).inFlight++;
  }

  /**
   * Gives a permit back.
   *
   * @throws IllegalStateException when none is taken
   */
  public void release(String uuid) {
    Node node = node(uuid);
    if (node.inFlight == 0) {
      throw new IllegalStateException("no move in flight on " + uuid);
    }
    node.inFlight--;
  }

  /** Permits that are taken, of all nodes together. */
  public int inFlight() {
    return nodes.values().stream().mapToInt(node -> node.inFlight).sum();
  }

  /** The node refused a move because it makes as many as it may. The permit stays taken. */
  public void busy(String uuid, long nowNanos) {
    Node node = node(uuid);
    boolean sameEvent = nowNanos < node.notBefore;
    node.refusedLimit = sameEvent ? Math.min(node.refusedLimit, node.inFlight) : node.inFlight;
    node.limit = Math.max(1, node.limit / 2);
    node.successes = 0;
    node.sinceRefusal = 0;
    if (!sameEvent) {
      long wait = 1 + backoff.delay(node.refusals++);
      node.notBefore = nowNanos + TimeUnit.MILLISECONDS.toNanos(wait);
    }
  }

  /** A move on the node succeeded. The permit stays taken. */
  public void succeeded(String uuid) {
    Node node = node(uuid);
    node.refusals = 0;
    node.successes++;
    node.sinceRefusal++;
    if (node.limit >= limit || node.successes < node.limit) {
      return;
    }
    if (node.limit + 1 >= node.refusedLimit) {
      if (node.sinceRefusal < PROBE_AFTER) {
        return;
      }
      node.refusedLimit = Integer.MAX_VALUE;
    }
    node.limit++;
    node.successes = 0;
  }

  /** When a move may be started on the node; {@link #NEVER_BLOCKED} or a time, maybe past. */
  public long notBefore(String uuid) {
    return node(uuid).notBefore;
  }
}
