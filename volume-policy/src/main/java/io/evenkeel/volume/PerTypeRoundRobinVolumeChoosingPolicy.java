package io.evenkeel.volume;

import io.evenkeel.common.config.ConfigException;
import io.evenkeel.common.log.LogLimiter;
import io.evenkeel.common.plugin.Fit;
import io.evenkeel.volume.core.Choice;
import io.evenkeel.volume.core.FreeSpace;
import io.evenkeel.volume.core.Rotation;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configurable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.VolumeChoosingPolicy;
import org.apache.hadoop.util.DiskChecker.DiskOutOfSpaceException;
import org.apache.hadoop.util.VersionInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Exact round robin per storage type, for {@code dfs.datanode.fsdataset.volume.choosing.policy}.
 *
 * <p>Each storage type rotates by itself, whatever other types the DataNode has and whatever list
 * it was called with last (HDFS-9608). One class serves Hadoop 2.7 to 3.5: it carries the signature
 * of both lines. On a Hadoop that its jar does not know, the stock round robin of that release
 * decides.
 *
 * <p>Thread-safe without any lock of the caller. {@link #setConf} happens before the first choice.
 *
 * @param <V> type of a volume
 */
public class PerTypeRoundRobinVolumeChoosingPolicy<V extends FsVolumeSpi>
    implements VolumeChoosingPolicy<V>, Configurable {
  private static final Logger LOG =
      LoggerFactory.getLogger(PerTypeRoundRobinVolumeChoosingPolicy.class);
  private static final long WARN_INTERVAL_SECONDS = 60;

  /** One per storage type; entries are only ever added. */
  private final Map<StorageType, Group<V>> groups = new ConcurrentHashMap<>();

  private final FreeSpace<V> freeSpace = FsVolumeSpi::getAvailable;
  private final Fit hadoop;
  private final LongSupplier nanoTime;

  // Written by setConf only, which the DataNode calls before it publishes the instance; volatile
  // so that a later call is seen as well.
  private volatile Configuration conf;
  private volatile long keptFree;
  private volatile StockRoundRobin<V> fallback;

  /** Called by the DataNode, which calls {@link #setConf} next. */
  public PerTypeRoundRobinVolumeChoosingPolicy() {
    this(VolumeKeys.MODULE.fit(VersionInfo.getVersion()), System::nanoTime);
  }

  PerTypeRoundRobinVolumeChoosingPolicy(Fit hadoop, LongSupplier nanoTime) {
    this.hadoop = hadoop;
    this.nanoTime = nanoTime;
  }

  /**
   * Reads and checks the configuration, then says what this instance does.
   *
   * @throws ConfigException naming key, value and range; the DataNode then does not start
   */
  @Override
  public final void setConf(Configuration newConf) {
    if (newConf == null) {
      return;
    }
    PolicyStart start = PolicyStart.read(LOG, hadoop, newConf);
    keptFree = start.keptFree();
    boolean first = conf == null;
    conf = newConf;
    fallback = start.stock() ? StockRoundRobin.create(newConf) : null;
    if (first) {
      start.announce(PerTypeRoundRobinVolumeChoosingPolicy.class, LOG, false);
    }
  }

  @Override
  public final Configuration getConf() {
    return conf;
  }

  /**
   * Hadoop 2.x calls this one.
   *
   * @param volumes volumes of one storage type
   * @param replicaSize bytes
   * @return the least recently chosen volume with room
   * @throws DiskOutOfSpaceException when there is no volume or none has room
   * @throws IOException when a volume cannot tell its free space
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
    StockRoundRobin<V> stock = fallback;
    if (stock != null) {
      return stock.chooseVolume(volumes, replicaSize, storageId);
    }
    if (volumes.isEmpty()) {
      throw new DiskOutOfSpaceException("No more available volumes");
    }
    StorageType given = volumes.get(0).getStorageType();
    StorageType type = given == null ? StorageType.DEFAULT : given;
    Group<V> group = groups.get(type);
    if (group == null) {
      group = groups.computeIfAbsent(type, t -> new Group<>());
    }
    long reserve = keptFree;
    Choice<V> choice =
        group.rotation.choose(volumes, KeptFree.add(replicaSize, reserve), freeSpace);
    if (!choice.found()) {
      throw new DiskOutOfSpaceException(outOfSpace(choice, type, replicaSize, reserve));
    }
    if (!choice.refused().isEmpty()) {
      warnOfFullVolumes(group, choice, type, replicaSize);
    }
    return choice.volume();
  }

  private static String outOfSpace(Choice<?> choice, StorageType type, long size, long reserve) {
    return KeptFree.outOfSpace(
        choice.largestFree(), size, reserve, type + " volumes", choice.refused().size());
  }

  private void warnOfFullVolumes(Group<V> group, Choice<V> choice, StorageType type, long size) {
    long withheld = group.fullVolumes.permit(nanoTime.getAsLong());
    if (withheld != LogLimiter.QUIET) {
      LOG.warn(
          "{} volumes without room for a block of {} B were passed over: {} (most available space"
              + " among them {} B, kept free {} B); {} more such choices since the last warning."
              + " Free space there or add volumes.",
          type,
          size,
          choice.refused(),
          choice.largestFree(),
          keptFree,
          withheld);
    }
  }

  /** What belongs to one storage type; nothing is shared between types. */
  private static final class Group<V> {
    final Rotation<V> rotation = new Rotation<>();
    final LogLimiter fullVolumes = new LogLimiter(TimeUnit.SECONDS.toNanos(WARN_INTERVAL_SECONDS));
  }
}
