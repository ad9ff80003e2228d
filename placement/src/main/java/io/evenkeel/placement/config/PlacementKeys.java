package io.evenkeel.placement.config;

import io.evenkeel.common.config.Key;
import io.evenkeel.common.config.KeyTable;
import io.evenkeel.common.version.SupportedVersions;
import java.time.Duration;

/** The configuration keys of this module and the Hadoop releases it is tested on. */
public final class PlacementKeys {
  /** Hadoop releases the tests of this module run on. */
  public static final SupportedVersions SUPPORTED =
      SupportedVersions.of("3.0.0", "3.0.3", "3.1.4", "3.3.6", "3.4.3", "3.5.0");

  /** Use the module on a release that is not in {@link #SUPPORTED}. */
  public static final Key<Boolean> ALLOW_UNTESTED =
      Key.bool(
          "evenkeel.placement.allow-untested",
          false,
          "Stay active on a Hadoop release this jar was not tested on, instead of refusing to start.");

  /** Whether stock decides and this jar only counts. */
  public static final Key<Boolean> OBSERVE_ONLY =
      Key.bool(
          "evenkeel.placement.observe-only",
          false,
          "Let a stock policy decide about everything, and only count what this one would have"
              + " chosen for the same blocks.");

  /** Which policy decides meanwhile. */
  public static final Key<String> OBSERVED_POLICY =
      Key.text(
          "evenkeel.placement.observed-policy",
          "",
          "a class that extends"
              + " org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicy",
          "The policy for replicated blocks that decides with observe-only, when it is not stock's"
              + " default (with node groups in the topology BlockPlacementPolicyWithNodeGroup).");

  /** What makes two DataNodes one host. */
  public static final Key<String> HOST_KEY =
      Key.choice(
          "evenkeel.placement.host-key",
          "What makes two DataNodes one host: the node group where the topology has them, else the address (auto); or one of them by force; none: every DataNode is its own host.",
          "auto",
          "node-group",
          "address",
          "hostname",
          "none");

  /** What to do with fewer hosts than replicas. */
  public static final Key<String> FEW_HOSTS =
      Key.choice(
          "evenkeel.placement.few-hosts",
          "With fewer eligible hosts than replicas: share hosts, count it and call the block satisfied (best-effort), or place fewer replicas and call it not satisfied (strict). Units of striped blocks always share hosts as evenly as can be.",
          "best-effort",
          "strict");

  /** What a DataNode's weight is. */
  public static final Key<String> WEIGHT =
      Key.choice(
          "evenkeel.placement.weight",
          "What a DataNode can take compared with others: its number of volumes without RAM_DISK and PROVIDED, their capacity, the same for all, or, for each storage type, the space that remains there (half to three times the mean).",
          "volumes",
          "capacity",
          "equal",
          "remaining");

  /** Weights the operator gives. */
  public static final Key<String> WEIGHTS =
      Key.text(
          "evenkeel.placement.weights",
          "",
          "host=number,...",
          "Weights of single DataNodes by host name or address, from 0.01 to 100000, in the unit of evenkeel.placement.weight (volumes, terabytes, 1, or terabytes).");

  /** The site's own mapping, which {@code NodeGroupMapping} asks. */
  public static final Key<String> MAPPING_WRAPPED =
      Key.text(
          "evenkeel.placement.mapping.wrapped",
          "org.apache.hadoop.net.ScriptBasedMapping",
          "a class that implements org.apache.hadoop.net.DNSToSwitchMapping",
          "The site's own mapping, which NodeGroupMapping asks and whose answers it checks.");

  /** Levels of a network location, the node group included. */
  public static final Key<Long> MAPPING_DEPTH =
      Key.number(
          "evenkeel.placement.mapping.depth",
          2,
          2,
          8,
          "Levels of a network location, the node group included: 2 for /rack/nodegroup, 3 for"
              + " /dc/rack/nodegroup.");

  /** What becomes of a host the site's mapping does not place at that depth. */
  public static final Key<String> MAPPING_UNKNOWN =
      Key.choice(
          "evenkeel.placement.mapping.unknown",
          "What becomes of a host that the site's mapping does not place at that depth: it is a"
              + " host of its own; or it goes where the site said, filled up or cut to the depth;"
              + " or it is not resolved, and the NameNode rejects it as a DataNode.",
          "isolate",
          "warn",
          "fail");

  /** How much of a location a daemon is told. */
  public static final Key<String> MAPPING_EMIT =
      Key.choice(
          "evenkeel.placement.mapping.emit",
          "What a daemon is told of /rack/nodegroup: all of it, or /rack+nodegroup, or /rack.",
          "path",
          "nodegroup",
          "rack");

  /** Hosts the NameNode asks the mapping about when it starts. */
  public static final Key<String> MAPPING_HOSTS =
      Key.text(
          "evenkeel.placement.mapping.hosts",
          "",
          "a file with one host per line, such as the one of dfs.hosts",
          "Hosts that the NameNode checks the mapping with when it starts and when the mapping is"
              + " reloaded; with unknown=fail it does not start unless all have a location.");

  /** How long an unknown host stays unknown before the site's mapping is asked again. */
  public static final Key<Duration> MAPPING_RECHECK =
      Key.duration(
          "evenkeel.placement.mapping.recheck",
          "1m",
          "1s",
          "1d",
          "How long an unknown host stays unknown before the site's mapping is asked again.");

  /** All keys under {@code evenkeel.placement.}. */
  public static final KeyTable TABLE =
      KeyTable.of(
          "evenkeel.placement.",
          ALLOW_UNTESTED,
          OBSERVE_ONLY,
          OBSERVED_POLICY,
          HOST_KEY,
          FEW_HOSTS,
          WEIGHT,
          WEIGHTS,
          MAPPING_WRAPPED,
          MAPPING_DEPTH,
          MAPPING_UNKNOWN,
          MAPPING_EMIT,
          MAPPING_HOSTS,
          MAPPING_RECHECK);

  private PlacementKeys() {}
}
