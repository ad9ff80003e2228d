package io.evenkeel.volume;

import io.evenkeel.common.config.Key;
import io.evenkeel.common.config.KeyTable;
import io.evenkeel.common.plugin.PluginModule;
import java.time.Duration;

/** The configuration keys of {@code evenkeel-volume-policy}. */
public final class VolumeKeys {
  /** Use the module on a Hadoop that its jar does not fit. */
  public static final Key<Boolean> ALLOW_UNTESTED =
      Key.bool(
          "evenkeel.volume.allow-untested",
          false,
          "The last resort, after a trial: stay active on a Hadoop that this jar does not"
              + " know, instead of falling back to the stock policy.");

  /** Let the stock round robin decide and only count what this policy would do. */
  public static final Key<Boolean> OBSERVE_ONLY =
      Key.bool(
          "evenkeel.volume.observe-only",
          false,
          "For a day before the switch: the stock round robin decides; the latency-aware policy"
              + " only counts where it would have chosen another volume.");

  /** Which signals are used for latency. */
  public static final Key<String> SIGNALS =
      Key.choice(
          "evenkeel.volume.signals",
          "Where write latency comes from. auto: counters of the block device, otherwise"
              + " Hadoop's volume metrics (2.10 and later, with profiling on); device or"
              + " metrics: only this; in-flight: no latency, only work in flight counts. Set"
              + " metrics or in-flight where other programs use the same devices.",
          "auto",
          "device",
          "metrics",
          "in-flight");

  /** Whether idle volumes are filled evenly. */
  public static final Key<String> FILL =
      Key.choice(
          "evenkeel.volume.fill",
          "Which volume is next while volumes are idle. off: by turns and work in flight; even:"
              + " the idle one with the largest free part of its capacity, within limits where"
              + " blocks are read. Set even for a new disk among full ones, or for disks of"
              + " unequal size.",
          "off",
          "even");

  /** Time between two samples. */
  public static final Key<Duration> SAMPLE_INTERVAL =
      Key.duration(
          "evenkeel.volume.sample.interval",
          "1s",
          "100ms",
          "60s",
          "Time between two samples of free space and device counters. Tests and demos shorten"
              + " it; above 2s it saves little, and idle writers count as busy.");

  /** Whether slow volumes are ejected. */
  public static final Key<Boolean> EJECTS =
      Key.bool(
          "evenkeel.volume.outlier.enabled",
          true,
          "Eject a volume for a time when its writes take much longer than those of its peers of"
              + " the same storage type. Set it to false to use slow volumes like the others,"
              + " such as while arrays are rebuilt; hung ones are avoided in any case.");

  /** How much slower than its peers an outlier is. */
  public static final Key<Double> MULTIPLIER =
      Key.decimal(
          "evenkeel.volume.outlier.multiplier",
          3.0,
          1.5,
          100.0,
          "A volume is an outlier when its write latency is above this many times the median of"
              + " its peers. Raise it where volumes of a type are unequal by nature.");

  /** Peers needed. */
  public static final Key<Long> MIN_PEERS =
      Key.number(
          "evenkeel.volume.outlier.min-peers",
          2,
          1,
          64,
          "Number of peers with a recent latency that are needed to call a volume an outlier."
              + " Set 1 on DataNodes with two volumes of a storage type.");

  /** Latency floor by storage type. */
  public static final Key<Duration> MIN_LATENCY =
      Key.duration(
          "evenkeel.volume.outlier.min-latency.*",
          "",
          "0ms",
          "1h",
          "A volume with a lower write latency is never an outlier. Raise it where volumes that"
              + " differ are all fast enough. The name is a storage type in lower case."
              + " Defaults: 1ms for ram_disk and nvdimm, 5ms for ssd, 20ms for the others.");

  /** Length of the first ejection. */
  public static final Key<Duration> EJECT_BASE =
      Key.duration(
          "evenkeel.volume.eject.base",
          "10s",
          "1s",
          "1h",
          "How long a volume is ejected before one block is sent to it as a probe; doubled while"
              + " it stays slow. Tests and demos shorten it.");

  /** Length of the longest ejection. */
  public static final Key<Duration> EJECT_MAX =
      Key.duration(
          "evenkeel.volume.eject.max",
          "45s",
          "1s",
          "1h",
          "Longest time between two probes; at least evenkeel.volume.eject.base. Raise both"
              + " where clients suffer from one slow block in 45 s, such as under HBase.");

  /** Data directories of a class. */
  public static final Key<String> CLASS_DIRS =
      Key.text(
          "evenkeel.volume.class.*.dirs",
          "",
          "directories of dfs.datanode.data.dir, separated by commas",
          "Where drives of different speed or size have one storage type: data directories that"
              + " form the named device class.");

  /** Weight of a class. */
  public static final Key<Double> CLASS_WEIGHT =
      Key.decimal(
          "evenkeel.volume.class.*.weight",
          1.0,
          0.01,
          100.0,
          "How much work a volume of the class gets compared with a volume of weight 1. Raise it"
              + " for the faster drives.");

  /** Fill ceiling of a class. */
  public static final Key<Long> CLASS_MAX_USED =
      Key.number(
          "evenkeel.volume.class.*.max-used-percent",
          100,
          1,
          100,
          "Above this use other volumes are preferred. Lower it to keep space on the class free."
              + " It never causes an out-of-space error.");

  /** All keys under {@code evenkeel.volume.}. */
  public static final KeyTable TABLE =
      KeyTable.of(
          "evenkeel.volume.",
          ALLOW_UNTESTED,
          OBSERVE_ONLY,
          SIGNALS,
          FILL,
          SAMPLE_INTERVAL,
          EJECTS,
          MULTIPLIER,
          MIN_PEERS,
          MIN_LATENCY,
          EJECT_BASE,
          EJECT_MAX,
          CLASS_DIRS,
          CLASS_WEIGHT,
          CLASS_MAX_USED);

  /** What the policies start with. */
  public static final PluginModule MODULE =
      new PluginModule("volume", VolumeKeys.class, TABLE, ALLOW_UNTESTED);

  private VolumeKeys() {}
}
