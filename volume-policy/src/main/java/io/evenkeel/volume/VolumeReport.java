package io.evenkeel.volume;

import io.evenkeel.volume.core.VolumeView;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * One volume as JMX shows it; every getter is an attribute name of the API. Every number is finite.
 * Immutable.
 */
public final class VolumeReport {
  private final String directory;
  private final String storageType;
  private final String signal;
  private final double share;
  private final double recentShare;
  private final VolumeView view;

  /** Creates a report; shares are fractions of the choices of the storage type. */
  VolumeReport(
      String directory,
      String storageType,
      String signal,
      double share,
      double recentShare,
      VolumeView view) {
    this.directory = directory;
    this.storageType = storageType;
    this.signal = signal;
    this.share = share;
    this.recentShare = recentShare;
    this.view = view;
  }

  /** Data directory. */
  public String getDirectory() {
    return directory;
  }

  /** For example {@code DISK}. */
  public String getStorageType() {
    return storageType;
  }

  /** Device class the operator gave it; empty for none. */
  public String getDeviceClass() {
    return view.traits.deviceClass();
  }

  /** Weight of that class. */
  public double getWeight() {
    return view.traits.weight();
  }

  /** {@code in_use}, {@code probation}, {@code ejected}, {@code hung} or {@code failing}. */
  public String getHealth() {
    return view.health.name().toLowerCase(Locale.ROOT);
  }

  /** Seconds since it was ejected, put on probation or hung; 0 when in use. */
  public double getHealthSeconds() {
    return seconds(view.healthNanos);
  }

  /** Why it is so; empty when in use. */
  public String getReason() {
    return view.reason;
  }

  /** Blocks sent to it since start. */
  public long getChoices() {
    return view.choices;
  }

  /** Its fraction of all blocks of its storage type since start. */
  public double getShare() {
    return finite(share);
  }

  /** The same for about the last minute. */
  public double getRecentShare() {
    return finite(recentShare);
  }

  /** In observe-only mode: blocks this policy would have sent to it. */
  public long getWouldHaveChosen() {
    return view.wouldHave;
  }

  /** Users at this moment: writers, readers and tasks of the DataNode. */
  public double getInFlight() {
    return finite(view.work + view.idleUsers);
  }

  /** How many of them keep a block open and hardly write, and do not count in the score. */
  public long getIdleUsers() {
    return view.idleUsers;
  }

  /** Users that are not idle, over weight: the volume with the least is next. */
  public double getScore() {
    return finite(view.work / view.traits.weight());
  }

  /** Recent latency of a write to the device in milliseconds; negative when not known. */
  public double getLatencyMillis() {
    return Double.isFinite(view.latencyMillis) ? view.latencyMillis : -1;
  }

  /** How often it was ejected. */
  public long getEjections() {
    return view.ejections;
  }

  /** Blocks sent to see whether it has recovered. */
  public long getProbes() {
    return view.probes;
  }

  /** Bytes a new block may count on; negative when not known. */
  public long getAvailableBytes() {
    return view.available == Long.MAX_VALUE ? -1 : view.available;
  }

  /** Bytes in all; 0 or less when not known. */
  public long getCapacityBytes() {
    return view.capacity;
  }

  /** Seconds since its free space was last read; negative when it never was. */
  public double getSampleAgeSeconds() {
    return getAvailableBytes() < 0 ? -1 : seconds(view.sampleNanos);
  }

  /** Signals in use, for example {@code references, device 8:16}. */
  public String getSignal() {
    return signal;
  }

  private static double seconds(long nanos) {
    return nanos / (double) TimeUnit.SECONDS.toNanos(1);
  }

  /** {@code /jmx} would write NaN and infinity, which are not JSON. */
  private static double finite(double value) {
    return Double.isFinite(value) ? value : 0;
  }
}
