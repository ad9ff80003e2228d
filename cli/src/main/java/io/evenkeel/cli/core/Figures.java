package io.evenkeel.cli.core;

import java.util.Locale;

/** Numbers as a reader wants them; null, which stands for not known, is a hyphen. Stateless. */
public final class Figures {
  private static final String UNKNOWN = "-";
  private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  private static final int STEP = 1024;
  private static final int MILLIS = 1000;
  private static final long MINUTE = 60;
  private static final long HOUR = 60 * MINUTE;
  private static final long DAY = 24 * HOUR;

  private Figures() {}

  /** Without a fraction, for example {@code 17}. */
  public static String count(Number value) {
    return value == null ? UNKNOWN : String.valueOf(value.longValue());
  }

  /** One digit after the point, none for whole numbers. */
  public static String decimal(Number value) {
    if (value == null) {
      return UNKNOWN;
    }
    String text = String.format(Locale.ROOT, "%.1f", value.doubleValue());
    return text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
  }

  /** A fraction as per cent. */
  public static String percent(Number fraction) {
    return fraction == null
        ? UNKNOWN
        : String.format(Locale.ROOT, "%.1f%%", 100 * fraction.doubleValue());
  }

  /** Milliseconds with their unit. */
  public static String millis(Number value) {
    return value == null ? UNKNOWN : decimal(value) + " ms";
  }

  /**
   * Milliseconds as a time with its unit: {@code 0.012 ms} with three digits below one, {@code 12.5
   * ms} below a second, {@code 5.2 s} below a minute, then as {@link #duration}.
   */
  public static String span(Number millis) {
    if (millis == null) {
      return UNKNOWN;
    }
    double value = millis.doubleValue();
    if (value < 1 && value != 0) {
      return String.format(Locale.ROOT, "%.3f ms", value);
    }
    if (value < MILLIS) {
      return millis(value);
    }
    double seconds = value / MILLIS;
    return seconds < MINUTE ? decimal(seconds) + " s" : duration(seconds);
  }

  /** Bytes in binary units. */
  public static String bytes(Number value) {
    if (value == null) {
      return UNKNOWN;
    }
    double rest = value.doubleValue();
    int unit = 0;
    while (rest >= STEP && unit < UNITS.length - 1) {
      rest /= STEP;
      unit++;
    }
    return decimal(rest) + " " + UNITS[unit];
  }

  /** Seconds in the two largest units, for example {@code 3m12s}. */
  public static String duration(Number seconds) {
    if (seconds == null) {
      return UNKNOWN;
    }
    long s = Math.max(0, seconds.longValue());
    if (s < MINUTE) {
      return s + "s";
    }
    if (s < HOUR) {
      return s / MINUTE + "m" + s % MINUTE + "s";
    }
    if (s < DAY) {
      return s / HOUR + "h" + s % HOUR / MINUTE + "m";
    }
    return s / DAY + "d" + s % DAY / HOUR + "h";
  }
}
