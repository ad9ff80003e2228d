package io.evenkeel.bench.gameday.history;

/**
 * Where bytes of a file come from: a function of name, generation and position that is as cheap to
 * check at any position as it is to produce. Immutable.
 *
 * @param name path of the file when the generation began
 * @param generation grows whenever bytes of the file were cut off or the path was created anew, so
 *     that a stale byte differs from the one that is now in its place; at least 1
 */
record Source(String name, int generation) {

  /** Produces the bytes from a position on. */
  void fill(long position, byte[] buffer, int offset, int length) {
    long seed = seed();
    long word = word(seed, position);
    for (int i = 0; i < length; i++) {
      long at = position + i;
      if ((at & 7) == 0) {
        word = word(seed, at);
      }
      buffer[offset + i] = (byte) (word >>> (at << 3));
    }
  }

  /** How many bytes are those from a position on, before the first that is not. */
  int matching(long position, byte[] buffer, int offset, int length) {
    long seed = seed();
    long word = word(seed, position);
    for (int i = 0; i < length; i++) {
      long at = position + i;
      if ((at & 7) == 0) {
        word = word(seed, at);
      }
      if (buffer[offset + i] != (byte) (word >>> (at << 3))) {
        return i;
      }
    }
    return length;
  }

  private long seed() {
    long hash = generation;
    for (int i = 0; i < name.length(); i++) {
      hash = mixed(hash * 31 + name.charAt(i));
    }
    return hash;
  }

  private static long word(long seed, long position) {
    return mixed(seed + (position >>> 3) * 0x9E3779B97F4A7C15L);
  }

  /** The finalizer of SplitMix64. */
  private static long mixed(long value) {
    long z = (value ^ (value >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
