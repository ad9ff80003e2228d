package io.evenkeel.cli.core;

import io.evenkeel.common.svg.ValueFormat;
import java.util.Locale;

/** Numbers as a reader wants them; null, which stands for not known, is a hyphen. Stateless. */
public final class Figures {
  private static final String UNKNOWN = "-";
  private static final int MILLIS = 1000;
  private static final long MINUTE = 60;
  private static final long HOUR = 60 * MINUTE;
  private static final long DAY = 24 * HOUR;

  private Figures() {}

  /** Without a fraction, for example {@code 12,345}. */
  public static String count(Number value) {
    return value == null
        ? UNKNOWN
        : String.format(Locale.ROOT, "%,d", Math.round(value.doubleValue()));
  }

  /** One of a thing, or several. */
  public static String count(Number value, String one, String several) {
    return count(value) + " " + (Math.round(value.doubleValue()) == 1 ? one : several);
  }

  /** One digit after the point, none for whole numbers. */
  public static String decimal(Number value) {
    if (value == null) {
      return UNKNOWN;
    }
    String text = String.format(Locale.ROOT, "%.1f", value.doubleValue());
    return text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
  }

  /** So many digits after the point; a hyphen also when it is not a number. */
  public static String decimals(double value, int places) {
    return Double.isNaN(value) ? UNKNOWN : String.format(Locale.ROOT, "%,." + places + "f", value);
  }

  /** A fraction as per cent. */
  public static String percent(Number fraction) {
    return fraction == null
        ? UNKNOWN
        : String.format(Locale.ROOT, "%.1f%%", 100 * fraction.doubleValue());
  }

  /**
   * Milliseconds as a time with its unit: {@code 0.012 ms} with three digits below one, {@code 12.5
   * ms} below a second, {@code 5.2 s} below a minute, then the two largest units: {@code 3m12s}.
   */
  public static String time(Number millis) {
    if (millis == null) {
      return UNKNOWN;
    }
    double value = millis.doubleValue();
    if (value < 1 && value != 0) {
      return String.format(Locale.ROOT, "%.3f ms", value);
    }
    if (value < MILLIS) {
      return decimal(value) + " ms";
    }
    double seconds = value / MILLIS;
    return seconds < MINUTE ? decimal(seconds) + " s" : large((long) seconds);
  }

  private static String large(long s) {
    if (s < HOUR) {
      return s / MINUTE + "m" + s % MINUTE + "s";
    }
    if (s < DAY) {
      return s / HOUR + "h" + s % HOUR / MINUTE + "m";
    }
    return s / DAY + "d" + s % DAY / HOUR + "h";
  }

  /** Bytes in binary units. */
  public static String bytes(Number value) {
    return value == null ? UNKNOWN : ValueFormat.BYTES.format(Math.rint(value.doubleValue()));
  }

  /** A number that JSON can hold: rounded, null when it is not a number. */
  public static Double json(double number) {
    return Double.isNaN(number) || Double.isInfinite(number)
        ? null
        : Math.round(number * 1e4) / 1e4;
  }
}
