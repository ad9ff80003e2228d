package io.evenkeel.volume.core;

import java.io.IOException;

/**
 * Where a policy learns what a volume is doing. Implementations are thread-safe.
 *
 * <p>The first three are asked by the thread that chooses, for every volume and every choice: they
 * read memory and nothing else. {@link #device} is asked by the one sampling thread and must not
 * block. {@link #space} may block for as long as the file system does; it is only called on a
 * thread that a watchdog can give up.
 *
 * <p>A signal that is not there answers {@link #UNKNOWN} or null; one that throws counts as not
 * there.
 *
 * @param <V> type of a volume
 */
public interface VolumeSignals<V> {
  /** Answer of a number that is not known. */
  long UNKNOWN = -1;

  /** Users of the volume at this moment: writers, readers and daemon tasks; or UNKNOWN. */
  long references(V volume);

  /** Bytes that open replicas have announced and not yet acknowledged; or UNKNOWN. */
  long unacknowledgedBytes(V volume);

  /** Blocks on the volume, those being written included; or UNKNOWN. */
  default long blocks(V volume) {
    return UNKNOWN;
  }

  /** Counters of the device below the volume; null when there are none. */
  DeviceCounters device(V volume);

  /**
   * Free and total bytes, as the DataNode itself sees them.
   *
   * @throws IOException when the volume cannot tell
   */
  Space space(V volume) throws IOException;

  /** Which signals serve this volume, for operators: for example {@code device 8:16}. */
  String describe(V volume);
}
