package io.evenkeel.mover.config;

import io.evenkeel.common.config.Key;
import io.evenkeel.common.config.KeyTable;
import io.evenkeel.common.plugin.PluginModule;
import java.time.Duration;

/** The configuration keys of {@code evenkeel-mover}. */
public final class MoverKeys {
  /** Use the module on a Hadoop that its jar does not fit. */
  public static final Key<Boolean> ALLOW_UNTESTED =
      Key.bool(
          "evenkeel.mover.allow-untested",
          false,
          "The last resort, after a trial: stay active on a Hadoop that this jar does not"
              + " know, instead of refusing to move.");

  /** Move also while an upgrade of HDFS is not finalised. */
  public static final Key<Boolean> RUN_DURING_UPGRADE =
      Key.bool(
          "evenkeel.mover.run-during-upgrade",
          false,
          "Move even while an upgrade of HDFS is not finalised. DataNodes then keep deleted"
              + " replicas, and a storage type may fill up. For daemons and programs; for one"
              + " command there is 'evenkeel mover --run-during-upgrade'.");

  /** What users who may not move get. */
  public static final Key<Boolean> HAND_OVER =
      Key.bool(
          "evenkeel.mover.hand-over",
          true,
          "For users who are not superuser: ask the daemon through satisfyStoragePolicy (true),"
              + " or refuse at once (false). Set false where nothing reads the NameNode's queue.");

  /** Most replicas moved at once. */
  public static final Key<Long> THREADS =
      Key.number(
          "evenkeel.mover.threads",
          32,
          1,
          1000,
          "Most replicas that one mover moves at once; up to as many again while DataNodes hang."
              + " Raise it where hundreds of DataNodes are idle, lower it where moves disturb"
              + " clients.");

  /** Most moves at once of one DataNode. */
  public static final Key<Long> MOVES_PER_DATANODE =
      Key.number(
          "evenkeel.mover.moves-per-datanode",
          8,
          1,
          1000,
          "Most moves at once that one DataNode takes part in; never more than half of"
              + " dfs.datanode.balance.max.concurrent.moves, which the Balancer needs too. Lower"
              + " it for DataNodes with few disks.");

  /** Most bytes a second into one DataNode. */
  public static final Key<Long> BANDWIDTH_PER_DATANODE =
      Key.size(
          "evenkeel.mover.bandwidth-per-datanode",
          "0",
          "0",
          "1t",
          "Most bytes a second written to one DataNode by one mover, moves inside the DataNode"
              + " included (HDFS does not limit those); 0: no limit. Set it where moves slow"
              + " down writes of clients.");

  /** Patience with the NameNode's view. */
  public static final Key<Duration> SETTLE =
      Key.duration(
          "evenkeel.mover.settle",
          "30s",
          "1s",
          "10m",
          "How long to wait until the NameNode shows a move that the DataNode confirmed, or"
              + " until excess or lost replicas are dealt with, before the block is planned"
              + " again or reported as pending. Raise it where the NameNode is late in that,"
              + " such as with a long dfs.blockreport.incremental.intervalMsec.");

  /** Failed attempts of a block. */
  public static final Key<Long> ATTEMPTS =
      Key.number(
          "evenkeel.mover.attempts",
          5,
          1,
          100,
          "A block is given up after this many failed attempts without a change in between, or"
              + " ten times as many in all. Raise it where DataNodes take long to restart.");

  /** Patience with a DataNode that failed. */
  public static final Key<Duration> RETRY_AFTER =
      Key.duration(
          "evenkeel.mover.retry-after",
          "5s",
          "10ms",
          "1h",
          "How long a DataNode and storage type that failed is not tried again for the same"
              + " block. If the DataNode could not be reached, the time doubles with each"
              + " attempt, up to eight times this value. Raise it for the same reason as"
              + " attempts.");

  /** All keys under {@code evenkeel.mover.}. */
  public static final KeyTable TABLE =
      KeyTable.of(
          "evenkeel.mover.",
          ALLOW_UNTESTED,
          RUN_DURING_UPGRADE,
          HAND_OVER,
          THREADS,
          MOVES_PER_DATANODE,
          BANDWIDTH_PER_DATANODE,
          SETTLE,
          ATTEMPTS,
          RETRY_AFTER,
          FollowKeys.PREFIXES,
          FollowKeys.DIRECTORY,
          FollowKeys.INSTANCE,
          FollowKeys.LEASE_TIMEOUT,
          FollowKeys.POLL_INTERVAL,
          FollowKeys.SCAN_INTERVAL,
          FollowKeys.IN_FLIGHT,
          FollowKeys.REPLICAS_PER_SECOND,
          FollowKeys.LISTINGS_PER_SECOND,
          FollowKeys.MOST_QUEUED,
          FollowKeys.RETRIES,
          FollowKeys.RETRY_WAIT,
          FollowKeys.SATISFIER,
          FollowKeys.SPOOL);

  /** What every mover starts with. */
  public static final PluginModule MODULE =
      new PluginModule("mover", MoverKeys.class, TABLE, ALLOW_UNTESTED);

  private MoverKeys() {}
}
