package io.evenkeel.volume.core;

import java.io.IOException;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Asks on the calling thread: for simulators and tests, where asking costs nothing. Thread-safe:
 * one thread asks at a time, so that each refresh asks afresh.
 */
public final class InlineProbes<V> implements SpaceProbes<V> {
  private final VolumeSignals<V> signals;
  private final LongSupplier nanoTime;

  /** Creates probes that ask {@code signals}. */
  public InlineProbes(VolumeSignals<V> signals, LongSupplier nanoTime) {
    this.signals = signals;
    this.nanoTime = nanoTime;
  }

  @Override
  public synchronized void request(VolumeGroup<V> group, TrackedVolume<V> tracked) {
    probe(signals, group, tracked, nanoTime);
  }

  @Override
  public synchronized void refresh(VolumeGroup<V> group, List<TrackedVolume<V>> volumes) {
    volumes.forEach(volume -> probe(signals, group, volume, nanoTime));
  }

  @Override
  public void watch() {}

  /** Asks one volume on this thread, unless another thread is asking it. */
  public static <V> void probe(
      VolumeSignals<V> signals,
      VolumeGroup<V> group,
      TrackedVolume<V> tracked,
      LongSupplier nanoTime) {
    V volume = tracked.get();
    if (volume == null || !group.probeBegins(tracked, nanoTime.getAsLong())) {
      return;
    }
    try {
      group.probeFound(tracked, signals.space(volume), nanoTime.getAsLong());
    } catch (IOException e) {
      group.probeFailed(tracked, e, nanoTime.getAsLong());
    } catch (RuntimeException | Error e) {
      group.probeFailed(tracked, new IOException(e), nanoTime.getAsLong());
    }
  }
}
