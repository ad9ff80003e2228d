package io.evenkeel.volume.signal;

import io.evenkeel.volume.core.DeviceCounters;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.lang.reflect.InvocationTargetException;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which signals serve one volume, held weakly, and what was logged of that.
 *
 * <p>{@link #read} is confined to the sampling thread, {@link #found} to the one that asks for
 * space; what they share is volatile. Hence apart from {@link DataNodeSignals}, which its own lock
 * guards. Each way a signal can be missing is logged once.
 */
final class VolumeSource extends WeakReference<FsVolumeSpi> {
  private static final Logger LOG = LoggerFactory.getLogger(DataNodeSignals.class);

  private final String name;
  private final MetricsSource metrics; // null when not to be used
  private volatile boolean searched;
  private volatile DeviceSource device;
  private volatile String inUse = "";
  private volatile boolean deviceFailed;
  private boolean metricsFailed;
  private boolean withoutUsers;

  /**
   * Creates the record of a volume.
   *
   * @param name what the log calls it
   * @param metrics Hadoop's metrics of the volume; null when they are not to be used
   */
  VolumeSource(FsVolumeSpi volume, String name, MetricsSource metrics) {
    super(volume);
    this.name = name;
    this.metrics = metrics;
  }

  /** Whether its device has been looked for. */
  boolean searched() {
    return searched;
  }

  /**
   * The device below the volume has been looked for; happens once.
   *
   * @param found null for none
   * @param why there is none, or null when none was wanted
   */
  void found(DeviceSource found, String why) {
    device = found;
    searched = true;
    if (why != null) {
      LOG.info("Volume {} has no device counters ({}); {}", name, why, instead());
    }
  }

  private String instead() {
    return metrics == null
        ? "only its work in flight counts"
        : "its write latency comes from Hadoop's volume metrics while profiling fills them";
  }

  /**
   * Counters of the device or, without it, of the DataNode's writes; null when there are none.
   *
   * @param countsUsers whether it can tell its users, to be logged if not
   */
  DeviceCounters read(FsVolumeSpi volume, boolean countsUsers) {
    if (!countsUsers && !withoutUsers) {
      withoutUsers = true;
      LOG.warn(
          "The users of volume {} are not known; bytes not yet acknowledged count instead", name);
    }
    if (!searched) {
      return null;
    }
    DeviceCounters counters = readDevice();
    String from = counters == null ? "" : "device " + device.number();
    if (counters == null) {
      counters = readMetrics(volume);
      from = counters == null ? "" : "metrics";
    }
    // Counters of two signals have nothing to do with each other: a reading lies between.
    boolean other = !inUse.isEmpty() && !from.isEmpty() && !inUse.equals(from);
    inUse = from;
    return other ? null : counters;
  }

  private DeviceCounters readDevice() {
    DeviceSource source = device;
    if (source == null) {
      return null;
    }
    try {
      return source.read();
    } catch (IOException | RuntimeException e) {
      if (!deviceFailed) {
        deviceFailed = true;
        LOG.warn(
            "Volume {} has lost the counters of device {} ({}); {}",
            name,
            source.number(),
            e.toString(),
            instead());
      }
      return null;
    }
  }

  private DeviceCounters readMetrics(FsVolumeSpi volume) {
    if (metrics == null || metricsFailed) {
      return null;
    }
    try {
      return metrics.read(volume);
    } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
      metricsFailed = true;
      Throwable cause = e instanceof InvocationTargetException ? e.getCause() : e;
      LOG.warn("Volume {} has no metrics ({}); only its work in flight counts", name, "" + cause);
      return null;
    }
  }

  /** The latency signal of the latest sample; before the first one, what was found. */
  String inUse() {
    DeviceSource source = device;
    return inUse.isEmpty() && source != null && !deviceFailed ? "device " + source.number() : inUse;
  }
}
