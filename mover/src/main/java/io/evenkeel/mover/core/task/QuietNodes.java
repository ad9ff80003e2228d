package io.evenkeel.mover.core.task;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * DataNodes that give no sign of life to moves, and since when. A target owes one as long as it is
 * asked for a move; a DataNode that bytes are read from only once a target complained of it, so
 * that it is not taken for the one that hangs. One that nobody waits for, and nobody has complained
 * of for a while, is not quiet.
 *
 * <p>Times are of one clock that never goes back, in nanoseconds. Not thread-safe. One entry is
 * kept for each DataNode ever asked.
 */
public final class QuietNodes {
  /** For so long a failure says something of a DataNode that nobody waits for. */
  private static final long FRESH_NANOS = TimeUnit.MINUTES.toNanos(2);

  private static final class Node {
    private int asked;
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
  }

  private final Map<String, Node> nodes = new HashMap<>();

  private Node node(String uuid) {
    return nodes.computeIfAbsent(uuid, any -> new Node());
  }

  /** A target is asked for a move; {@link #ended} must follow. */
  public void asked(String uuid, long now) {
    Node node = node(uuid);
    node.isQuietFrom(now);
    node.asked++;
  }

  /** A move it was asked for has ended, and what that says of it was told before. */
  public void ended(String uuid) {
    node(uuid).asked--;
  }

  /** A DataNode said something, or bytes came from it. */
  public void alive(String uuid, long now) {
    Node node = node(uuid);
    node.quiet = node.asked > 0;
    node.since = now;
    node.failed = false;
  }

  /** A target could not be reached, or a target complained of the DataNode it reads from. */
  public void failed(String uuid, long now) {
    Node node = node(uuid);
    node.isQuietFrom(now);
    node.failed = true;
    node.failedAt = now;
  }

  /** Whether it gave no sign of life for longer than that, as far as anybody can tell. */
  public boolean isQuiet(String uuid, long nanos, long now) {
    Node node = nodes.get(uuid);
    return node != null && node.quiet && now - node.since > nanos && node.isFresh(now);
  }

  /** The same of any DataNode. */
  public boolean isAnyQuiet(long nanos, long now) {
    return nodes.keySet().stream().anyMatch(uuid -> isQuiet(uuid, nanos, now));
  }
}
