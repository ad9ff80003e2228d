package io.evenkeel.volume.core;

import java.util.concurrent.TimeUnit;

/**
 * What governs the volumes of one storage type. Immutable; times are nanoseconds unless named
 * otherwise.
 */
public final class GroupSettings {
  final boolean ejects;
  final double multiplier;
  final int minPeers;
  final double minLatencyMillis;
  final long ejectBase;
  final long ejectMax;
  final boolean fillsEvenly;
  final long nearlyFull;

  private GroupSettings(Builder b) {
    ejects = b.ejects;
    multiplier = b.multiplier;
    minPeers = b.minPeers;
    minLatencyMillis = b.minLatencyMillis;
    ejectBase = b.ejectBase;
    ejectMax = b.ejectMax;
    fillsEvenly = b.fillsEvenly;
    nearlyFull = b.nearlyFull;
  }

  /** The settings a DataNode has when no key is set; 20 ms is the floor of a hard disk. */
  public static GroupSettings defaults() {
    return new Builder().build();
  }

  /** Collects settings; not thread-safe. Callers hand in what the key table has checked. */
  public static final class Builder {
    private boolean ejects = true;
    private double multiplier = 3;
    private int minPeers = 2;
    private double minLatencyMillis = 20;
    private long ejectBase = TimeUnit.SECONDS.toNanos(10);
    private long ejectMax = TimeUnit.SECONDS.toNanos(45);
    private boolean fillsEvenly;
    private long nearlyFull = 1L << 30;

    /** Whether slow volumes are ejected at all; hung ones are avoided in any case. */
    public Builder ejects(boolean value) {
      ejects = value;
      return this;
    }

    /** An outlier's write latency is more than this many times the median of its peers. */
    public Builder multiplier(double value) {
      multiplier = value;
      return this;
    }

    /** Peers with a recent latency that are needed to call a volume an outlier. */
    public Builder minPeers(int value) {
      minPeers = value;
      return this;
    }

    /** A volume below this write latency is never an outlier. */
    public Builder minLatencyMillis(double value) {
      minLatencyMillis = value;
      return this;
    }

    /** How long a first ejection lasts before a probe, and the longest it grows to. */
    public Builder ejection(long base, long max) {
      ejectBase = base;
      ejectMax = max;
      return this;
    }

    /** Whether volumes that are idle get blocks by their free fraction and not in turn. */
    public Builder fillsEvenly(boolean value) {
      fillsEvenly = value;
      return this;
    }

    /** A volume with less than this many bytes beyond a block is asked again before it gets one. */
    public Builder nearlyFull(long bytes) {
      nearlyFull = bytes;
      return this;
    }

    /** The settings. */
    public GroupSettings build() {
      return new GroupSettings(this);
    }
  }
}
