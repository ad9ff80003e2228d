package io.evenkeel.volume.core;

import java.util.List;

/**
 * Asks volumes for their free space, which may block for as long as a file system does. A probe
 * calls {@link VolumeGroup#probeBegins}, asks, and calls {@link VolumeGroup#probeFound} or {@link
 * VolumeGroup#probeFailed}. Implementations are thread-safe.
 *
 * @param <V> type of a volume
 */
public interface SpaceProbes<V> {
  /** Has a volume asked soon, unless it is being asked. Does not wait for the answer. */
  void request(VolumeGroup<V> group, TrackedVolume<V> volume);

  /**
   * Has volumes asked by probes that begin after this call, and waits for the answers; returns
   * without some of them when a limit is reached. Callers that come together may share probes.
   */
  void refresh(VolumeGroup<V> group, List<TrackedVolume<V>> volumes);

  /** Looks after questions that are not answered; called about once per second. */
  void watch();
}
