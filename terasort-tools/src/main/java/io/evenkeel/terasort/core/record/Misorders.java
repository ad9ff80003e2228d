package io.evenkeel.terasort.core.record;

/** Takes each pair of neighbouring records that stand in the wrong order. */
public interface Misorders {
  /**
   * A record sorts before the one in front of it.
   *
   * @param offset where the second record starts in its file, in bytes
   * @param previous key of the first
   * @param key key of the second
   */
  void found(long offset, byte[] previous, byte[] key);
}
