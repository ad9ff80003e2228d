package io.evenkeel.volume.core;

import java.io.IOException;

/**
 * Tells how much room a volume has. May do I/O; never called with a lock of this package held.
 *
 * @param <V> type of a volume
 */
@FunctionalInterface
public interface FreeSpace<V> {
  /**
   * Free bytes of a volume, 0 or more.
   *
   * @throws IOException when the volume cannot tell
   */
  long of(V volume) throws IOException;
}
