package io.evenkeel.volume.core;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Volumes named by strings, whose signals a test sets. Thread-safe but for the device counters. */
final class FakeSignals implements VolumeSignals<String> {
  private final Map<String, Long> references = new ConcurrentHashMap<>();
  private final Map<String, Long> bytes = new ConcurrentHashMap<>();
  private final Map<String, Long> blocks = new ConcurrentHashMap<>();
  private final Map<String, Space> space = new ConcurrentHashMap<>();
  private final Map<String, IOException> failures = new ConcurrentHashMap<>();
  private final Map<String, Device> devices = new HashMap<>();

  /** Counters that a test moves on. */
  static final class Device {
    private long writes;
    private double millis;
    private long inFlight;
    private double busy = -1;
    private double bytes = -1;
    private double read = -1;

    /** Completes writes of that latency each. */
    Device writes(int count, double millisEach) {
      writes += count;
      millis += count * millisEach;
      inFlight = 1;
      return this;
    }

    /** Tells from now on how long it was busy. */
    Device busy(double moreMillis) {
      busy = Math.max(0, busy) + moreMillis;
      return this;
    }

    /** Tells from now on how many bytes were written. */
    Device bytes(double more) {
      bytes = Math.max(0, bytes) + more;
      return this;
    }

    /** Tells from now on how many bytes were read. */
    Device bytesRead(double more) {
      read = Math.max(0, read) + more;
      return this;
    }

    Device idle() {
      inFlight = 0;
      return this;
    }

    Device inFlight(long requests) {
      inFlight = requests;
      return this;
    }

    DeviceCounters read() {
      return new DeviceCounters(writes, writes, millis, inFlight, busy, bytes, read);
    }
  }

  FakeSignals users(String volume, long count) {
    references.put(volume, count);
    return this;
  }

  FakeSignals unacknowledged(String volume, long count) {
    bytes.put(volume, count);
    return this;
  }

  FakeSignals free(String volume, long available) {
    return space(volume, available, 1000);
  }

  FakeSignals space(String volume, long available, long capacity) {
    space.put(volume, new Space(available, capacity));
    failures.remove(volume);
    return this;
  }

  FakeSignals fail(String volume, IOException e) {
    failures.put(volume, e);
    return this;
  }

  Device deviceOf(String volume) {
    return devices.computeIfAbsent(volume, v -> new Device());
  }

  void noDevice(String volume) {
    devices.remove(volume);
  }

  /** Blocks on the volume; not known before the first. */
  FakeSignals blocks(String volume, long count) {
    blocks.put(volume, count);
    return this;
  }

  @Override
  public long blocks(String volume) {
    return blocks.getOrDefault(volume, UNKNOWN);
  }

  @Override
  public long references(String volume) {
    return references.getOrDefault(volume, UNKNOWN);
  }

  @Override
  public long unacknowledgedBytes(String volume) {
    return bytes.getOrDefault(volume, UNKNOWN);
  }

  @Override
  public DeviceCounters device(String volume) {
    Device device = devices.get(volume);
    return device == null ? null : device.read();
  }

  @Override
  public Space space(String volume) throws IOException {
    IOException e = failures.get(volume);
    if (e != null) {
      throw e;
    }
    return space.getOrDefault(volume, new Space(1L << 42, 1L << 43));
  }

  @Override
  public String describe(String volume) {
    return "test";
  }
}
