package io.evenkeel.common.config;

import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses and prints sizes ({@code 128m}) and durations ({@code 30s}). Stateless. */
public final class Units {
  private static final Pattern SIZE = Pattern.compile("(\\d+)([kmgtp]?)b?");
  private static final Pattern TIME = Pattern.compile("(\\d+)(ms|s|m|h|d)?");

  private Units() {}

  /**
   * Bytes from a number with an optional binary suffix k, m, g, t or p (case does not matter).
   *
   * @throws IllegalArgumentException for anything else, or above {@link Long#MAX_VALUE}
   */
  public static long bytes(String text) {
    Matcher m = SIZE.matcher(text.trim().toLowerCase(Locale.ROOT));
    if (!m.matches()) {
      throw new IllegalArgumentException(
          "'" + text + "' is not a size; write for example 64k, 128m or 2g");
    }
    int power = m.group(2).isEmpty() ? 0 : "kmgtp".indexOf(m.group(2)) + 1;
    try {
      return Math.multiplyExact(Long.parseLong(m.group(1)), 1L << (10 * power));
    } catch (ArithmeticException | NumberFormatException e) {
      throw new IllegalArgumentException("'" + text + "' is too large", e);
    }
  }

  /**
   * A duration from a number with unit ms, s, m, h or d; without a unit, milliseconds.
   *
   * @throws IllegalArgumentException for anything else, or above {@link Long#MAX_VALUE}
   *     milliseconds, so that {@link Duration#toMillis} never fails on the result
   */
  public static Duration duration(String text) {
    Matcher m = TIME.matcher(text.trim().toLowerCase(Locale.ROOT));
    if (!m.matches()) {
      throw new IllegalArgumentException(
          "'" + text + "' is not a duration; write for example 500ms, 30s or 5m");
    }
    String unit = m.group(2) == null ? "ms" : m.group(2);
    try {
      return Duration.ofMillis(Math.multiplyExact(Long.parseLong(m.group(1)), millis(unit)));
    } catch (ArithmeticException | NumberFormatException e) {
      throw new IllegalArgumentException("'" + text + "' is too long", e);
    }
  }

  private static long millis(String unit) {
    switch (unit) {
      case "ms":
        return 1;
      case "s":
        return 1000;
      case "m":
        return 60_000;
      case "h":
        return 3_600_000;
      default:
        return 86_400_000;
    }
  }

  /** About how long that is, in whole seconds, minutes, hours or days: {@code 119s}, {@code 2m}. */
  public static String humanDuration(long millis) {
    long seconds = millis / 1000;
    if (seconds < 120) {
      return seconds + "s";
    }
    if (seconds < 7200) {
      return seconds / 60 + "m";
    }
    return seconds < 172_800 ? seconds / 3600 + "h" : seconds / 86_400 + "d";
  }

  /** Bytes for people, three significant digits: {@code 1.5 GB} (binary multiples). */
  public static String humanBytes(double bytes) {
    // The limits are those of the rounded number: 1023.9 kB is 1.00 MB, not 1024 kB.
    String[] units = {"B", "kB", "MB", "GB", "TB", "PB"};
    int i = 0;
    double v = bytes;
    while (Math.abs(v) >= 1023.5 && i < units.length - 1) {
      v /= 1024;
      i++;
    }
    String format =
        i == 0 || Math.abs(v) >= 99.95 ? "%.0f %s" : Math.abs(v) >= 9.995 ? "%.1f %s" : "%.2f %s";
    return String.format(Locale.ROOT, format, v, units[i]);
  }
}
