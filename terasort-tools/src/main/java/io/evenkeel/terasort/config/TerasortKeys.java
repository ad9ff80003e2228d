package io.evenkeel.terasort.config;

import io.evenkeel.common.config.Key;
import io.evenkeel.common.config.KeyTable;
import io.evenkeel.common.plugin.PluginModule;
import java.time.Duration;

/** The configuration keys of {@code evenkeel-terasort-tools}. */
public final class TerasortKeys {
  /** Use the module on a Hadoop that its jar does not fit. */
  public static final Key<Boolean> ALLOW_UNTESTED =
      Key.bool(
          "evenkeel.terasort.allow-untested",
          false,
          "The last resort, after a trial: run without a warning on a Hadoop that this jar"
              + " does not know.");

  /** Largest split made of several blocks, in bytes. */
  public static final Key<Long> SPLIT_BYTES =
      Key.size(
          "evenkeel.terasort.split.bytes",
          "1g",
          "0",
          "1t",
          "Blocks of one host are packed into splits of up to this size; 0: one split for each"
              + " block. Raise it where a validation has too many tasks, set 0 to compare with"
              + " Hadoop's.");

  /** Smallest share of a host. */
  public static final Key<Long> SPLIT_LEAST_BYTES =
      Key.size(
          "evenkeel.terasort.split.least-bytes",
          "32m",
          "0",
          "1t",
          "Splits are not made much smaller than this where blocks can be packed, so a small"
              + " input is read on fewer hosts. A task takes seconds to start. Lower it to read"
              + " a small input on all hosts, as tests do.");

  /** Splits a host gets at least. */
  public static final Key<Long> SPLITS_PER_HOST =
      Key.number(
          "evenkeel.terasort.split.per-host",
          4,
          1,
          1000,
          "Fewest splits of a host, as far as it has blocks and least-bytes allows, so that"
              + " packing does not leave most of a host idle. Set it to the tasks that a host"
              + " runs at once.");

  /** The input format that {@code NodeGroupInputFormat} asks for the splits. */
  public static final Key<String> LOCALITY_INPUT_FORMAT =
      Key.text(
          "evenkeel.terasort.locality.input-format",
          "",
          "a class that extends org.apache.hadoop.mapreduce.InputFormat",
          "The input format that NodeGroupInputFormat asks for splits and records. Set by"
              + " NodeGroupInputFormat.wrap, or with -D for a job whose code stays as it is.");

  /** How many hosts a split names. */
  public static final Key<Long> LOCALITY_MAX_LOCATIONS =
      Key.number(
          "evenkeel.terasort.locality.max-locations",
          0,
          0,
          1000,
          "Most hosts that a split names, siblings included. 0, or more than the job's"
              + " mapreduce.job.max.split.locations (15): that number, where stock cuts the"
              + " list. Lower it where job.splitmetainfo grows too large.");

  /** What the last part of a network location is. */
  public static final Key<String> LOCALITY_LAYERS =
      Key.choice(
          "evenkeel.terasort.locality.layers",
          "What the last part of a network location is. auto: a node group when most locations"
              + " have two parts or more. Set rack for locations such as /room/rack.",
          "auto",
          "rack",
          "nodegroup");

  /** How long the ResourceManager may take to say where NodeManagers run. */
  public static final Key<Duration> LOCALITY_TIMEOUT =
      Key.duration(
          "evenkeel.terasort.locality.yarn-timeout",
          "10s",
          "1s",
          "10m",
          "How long the job's client waits for the ResourceManager to list its NodeManagers."
              + " Without an answer, splits keep the hosts they had. Raise it where the client"
              + " warns of that.");

  /** Written into a job's configuration for {@code evenkeel locality}. */
  public static final Key<String> LOCALITY_REPLICAS =
      Key.text(
          "evenkeel.terasort.locality.replicas",
          "",
          "written by NodeGroupSplits",
          "How many hosts of each task's list have a replica; the others are siblings. Written"
              + " into the job's configuration for 'evenkeel locality'. Do not set it.");

  /** All keys under {@code evenkeel.terasort.}. */
  public static final KeyTable TABLE =
      KeyTable.of(
          "evenkeel.terasort.",
          ALLOW_UNTESTED,
          SPLIT_BYTES,
          SPLIT_LEAST_BYTES,
          SPLITS_PER_HOST,
          LOCALITY_INPUT_FORMAT,
          LOCALITY_MAX_LOCATIONS,
          LOCALITY_LAYERS,
          LOCALITY_TIMEOUT,
          LOCALITY_REPLICAS);

  public static final PluginModule MODULE =
      new PluginModule("terasort", TerasortKeys.class, TABLE, ALLOW_UNTESTED);

  private TerasortKeys() {}
}
