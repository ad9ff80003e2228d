package io.evenkeel.mover.core.task;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * DataNodes that give no sign of life to moves, and since when: as targets, or as those that bytes
 * are read from, since one that hangs as the one may serve as the other. A target owes a sign as
 * long as it is asked for a move; one that is read from only once a target complained of it, so
 * that it is not taken for a target that hangs. One that nobody waits for, and nobody has
 * complained of for a while, is not quiet.
 *
 * <p>Times are of one clock that never goes back, in nanoseconds. Not thread-safe. One entry is
 * kept for each DataNode ever asked.
 */
final class UnresponsiveDataNodes {
  /** DataNodes that copy say so twice a minute. */
  private static final long QUIET_NANOS = TimeUnit.SECONDS.toNanos(40);

  /** Longer than a DataNode that does not answer at all takes to be given up by a move. */
  private static final long STALLED_NANOS = TimeUnit.MINUTES.toNanos(10);

  /** Longer than a move waits for a word: so long is a failure remembered. */
  private static final long FRESH_NANOS = TimeUnit.MINUTES.toNanos(6);

  /** So long one that may be back is given to answer. */
  private static final long GRACE_NANOS = TimeUnit.MINUTES.toNanos(1);

  private static final class Node {
    private int asked;
    private long askedAt;
    private boolean quiet;
    private long since;
    private boolean failed;
    private long failedAt;

    private boolean isFresh(long now) {
      return asked > 0 || failed && now - failedAt <= FRESH_NANOS;
    }

    private void isQuietFrom(long now) {
      if (!quiet || !isFresh(now)) {
        quiet = true;
        since = now;
      }
    }

    private boolean isQuiet(long nanos, long now) {
      return quiet && now - since > nanos && isFresh(now);
    }
  }

  private final boolean owes;
  private final Map<String, Node> nodes = new HashMap<>();

  private UnresponsiveDataNodes(boolean owes) {
    this.owes = owes;
  }

  /** Those that are asked for moves. */
  static UnresponsiveDataNodes targets() {
    return new UnresponsiveDataNodes(true);
  }

  /** Those that targets read from. */
  static UnresponsiveDataNodes sources() {
    return new UnresponsiveDataNodes(false);
  }

  private Node node(String uuid) {
    return nodes.computeIfAbsent(uuid, any -> new Node());
  }

  /** A move begins; {@link #ended} must follow. */
  void asked(String uuid, long now) {
    Node node = node(uuid);
    if (owes) {
      node.isQuietFrom(now);
    }
    if (node.asked++ == 0) {
      node.askedAt = now;
    }
  }

  /** A move has ended, and what that says of the DataNode was told before. */
  void ended(String uuid) {
    node(uuid).asked--;
  }

  /** It said something, or bytes came from it. */
  void alive(String uuid, long now) {
    Node node = node(uuid);
    node.quiet = owes && node.asked > 0;
    node.since = now;
    node.failed = false;
  }

  /** A target could not be reached or said nothing, or complained of the one it reads from. */
  void failed(String uuid, long now) {
    Node node = node(uuid);
    node.isQuietFrom(now);
    node.failed = true;
    node.failedAt = now;
  }

  /**
   * Whether it may hang, and as many moves are under way there as should be until that is known.
   */
  boolean isHeld(String uuid, long now) {
    Node node = nodes.get(uuid);
    return node != null && node.asked > 0 && node.isQuiet(QUIET_NANOS, now);
  }

  /** How many moves are under way on those that may hang. */
  int askedOfQuiet(long now) {
    return nodes.values().stream()
        .filter(node -> node.isQuiet(QUIET_NANOS, now))
        .mapToInt(node -> node.asked)
        .sum();
  }

  /** Whether it hangs for so long that nothing should wait for it any more. */
  boolean isStalled(String uuid, long now) {
    Node node = nodes.get(uuid);
    return node != null
        && node.isQuiet(STALLED_NANOS, now)
        && (node.asked == 0 || now - node.askedAt >= GRACE_NANOS);
  }
}
