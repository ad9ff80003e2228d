package io.evenkeel.mover.mixed;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * What a file must contain, kept as the seeds of its parts: a byte follows from the seed of the
 * write it came with and from its offset. What is written after a truncate differs from what stood
 * there before, so that an old replica is noticed. Immutable.
 */
final class Content {
  static final Content EMPTY = new Content(new long[0], new long[0], 0);

  private final long[] starts;
  private final long[] seeds;
  private final long length;

  private Content(long[] starts, long[] seeds, long length) {
    this.starts = starts;
    this.seeds = seeds;
    this.length = length;
  }

  long length() {
    return length;
  }

  /** Whether both are of the same file, at whatever time. */
  boolean isSameFile(Content other) {
    return seeds.length > 0 && other.seeds.length > 0 && seeds[0] == other.seeds[0];
  }

  /** With so many bytes more. */
  Content plus(long seed, long bytes) {
    int n = starts.length;
    long[] moreStarts = Arrays.copyOf(starts, n + 1);
    long[] moreSeeds = Arrays.copyOf(seeds, n + 1);
    moreStarts[n] = length;
    moreSeeds[n] = seed;
    return new Content(moreStarts, moreSeeds, length + bytes);
  }

  /** The first bytes only. */
  Content cut(long toLength) {
    if (toLength > length) {
      throw new IllegalArgumentException(toLength + " of " + length);
    }
    int n = 0;
    while (n < starts.length && starts[n] < toLength) {
      n++;
    }
    return new Content(Arrays.copyOf(starts, n), Arrays.copyOf(seeds, n), toLength);
  }

  byte[] bytes(long from, int count) {
    byte[] bytes = new byte[count];
    int part = part(from);
    for (int i = 0; i < count; i++) {
      long offset = from + i;
      while (part + 1 < starts.length && starts[part + 1] <= offset) {
        part++;
      }
      bytes[i] = at(seeds[part], offset);
    }
    return bytes;
  }

  private int part(long offset) {
    int part = Arrays.binarySearch(starts, offset);
    return part >= 0 ? part : -part - 2;
  }

  private static byte at(long seed, long offset) {
    long word = seed + (offset >>> 3) * 0x9E3779B97F4A7C15L;
    word = (word ^ (word >>> 32)) * 0xD6E8FEB86659FD93L;
    word ^= word >>> 29;
    return (byte) (word >>> ((offset & 7) << 3));
  }

  /**
   * Reads a stream to its end; its length, when all of it is as here.
   *
   * @throws AssertionError on the first byte that differs or is too many
   */
  long check(String name, InputStream in) throws IOException {
    byte[] buffer = new byte[32 << 10];
    long at = 0;
    for (int n = in.readNBytes(buffer, 0, buffer.length); n > 0; ) {
      if (at + n > length) {
        throw new AssertionError(name + " has more than its " + length + " bytes: " + (at + n));
      }
      byte[] wanted = bytes(at, n);
      int differs = Arrays.mismatch(buffer, 0, n, wanted, 0, n);
      if (differs >= 0) {
        throw new AssertionError(name + " differs at byte " + (at + differs) + " of " + length);
      }
      at += n;
      n = in.readNBytes(buffer, 0, buffer.length);
    }
    return at;
  }
}
