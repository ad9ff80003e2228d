package io.evenkeel.placement.config;

import io.evenkeel.common.config.Key;
import io.evenkeel.common.config.KeyTable;
import io.evenkeel.common.plugin.PluginModule;
import java.time.Duration;

/** The configuration keys of {@code evenkeel-placement}. */
public final class PlacementKeys {
  /** Use the module on a Hadoop that its jar does not fit. */
  public static final Key<Boolean> ALLOW_UNTESTED =
      Key.bool(
          "evenkeel.placement.allow-untested",
          false,
          "The last resort, after a trial: stay active on a Hadoop that this jar does not"
              + " know, instead of refusing to start.");

  /** Whether stock decides and this jar only counts. */
  public static final Key<Boolean> OBSERVE_ONLY =
      Key.bool(
          "evenkeel.placement.observe-only",
          false,
          "For some days before a switch: a stock policy decides; this one only counts what it"
              + " would have chosen for the same blocks.");

  /** Which policy decides meanwhile. */
  public static final Key<String> OBSERVED_POLICY =
      Key.text(
          "evenkeel.placement.observed-policy",
          "",
          "a class that extends"
              + " org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicy",
          "The policy for replicated blocks that decides with observe-only, if it is not stock's"
              + " default (BlockPlacementPolicyWithNodeGroup where the topology has node groups).");

  /** What makes two DataNodes one host. */
  public static final Key<String> HOST_KEY =
      Key.choice(
          "evenkeel.placement.host-key",
          "What makes two DataNodes one host. auto: the node group where the topology has node"
              + " groups, otherwise the address; node-group, address, hostname: always this;"
              + " none: every DataNode is a host of its own. Set address where one machine runs"
              + " more than half of the DataNodes, hostname where those of a machine share only"
              + " the name, none where machines share an address (NAT).",
          "auto",
          "node-group",
          "address",
          "hostname",
          "none");

  /** What to do with fewer hosts than replicas. */
  public static final Key<String> FEW_HOSTS =
      Key.choice(
          "evenkeel.placement.few-hosts",
          "With fewer eligible hosts than replicas: share hosts, count it and call the block"
              + " satisfied (best-effort), or place fewer replicas and call it not satisfied"
              + " (strict). Set strict where the loss of a host must never cost two replicas of"
              + " a block. Internal blocks of striped files always share hosts as evenly as"
              + " possible.",
          "best-effort",
          "strict");

  /** What a DataNode's weight is. */
  public static final Key<String> WEIGHT =
      Key.choice(
          "evenkeel.placement.weight",
          "What a DataNode can take compared with others: its number of volumes without RAM_DISK"
              + " and PROVIDED (volumes), their capacity, the same for all (equal), or for each"
              + " storage type the remaining space, between half and three times the mean"
              + " (remaining). Set capacity where volumes differ in size, equal where the"
              + " network limits DataNodes and not the volumes, remaining after an expansion.",
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
          "Weights of single DataNodes that should take more or less than"
              + " evenkeel.placement.weight says, by host name or address, from 0.01 to 100000,"
              + " in the unit of that key (volumes, terabytes, 1, or terabytes).");

  /** How often the mapping is asked again where DataNodes are. */
  public static final Key<Duration> LOCATION_CHECK =
      Key.duration(
          "evenkeel.placement.location-check",
          "5m",
          "0s",
          "1d",
          "How often the NameNode asks its mapping again where the DataNodes are, where node"
              + " groups tell hosts apart: a virtual machine or pod may move to another host"
              + " while its DataNode stays registered. 0s: never. Raise it where the mapping is a"
              + " slow script.");

  /** The site's own mapping, which {@code NodeGroupMapping} asks. */
  public static final Key<String> MAPPING_WRAPPED =
      Key.text(
          "evenkeel.placement.mapping.wrapped",
          "org.apache.hadoop.net.ScriptBasedMapping",
          "a class that implements org.apache.hadoop.net.DNSToSwitchMapping",
          "The site's own mapping, the former value of net.topology.node.switch.mapping.impl,"
              + " which NodeGroupMapping asks and whose answers it checks.");

  /** Levels of a network location, the node group included. */
  public static final Key<Long> MAPPING_DEPTH =
      Key.number(
          "evenkeel.placement.mapping.depth",
          2,
          2,
          8,
          "Levels of a network location, the node group included: 2 for /rack/nodegroup. Set 3"
              + " where the site's mapping says /dc/rack/nodegroup.");

  /** What becomes of a host the site's mapping does not place at that depth. */
  public static final Key<String> MAPPING_UNKNOWN =
      Key.choice(
          "evenkeel.placement.mapping.unknown",
          "What happens to a host that the site's mapping does not place at that depth. isolate:"
              + " it is a host of its own; warn: its location is extended or cut to the depth;"
              + " fail: it is not resolved, and the NameNode rejects its DataNode. Set fail once"
              + " no unknown host has been reported for a while, warn where the unknown VMs of a"
              + " rack may share a physical host.",
          "isolate",
          "warn",
          "fail");

  /** How much of a location a daemon is told. */
  public static final Key<String> MAPPING_EMIT =
      Key.choice(
          "evenkeel.placement.mapping.emit",
          "What Hadoop gets for /rack/nodegroup: the same (path), /rack+nodegroup (nodegroup) or"
              + " /rack (rack). Set nodegroup or rack for YARN in its yarn-site.xml, rack also"
              + " for a NameNode with plain racks.",
          "path",
          "nodegroup",
          "rack");

  /** Hosts the NameNode asks the mapping about when it starts. */
  public static final Key<String> MAPPING_HOSTS =
      Key.text(
          "evenkeel.placement.mapping.hosts",
          "",
          "a file with one host per line, such as the one of dfs.hosts",
          "Hosts for which the NameNode checks the mapping when it starts and when the mapping"
              + " is reloaded; set it to learn of unknown hosts before their DataNodes register."
              + " With unknown=fail it does not start unless all of them have a location.");

  /** How long an unknown host stays unknown before the site's mapping is asked again. */
  public static final Key<Duration> MAPPING_RECHECK =
      Key.duration(
          "evenkeel.placement.mapping.recheck",
          "1m",
          "1s",
          "1d",
          "How long an unknown host stays unknown before the site's mapping is asked again."
              + " Raise it where that is a slow script.");

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
          LOCATION_CHECK,
          MAPPING_WRAPPED,
          MAPPING_DEPTH,
          MAPPING_UNKNOWN,
          MAPPING_EMIT,
          MAPPING_HOSTS,
          MAPPING_RECHECK);

  /** Name of the module, as JMX shows it. */
  public static final String MODULE_NAME = "placement";

  /** What the policies and the mapping start with. */
  public static final PluginModule MODULE =
      new PluginModule(MODULE_NAME, PlacementKeys.class, TABLE, ALLOW_UNTESTED);

  private PlacementKeys() {}
}
