package io.evenkeel.mover.config;

import io.evenkeel.common.config.Key;
import java.time.Duration;

/** The keys of {@code evenkeel mover --follow}; part of {@link MoverKeys#TABLE}. */
public final class FollowKeys {
  /** Directories that are followed. */
  public static final Key<String> PREFIXES =
      Key.text(
          "evenkeel.mover.follow.prefixes",
          "",
          "absolute directories, comma separated",
          "Directories in which renames are followed. The daemon does not start without one.");

  /** Where the lease and the journal are kept. */
  public static final Key<String> DIRECTORY =
      Key.text(
          "evenkeel.mover.follow.directory",
          "/system/evenkeel/mover",
          "an absolute directory of HDFS",
          "Where the daemon keeps its lease and its journal. The same for all daemons of a"
              + " namespace. Set another one where /system has a quota.");

  /** Name of this daemon among those of the namespace. */
  public static final Key<String> INSTANCE =
      Key.text(
          "evenkeel.mover.follow.instance",
          "",
          "a name without | and on one line; empty for the host name",
          "Name of this daemon. A daemon takes over a lease that was held under its own name at"
              + " once, so no two daemons may share a name. Set it where a restart changes the"
              + " host name, as in containers, or where one host runs two daemons.");

  /** How long a lease lasts without a renewal. */
  public static final Key<Duration> LEASE_TIMEOUT =
      Key.duration(
          "evenkeel.mover.follow.lease-timeout",
          "8s",
          "1s",
          "10m",
          "A standby takes over when the active daemon has not renewed its lease for this long."
              + " The active daemon renews it four times as often. Raise it, for all daemons,"
              + " where they change places without need, such as by long pauses of a JVM.");

  /** Wait between two questions for events while there are some. */
  public static final Key<Duration> POLL_INTERVAL =
      Key.duration(
          "evenkeel.mover.follow.poll-interval",
          "100ms",
          "10ms",
          "1m",
          "Wait between two calls to the NameNode for events while events come; doubled with"
              + " each empty answer, up to 500 ms. No wait while the NameNode has more events;"
              + " twenty times as long as the last call took, up to 5 s, if that is longer."
              + " Raise it to spare the NameNode calls.");

  /** How often prefixes are scanned. */
  public static final Key<Duration> SCAN_INTERVAL =
      Key.duration(
          "evenkeel.mover.follow.scan-interval",
          "0s",
          "0s",
          "365d",
          "How often all prefixes are scanned and everything is moved that is not where its"
              + " policy wants it. Set it, for example to 6h, where policies change or files are"
              + " written on fallback types: neither causes an event. The first scan comes at"
              + " the first start; 0s: never. After lost events all prefixes are scanned in any"
              + " case.");

  /** Requests handed to the mover at once. */
  public static final Key<Long> IN_FLIGHT =
      Key.number(
          "evenkeel.mover.follow.in-flight",
          64,
          1,
          10_000,
          "Most requests that are worked on at once, each with up to 100 renamed files; more"
              + " while those only wait, for example for a DataNode that hangs. The others wait"
              + " in the journal. Requests of users are not counted. Raise it where requests"
              + " wait although the limits per second are not reached.");

  /** Replicas a second. */
  public static final Key<Long> REPLICAS_PER_SECOND =
      Key.number(
          "evenkeel.mover.follow.replicas-per-second",
          30,
          0,
          1_000_000,
          "Most moves of replicas that renames and scans together start in a second; 0: no"
              + " limit. Requests of users are not limited. Raise it if the NameNode has room.");

  /** Listings a second. */
  public static final Key<Long> LISTINGS_PER_SECOND =
      Key.number(
          "evenkeel.mover.follow.listings-per-second",
          20,
          0,
          100_000,
          "Most directory listings a second for renames and scans together, each of up to"
              + " dfs.ls.limit (1,000) files; 0: no limit. Requests of users, and listings of"
              + " single renamed files, are not limited. Raise it where a scan takes too long"
              + " and the NameNode has room.");

  /** Requests that may wait. */
  public static final Key<Long> MOST_QUEUED =
      Key.number(
          "evenkeel.mover.follow.most-queued",
          200_000,
          10,
          10_000_000,
          "Most requests that may wait, at about 400 bytes of memory each. Beyond that, renamed"
              + " paths are left to a scan of their prefix. Raise it, and the heap, for bursts"
              + " of more renames.");

  /** How often something is tried again. */
  public static final Key<Long> RETRIES =
      Key.number(
          "evenkeel.mover.follow.retries",
          8,
          0,
          100,
          "How often a file that could not be satisfied is tried again before it counts as"
              + " failed: eight times are up to 43 minutes. Raise it where a storage type may be"
              + " full for longer.");

  /** The first wait before something is tried again. */
  public static final Key<Duration> RETRY_WAIT =
      Key.duration(
          "evenkeel.mover.follow.retry-wait",
          "10s",
          "10ms",
          "1h",
          "Wait before the first of these attempts; doubled each time, up to an hour. Raise it"
              + " where many files fail together and their attempts load the NameNode.");

  /** Whether to serve the NameNode's own queue. */
  public static final Key<String> SATISFIER =
      Key.choice(
          "evenkeel.mover.follow.satisfier",
          "Set it to on to serve satisfyStoragePolicy in place of Hadoop's external satisfier."
              + " Needs dfs.storage.policy.satisfier.mode=external on the NameNode and Hadoop"
              + " 3.3 or later.",
          "off",
          "on");

  /** Where users leave requests. */
  public static final Key<String> SPOOL =
      Key.text(
          "evenkeel.mover.follow.spool",
          "",
          "an absolute directory of HDFS outside follow.directory; empty for none",
          "Set it where users without superuser rights are to ask for many paths at once, or on"
              + " Hadoop 3.1: they leave a file in this directory, with one path a line. Paths"
              + " that its owner may not read and write are refused.");

  private FollowKeys() {}
}
