package io.evenkeel.mover.core.task;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * DataNodes that did not answer for long. Whatever waits for one holds up its file and its request
 * for minutes, so all that needs it is refused at once, but for one move at a time that finds out,
 * after a wait that grows from 10 s to 5 min. Any answer ends that.
 *
 * <p>Times are of one clock that never goes back, in nanoseconds. Not thread-safe.
 *
 * @param <M> a move
 */
public final class SilentNodes<M> {
  private static final long FIRST_MILLIS = 10_000;
  private static final long LONGEST_MILLIS = 300_000;

  /** One that is down refuses at once, and is in nobody's way. */
  private static final long LONG_NANOS = TimeUnit.SECONDS.toNanos(10);

  private static final class Node<M> {
    private final GrowingWait wait = new GrowingWait(FIRST_MILLIS, LONGEST_MILLIS);
    private long until;
    private M probe; // null for none

    Node(long now) {
      until = now;
    }
  }

  private final Map<String, Node<M>> nodes = new HashMap<>();

  /** Whether a move that needs the DataNode is to be refused. */
  public boolean isSilent(String uuid, long nowNanos) {
    Node<M> node = nodes.get(uuid);
    return node != null && (node.probe != null || nowNanos - node.until < 0);
  }

  /** Takes in a move that was not refused. */
  public void begins(String uuid, M move) {
    Node<M> node = nodes.get(uuid);
    if (node != null) {
      node.probe = move;
    }
  }

  /**
   * Takes in that the DataNode could not be reached, or has not answered.
   *
   * @return whether that took so long that all others are to be refused
   */
  public boolean failed(String uuid, long tookNanos, long nowNanos) {
    if (tookNanos < LONG_NANOS) {
      nodes.remove(uuid);
      return false;
    }
    Node<M> node = nodes.computeIfAbsent(uuid, any -> new Node<>(nowNanos));
    boolean known = nowNanos - node.until < 0; // of those that were sent before
    if (!known) {
      node.until = nowNanos + TimeUnit.MILLISECONDS.toNanos(node.wait.next());
    }
    node.probe = null;
    return !known;
  }

  /** Takes in an answer. */
  public void answered(String uuid) {
    nodes.remove(uuid);
  }

  /** Takes in that a move ended without saying anything of a DataNode. */
  public void gone(M move) {
    nodes.values().forEach(node -> node.probe = node.probe == move ? null : node.probe);
  }
}
