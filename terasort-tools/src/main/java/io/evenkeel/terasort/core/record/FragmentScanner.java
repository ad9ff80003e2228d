package io.evenkeel.terasort.core.record;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32;

/**
 * Reads the bytes of one range of a file in order, in pieces of any length, and makes its {@link
 * Fragment}. Confined to one thread.
 *
 * <p>This is the hot path of a validation: a record costs one CRC32 call and one comparison of
 * numbers, and nothing is allocated per record.
 */
public final class FragmentScanner {
  private final long start;
  private final long end;
  private final Misorders misorders;
  private final CRC32 crc = new CRC32();
  private final byte[] head;
  private final byte[] part = new byte[Records.RECORD];
  private int headLength;
  private int partLength;
  private long at;

  private long records;
  private Sum128 sum = Sum128.ZERO;
  private byte[] first;
  private long lastHigh;
  private int lastLow;

  /** Scans the bytes from {@code start} to {@code end} (exclusive) of a file. */
  public FragmentScanner(long start, long end, Misorders misorders) {
    if (start < 0 || end < start) {
      throw new IllegalArgumentException("no range: " + start + " to " + end);
    }
    this.start = start;
    this.end = end;
    this.misorders = misorders;
    this.at = start;
    this.head = new byte[(int) Math.min(Records.toBorder(start), end - start)];
  }

  /**
   * Takes the next {@code length} bytes.
   *
   * @throws IllegalArgumentException when the range ends before them
   */
  public void update(byte[] bytes, int offset, int length) {
    if (length > end - at) {
      throw new IllegalArgumentException(length + " bytes at " + at + " go beyond " + end);
    }
    int from = offset;
    int to = offset + length;
    from += fill(head, headLength, bytes, from, to);
    headLength += from - offset;
    if (partLength > 0) {
      from = completePart(bytes, from, to);
    }
    int whole = (to - from) / Records.RECORD * Records.RECORD;
    if (whole > 0) {
      check(bytes, from, from + whole, at + from - offset);
      from += whole;
    }
    partLength += fill(part, partLength, bytes, from, to);
    at += length;
  }

  private int completePart(byte[] bytes, int from, int to) {
    int taken = fill(part, partLength, bytes, from, to);
    partLength += taken;
    if (partLength == Records.RECORD) {
      check(part, 0, Records.RECORD, start + head.length + records * Records.RECORD);
      partLength = 0;
    }
    return from + taken;
  }

  /** Copies what fits behind {@code filled} bytes of the target; returns how much that was. */
  private static int fill(byte[] target, int filled, byte[] bytes, int from, int to) {
    int length = Math.min(target.length - filled, to - from);
    System.arraycopy(bytes, from, target, filled, length);
    return length;
  }

  /** Checks the whole records in {@code [from, to)}; the first starts at {@code fileOffset}. */
  private void check(byte[] bytes, int from, int to, long fileOffset) {
    if (records == 0) {
      first = Arrays.copyOfRange(bytes, from, from + Records.KEY);
      lastHigh = Records.high(bytes, from);
      lastLow = Records.low(bytes, from);
    }
    ByteBuffer longs = ByteBuffer.wrap(bytes); // reads 8 bytes at once
    long high = lastHigh;
    long total = 0; // of CRC32s below 2^32 each: a buffer would need 2^32 records to overflow
    for (int i = from; i < to; i += Records.RECORD) {
      crc.reset();
      crc.update(bytes, i, Records.RECORD);
      total += crc.getValue();
      long next = longs.getLong(i);
      if (next + Long.MIN_VALUE <= high + Long.MIN_VALUE) {
        int low = i == from ? lastLow : Records.low(bytes, i - Records.RECORD);
        compare(
            key(high, low), Arrays.copyOfRange(bytes, i, i + Records.KEY), fileOffset + i - from);
      }
      high = next;
    }
    lastHigh = high;
    lastLow = Records.low(bytes, to - Records.RECORD);
    records += (to - from) / Records.RECORD;
    sum = sum.plus(total);
  }

  /** The rare case: the first 8 bytes do not rise, so the last 2 decide. */
  private void compare(byte[] previous, byte[] key, long fileOffset) {
    if (Records.before(key, previous)) {
      misorders.found(fileOffset, previous, key);
    }
  }

  private static byte[] key(long high, int low) {
    byte[] key = new byte[Records.KEY];
    for (int i = 0; i < 8; i++) {
      key[i] = (byte) (high >>> 56 - 8 * i);
    }
    key[8] = (byte) (low >>> 8);
    key[9] = (byte) low;
    return key;
  }

  /**
   * What the range holds.
   *
   * @throws IllegalStateException when bytes of it are still to come
   */
  public Fragment finish() {
    if (at != end) {
      throw new IllegalStateException("only " + (at - start) + " of " + (end - start) + " bytes");
    }
    Fragment.Run run =
        records == 0
            ? Fragment.Run.EMPTY
            : new Fragment.Run(records, sum, first, key(lastHigh, lastLow));
    return new Fragment(start, end, head, Arrays.copyOf(part, partLength), run);
  }
}
