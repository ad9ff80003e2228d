package io.evenkeel.locking.stress;

import java.util.zip.CRC32C;

/** The bytes every block holds: a function of the block's id and the offset. */
final class Content {
  /** Bytes per checksum. */
  static final int CHUNK = 512;

  /** From this bit on ids tell copies (copy-on-truncate) apart; a copy holds the same bytes. */
  private static final int COPY_SHIFT = 40;

  private Content() {}

  /** The id thread {@code actor} gives its copy of a block. */
  static long copyOf(long blockId, int actor) {
    return blockId | (actor + 1L) << COPY_SHIFT;
  }

  static byte[] bytes(long blockId, long offset, int length) {
    byte[] out = new byte[length];
    for (int i = 0; i < length; i++) {
      out[i] = at(blockId, offset + i);
    }
    return out;
  }

  static byte at(long blockId, long offset) {
    long mixed =
        ((blockId & ((1L << COPY_SHIFT) - 1)) * 31 + offset * 7919 + (offset >> 8)) * 2654435761L;
    return (byte) (mixed >>> 24);
  }

  /** The checksums of all chunks that hold bytes of {@code [from, to)}; four bytes each. */
  static byte[] checksums(long blockId, long from, long to) {
    long first = from / CHUNK;
    int chunks = (int) ((to + CHUNK - 1) / CHUNK - first);
    byte[] out = new byte[4 * chunks];
    for (int i = 0; i < chunks; i++) {
      long start = (first + i) * CHUNK;
      CRC32C crc = new CRC32C();
      crc.update(bytes(blockId, start, (int) (Math.min(to, start + CHUNK) - start)));
      int value = (int) crc.getValue();
      for (int b = 0; b < 4; b++) {
        out[4 * i + b] = (byte) (value >>> (24 - 8 * b));
      }
    }
    return out;
  }
}
