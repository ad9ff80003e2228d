package io.evenkeel.terasort.core.suite;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads numbers of rows with decimal suffixes. Stateless. */
public final class RowCount {
  /** Bytes of a TeraSort row. */
  public static final int ROW_BYTES = 100;

  /** The most rows of one run: 10 PB. */
  public static final long MAX = 100_000_000_000_000L;

  private static final Pattern TEXT = Pattern.compile("(\\d+)([kmgbt]?)");

  private RowCount() {}

  /**
   * Rows from digits with an optional suffix: k thousand, m million, g or b (as in TeraGen)
   * billion, t trillion; case does not matter. TeraGen itself gets {@code t} wrong.
   *
   * @return 1 to {@link #MAX}
   * @throws IllegalArgumentException for anything else; the message says what is allowed
   */
  public static long parse(String text) {
    Matcher m = TEXT.matcher(text.trim().toLowerCase(Locale.ROOT));
    if (!m.matches()) {
      throw new IllegalArgumentException(
          "'" + text + "' is not a number of rows; write for example 500k, 10m, 1g or 1t");
    }
    int thousands = m.group(2).isEmpty() ? 0 : "kmgt".indexOf(m.group(2).replace('b', 'g')) + 1;
    long rows;
    try {
      rows = Long.parseLong(m.group(1));
      for (int i = 0; i < thousands; i++) {
        rows = Math.multiplyExact(rows, 1000L);
      }
    } catch (ArithmeticException | NumberFormatException e) {
      rows = 0;
    }
    if (rows < 1 || rows > MAX) {
      throw new IllegalArgumentException(
          "'" + text + "' rows are not allowed; use 1.." + MAX / 1_000_000_000_000L + "t");
    }
    return rows;
  }
}
