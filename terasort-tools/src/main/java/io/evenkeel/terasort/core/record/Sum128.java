package io.evenkeel.terasort.core.record;

import java.math.BigInteger;

/**
 * A sum of checksums modulo 2^128, the figure TeraChecksum and TeraValidate print. Immutable.
 *
 * <p>A data set's sum is that of its records' CRC32 in any order, so it finds lost, added and
 * altered records, but not exchanged ones.
 */
public final class Sum128 {
  /** Nothing added yet. */
  public static final Sum128 ZERO = new Sum128(0, 0);

  private static final int MAX_DIGITS = 32;

  private final long high;
  private final long low;

  private Sum128(long high, long low) {
    this.high = high;
    this.low = low;
  }

  /** Made of the upper and the lower 64 bits, both unsigned. */
  public static Sum128 of(long high, long low) {
    return new Sum128(high, low);
  }

  /**
   * Reads hexadecimal digits, 1 to 32 of them, of either case.
   *
   * @throws IllegalArgumentException when the text is anything else
   */
  public static Sum128 parse(String hex) {
    if (!hex.matches("[0-9a-fA-F]{1," + MAX_DIGITS + "}")) {
      throw new IllegalArgumentException(
          "'" + hex + "' is not a checksum: 1 to " + MAX_DIGITS + " hexadecimal digits");
    }
    BigInteger value = new BigInteger(hex, 16);
    return new Sum128(value.shiftRight(64).longValue(), value.longValue());
  }

  /** The sum of both. */
  public Sum128 plus(Sum128 other) {
    return plus(other.high, other.low);
  }

  /** The sum with an unsigned 64-bit number. */
  public Sum128 plus(long unsigned) {
    return plus(0, unsigned);
  }

  private Sum128 plus(long otherHigh, long otherLow) {
    long sum = low + otherLow;
    long carry = Long.compareUnsigned(sum, low) < 0 ? 1 : 0;
    return new Sum128(high + otherHigh + carry, sum);
  }

  /** The upper 64 bits. */
  public long high() {
    return high;
  }

  /** The lower 64 bits: what TeraGen's counter {@code CHECKSUM} holds. */
  public long low() {
    return low;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Sum128 && ((Sum128) other).high == high && ((Sum128) other).low == low;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(31 * high + low);
  }

  /** Lower-case hexadecimal digits without leading zeros, as stock prints it. */
  @Override
  public String toString() {
    return high == 0 ? Long.toHexString(low) : Long.toHexString(high) + String.format("%016x", low);
  }
}
