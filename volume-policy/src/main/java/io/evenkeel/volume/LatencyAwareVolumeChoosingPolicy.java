package io.evenkeel.volume;

import io.evenkeel.common.config.ConfigException;
import io.evenkeel.common.log.LogLimiter;
import io.evenkeel.common.plugin.Fit;
import io.evenkeel.common.plugin.PluginStatus.State;
import io.evenkeel.volume.core.Choice;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configurable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.VolumeChoosingPolicy;
import org.apache.hadoop.util.DiskChecker.DiskOutOfSpaceException;
import org.apache.hadoop.util.VersionInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives a new replica to the volume with the least work in flight, and sets volumes aside that are
 * much slower than their peers or hung. It waits for a disk only when the known free space is in
 * doubt or no volume has room, and then for a limited time. For {@code
 * dfs.datanode.fsdataset.volume.choosing.policy}.
 *
 * <p>Each storage type is independent of the others (HDFS-9608). The policy uses values that the
 * DataNode holds in memory and, sampled on one daemon thread at {@code
 * evenkeel.volume.sample.interval}, the counters of the block devices. One class serves Hadoop 2.7
 * to 3.5: it carries the signature of both lines. On a Hadoop that its jar does not know, in
 * observe-only mode, and after an error of its own, the stock round robin decides.
 *
 * <p>Thread-safe without any lock of the caller, as Hadoop 3.4 and later need. {@link #setConf}
 * happens before the first choice.
 *
 * @param <V> type of a volume
 */
public class LatencyAwareVolumeChoosingPolicy<V extends FsVolumeSpi>
    implements VolumeChoosingPolicy<V>, Configurable {
  private static final Logger LOG = LoggerFactory.getLogger(LatencyAwareVolumeChoosingPolicy.class);
  private static final String STOCK_EXCLUSION = "dfs.datanode.max.slowdisks.to.exclude";
  private static final long WARN_INTERVAL = TimeUnit.SECONDS.toNanos(60);

  private final PolicyEnvironment environment; // null on a DataNode
  private final LogLimiter errors = new LogLimiter(WARN_INTERVAL);

  // Written by setConf only, which the DataNode calls before it publishes the instance; volatile
  // so that a later call is seen as well.
  private volatile Configuration conf;
  private volatile StockRoundRobin<V> stock;
  private volatile VolumeGroups groups;
  private volatile State state;
  private volatile boolean fallback;
  private volatile boolean observes;

  /** Called by the DataNode, which calls {@link #setConf} next. */
  public LatencyAwareVolumeChoosingPolicy() {
    this(null);
  }

  /** For simulators and tests; {@link #setConf} is called next. */
  public LatencyAwareVolumeChoosingPolicy(PolicyEnvironment environment) {
    this.environment = environment;
  }

  /**
   * Reads and checks the configuration, then says what this instance does; null changes nothing.
   *
   * @throws ConfigException naming key, value and range; the DataNode then does not start
   */
  @Override
  public final void setConf(Configuration newConf) {
    if (newConf == null) {
      return;
    }
    Fit hadoop =
        environment == null
            ? VolumeKeys.MODULE.fit(VersionInfo.getVersion())
            : environment.hadoop();
    PolicyStart start = PolicyStart.read(LOG, hadoop, newConf);
    VolumeGroups before = groups;
    try {
      groups = VolumeGroups.create(start, newConf.get(DeviceClasses.DATA_DIRS), environment);
    } catch (ConfigException e) {
      throw PolicyStart.refused(LOG, e);
    }
    stock = StockRoundRobin.create(newConf);
    fallback = start.stock();
    observes = start.settings().get(VolumeKeys.OBSERVE_ONLY);
    boolean first = conf == null;
    conf = newConf;
    if (first) {
      state = start.announce(LatencyAwareVolumeChoosingPolicy.class, LOG, observes);
      warnOfStockExclusion(newConf);
      publish();
    }
    if (before != null) {
      before.stopSampling();
    }
    if (environment == null && !fallback) {
      groups.startSampling(this);
    }
  }

  /** Shows the volumes of a DataNode; simulators make many policies and need none of that. */
  private void publish() {
    if (environment == null) {
      try {
        VolumesMetrics.publish(this);
      } catch (LinkageError e) { // on a Hadoop that does not fit
        LOG.warn("The volumes are not visible in JMX and metrics: {}", e.toString());
      }
    }
  }

  /** What this instance does; for reports. */
  State state() {
    return state;
  }

  /** The groups in force; for reports. */
  VolumeGroups groups() {
    return groups;
  }

  private static void warnOfStockExclusion(Configuration conf) {
    String value = conf.get(STOCK_EXCLUSION);
    if (value != null && !"0".equals(value.trim())) {
      LOG.warn(
          "{} = {}: stock excludes slow disks before it asks this policy. It compares disks of all"
              + " storage types with each other and may exclude every volume of one type, so that"
              + " writes fail. Set it to 0.",
          STOCK_EXCLUSION,
          value);
    }
  }

  @Override
  public final Configuration getConf() {
    return conf;
  }

  /** What is known of each volume, ordered by storage type and directory. */
  public final List<VolumeReport> volumes() {
    return groups.reports();
  }

  /** Takes one sample of every volume; on a DataNode the sampling thread does. */
  public final void sample() {
    groups.sample();
  }

  /**
   * Hadoop 2.x calls this one.
   *
   * @param volumes volumes of one storage type
   * @param replicaSize bytes
   * @return the volume to use
   * @throws DiskOutOfSpaceException when there is no volume or none has room
   * @throws IOException when it is the turn of a volume that cannot tell its free space
   */
  public V chooseVolume(List<V> volumes, long replicaSize) throws IOException {
    return chooseVolume(volumes, replicaSize, null);
  }

  /**
   * Hadoop 3.1 and later call this one. The annotation leaves no trace in the class file, so the
   * class still loads on releases without this method.
   *
   * @param storageId storage the NameNode had in mind; not used, as in stock
   */
  @Override
  public V chooseVolume(List<V> volumes, long replicaSize, String storageId) throws IOException {
    if (fallback) {
      return stock.chooseVolume(volumes, replicaSize, storageId);
    }
    if (observes) {
      V chosen = stock.chooseVolume(volumes, replicaSize, storageId);
      watch(volumes, replicaSize, chosen);
      return chosen;
    }
    if (volumes.isEmpty()) {
      throw new DiskOutOfSpaceException("No more available volumes");
    }
    Choice<FsVolumeSpi> choice;
    try {
      choice = groups.choose(volumes, replicaSize);
    } catch (RuntimeException | LinkageError e) {
      groups.rescued();
      warn(e);
      return stock.chooseVolume(volumes, replicaSize, storageId);
    }
    if (!choice.found()) {
      throw new DiskOutOfSpaceException(groups.outOfSpace(choice, replicaSize));
    }
    @SuppressWarnings("unchecked") // it comes from the caller's list
    V chosen = (V) choice.volume();
    return chosen;
  }

  private void watch(List<V> volumes, long replicaSize, V chosen) {
    try {
      groups.watch(volumes, replicaSize, chosen);
    } catch (RuntimeException | LinkageError e) {
      warn(e);
    }
  }

  private void warn(Throwable e) {
    long withheld = errors.permit(System.nanoTime());
    if (withheld != LogLimiter.QUIET) {
      LOG.warn(
          "An error of this policy; the stock round robin decided instead. {} more such choices"
              + " since the last warning.",
          withheld,
          e);
    }
  }
}
