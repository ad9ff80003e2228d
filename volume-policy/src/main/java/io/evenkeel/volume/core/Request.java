package io.evenkeel.volume.core;

import java.util.List;

/**
 * The candidate volumes of one storage type and the space that one new block needs. Confined to one
 * choice.
 *
 * @param <V> type of a volume
 */
public final class Request<V> {
  final List<? extends V> volumes;
  final long size;
  final long need;

  /**
   * Creates a request.
   *
   * @param volumes candidates
   * @param size bytes of the block
   * @param need a volume has room when it has more bytes than this
   */
  public Request(List<? extends V> volumes, long size, long need) {
    this.volumes = volumes;
    this.size = size;
    this.need = need;
  }
}
