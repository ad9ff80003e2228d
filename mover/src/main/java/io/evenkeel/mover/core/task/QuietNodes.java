package io.evenkeel.mover.core.task;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * DataNodes that give no sign of life to moves, and since when. A target owes one as long as it is
 * asked for a move; a DataNode that bytes are read from only once a target complained of it, so
 * that it is not taken for the one that hangs. One that nobody waits for, and nobody has complained
 * of for a while, is not quiet. That others can read from a target says nothing of it as a target.
 *
 * <p>Times are of one clock that never goes back, in nanoseconds. Not thread-safe. One entry is
 * kept for each DataNode ever asked.
 */
public final class QuietNodes {
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

  private final Map<String, Node> nodes = new HashMap<>();

  private Node node(String uuid) {
    return nodes.computeIfAbsent(uuid, any -> new Node());
  }

  /** A target is asked for a move; {@link #ended} must follow. */
  public void asked(String uuid, long now) {
    Node node = node(uuid);
    node.isQuietFrom(now);
    if (node.asked++ == 0) {
      node.askedAt = now;
    }
  }

  /** A move it was asked for has ended, and what that says of it was told before. */
  public void ended(String uuid) {
    node(uuid).asked--;
  }

  /** A target said something. */
  public void answered(String uuid, long now) {
    Node node = node(uuid);
    node.quiet = node.asked > 0;
    node.since = now;
    node.failed = false;
  }

  /** Bytes came from a DataNode. */
  public void readFrom(String uuid) {
    Node node = node(uuid);
    node.quiet &= node.asked > 0;
    node.failed = false;
  }

  /** A target could not be reached, or a target complained of the DataNode it reads from. */
  public void failed(String uuid, long now) {
    Node node = node(uuid);
    node.isQuietFrom(now);
    node.failed = true;
    node.failedAt = now;
  }

  /** Whether it may hang. */
  public boolean isQuiet(String uuid, long now) {
    Node node = nodes.get(uuid);
    return node != null && node.isQuiet(QUIET_NANOS, now);
  }

  /** Whether any DataNode may hang. */
  public boolean isAnyQuiet(long now) {
    return nodes.values().stream().anyMatch(node -> node.isQuiet(QUIET_NANOS, now));
  }

  /** How many moves those are asked for that may hang. */
  public int askedOfQuiet(long now) {
    return nodes.values().stream()
        .filter(node -> node.isQuiet(QUIET_NANOS, now))
        .mapToInt(node -> node.asked)
        .sum();
  }

  /** Whether it hangs for so long that nothing should wait for it any more. */
  public boolean isStalled(String uuid, long now) {
    Node node = nodes.get(uuid);
    return node != null
        && node.isQuiet(STALLED_NANOS, now)
        && (node.asked == 0 || now - node.askedAt >= GRACE_NANOS);
  }
}
