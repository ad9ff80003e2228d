package io.evenkeel.locking;

import io.evenkeel.common.config.Key;
import io.evenkeel.common.config.KeyTable;
import io.evenkeel.common.plugin.PluginModule;
import java.time.Duration;

/** The configuration keys of {@code evenkeel-datanode-locking}. */
public final class LockingKeys {
  /** Use the module on a Hadoop that its jar does not fit. */
  public static final Key<Boolean> ALLOW_UNTESTED =
      Key.bool(
          "evenkeel.locking.allow-untested",
          false,
          "The last resort, after a trial: stay active on a Hadoop that this jar does not"
              + " know, instead of falling back to the stock dataset.");

  /** The switch. */
  public static final Key<Boolean> ENABLED =
      Key.bool(
          "evenkeel.locking.enabled",
          true,
          "Lock by block. Set it to false to compare or to go back: the stock dataset is used,"
              + " as without the factory key.");

  /** How long closing a block pool waits. */
  public static final Key<Duration> DRAIN_TIMEOUT =
      Key.duration(
          "evenkeel.locking.drain-timeout",
          "10s",
          "0s",
          "10m",
          "How long the closing of a block pool waits for running operations; new ones are"
              + " refused meanwhile. Raise it where the log says that operations were still"
              + " inside when a nameservice was removed.");

  /** What counts as slow. */
  public static final Key<Duration> SLOW_HOLD =
      Key.duration(
          "evenkeel.locking.slow-hold",
          "1s",
          "1ms",
          "10m",
          "An operation that holds the lock of its block for longer is logged, at most once per"
              + " log interval and volume. Raise it where slow disks make that usual, lower it"
              + " to look for the slowest.");

  /** How often slow holders are logged. */
  public static final Key<Duration> LOG_INTERVAL =
      Key.duration(
          "evenkeel.locking.log-interval",
          "60s",
          "1s",
          "1h",
          "Shortest time between two log lines about slow holders of one volume, or about broken"
              + " rules. Lower it while you look for a cause.");

  /** All keys under {@code evenkeel.locking.}. */
  public static final KeyTable TABLE =
      KeyTable.of(
          "evenkeel.locking.", ENABLED, ALLOW_UNTESTED, DRAIN_TIMEOUT, SLOW_HOLD, LOG_INTERVAL);

  /** What the factory starts with. */
  public static final PluginModule MODULE =
      new PluginModule("locking", LockingKeys.class, TABLE, ALLOW_UNTESTED);

  private LockingKeys() {}
}
