package io.evenkeel.mover.core.task;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * DataNodes that let moves time out and answer none in between. Nothing more is planned on one, for
 * a time that grows from 1 to 10 min; then one move is started there alone to find out. Whatever
 * waited for it would hold up its file and its request for minutes. A single time-out says little:
 * one disk of many may hang.
 *
 * <p>Times are of one clock that never goes back, in nanoseconds. Not thread-safe.
 */
public final class SilentNodes {
  private static final int TIMEOUTS = 3;
  private static final long FIRST_MILLIS = 60_000;
  private static final long LONGEST_MILLIS = 600_000;

  /** After this time without an answer another one is started: its connection may be dead. */
  private static final long TRIAL_NANOS = TimeUnit.MINUTES.toNanos(3);

  /** What is known of one for longer is forgotten: it may be dead, or have been quiet since. */
  private static final long KNOWN_NANOS = TimeUnit.MINUTES.toNanos(30);

  private static final class Node {
    private final GrowingWait wait = new GrowingWait(FIRST_MILLIS, LONGEST_MILLIS);
    private int timeouts;
    private boolean silent;
    private long until;
    private boolean onTrial;
    private long trialSince;

    /** When it fell silent, or answered: what began before says nothing new. */
    private long knownAt;

    private long touchedAt;

    boolean isSilent(long now) {
      return silent && (now - until < 0 || onTrial && now - trialSince < TRIAL_NANOS);
    }
  }

  private final Map<String, Node> nodes = new HashMap<>();

  /** Whether nothing is to be planned on the DataNode. */
  public boolean isSilent(String uuid, long nowNanos) {
    Node node = nodes.get(uuid);
    return node != null && node.isSilent(nowNanos);
  }

  /** Whether any is silent, or on trial. */
  public boolean isAnySilent() {
    return nodes.values().stream().anyMatch(node -> node.silent);
  }

  /**
   * Takes in that a move starts that needs the DataNode.
   *
   * @return whether it is to find out whether that answers again; then all others are to wait
   */
  public boolean starts(String uuid, long nowNanos) {
    Node node = nodes.get(uuid);
    if (node == null || !node.silent || node.isSilent(nowNanos)) {
      return false;
    }
    node.onTrial = true;
    node.trialSince = nowNanos;
    return true;
  }

  /**
   * Takes in that the DataNode has not answered in time.
   *
   * @param beginNanos when it was asked
   * @return whether it counts as silent from now on
   */
  public boolean timedOut(String uuid, long beginNanos, long nowNanos) {
    nodes.values().removeIf(node -> nowNanos - node.touchedAt > KNOWN_NANOS);
    Node node = nodes.get(uuid);
    if (node == null) {
      node = new Node();
      node.knownAt = beginNanos - KNOWN_NANOS;
      nodes.put(uuid, node);
    }
    node.touchedAt = nowNanos;
    if (beginNanos - node.knownAt < 0) {
      return false;
    }
    node.timeouts++;
    if (node.timeouts < TIMEOUTS) {
      return false;
    }
    node.silent = true;
    node.onTrial = false;
    node.knownAt = nowNanos;
    node.until = nowNanos + TimeUnit.MILLISECONDS.toNanos(node.wait.next());
    return true;
  }

  /** Takes in an answer. */
  public void answered(String uuid, long nowNanos) {
    Node node = nodes.get(uuid);
    if (node != null) {
      node.timeouts = 0;
      node.silent = false;
      node.knownAt = nowNanos;
      node.touchedAt = nowNanos;
      node.wait.reset();
    }
  }
}
