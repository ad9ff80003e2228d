package io.evenkeel.terasort.core.record;

/**
 * The format of TeraSort: records of 100 bytes without separators, of which the first 10 are the
 * key, compared as unsigned bytes. Stateless.
 */
public final class Records {
  /** Bytes of a record. */
  public static final int RECORD = 100;

  /** Bytes of a key. */
  public static final int KEY = 10;

  private static final char[] HEX = "0123456789abcdef".toCharArray();

  private Records() {}

  /** The first 8 bytes of the key at {@code at}, big-endian; compare unsigned. */
  static long high(byte[] bytes, int at) {
    return (long) word(bytes, at) << 32 | word(bytes, at + 4) & 0xffffffffL;
  }

  /** The last 2 bytes of the key at {@code at}, 0 to 65535. */
  static int low(byte[] bytes, int at) {
    return (bytes[at + 8] & 0xff) << 8 | bytes[at + 9] & 0xff;
  }

  private static int word(byte[] bytes, int at) {
    return bytes[at] << 24
        | (bytes[at + 1] & 0xff) << 16
        | (bytes[at + 2] & 0xff) << 8
        | bytes[at + 3] & 0xff;
  }

  /** Bytes from {@code offset} up to the next border between two records: 0 to 99. */
  public static int toBorder(long offset) {
    return (int) ((RECORD - offset % RECORD) % RECORD);
  }

  /** Whether {@code key} sorts before {@code other}; both are whole keys. */
  public static boolean before(byte[] key, byte[] other) {
    int high = Long.compareUnsigned(high(key, 0), high(other, 0));
    return high < 0 || high == 0 && low(key, 0) < low(other, 0);
  }

  /** Bytes as stock's reports print them: {@code "0a ff 00"}. */
  public static String hex(byte[] bytes) {
    StringBuilder text = new StringBuilder(3 * bytes.length);
    for (byte b : bytes) {
      if (text.length() > 0) {
        text.append(' ');
      }
      text.append(HEX[b >> 4 & 15]).append(HEX[b & 15]);
    }
    return text.toString();
  }
}
