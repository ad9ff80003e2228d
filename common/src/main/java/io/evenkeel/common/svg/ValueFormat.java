package io.evenkeel.common.svg;

import java.util.Locale;

/** How a number is written for a reader. Independent of the system's locale. Stateless. */
public enum ValueFormat {
  /** A count or a number without a unit: {@code 112,000}. */
  COUNT(""),
  /** A ratio such as maximum over mean, two decimals: {@code 1.21}. */
  RATIO(""),
  /** Seconds: {@code 9.3 s}. */
  SECONDS(" s"),
  /** Milliseconds: {@code 4,012 ms}. */
  MILLISECONDS(" ms"),
  /** A fraction of one shown in per cent: 0.4 is {@code 40 %}. */
  PERCENT(" %"),
  /** Bytes in binary units: {@code 128 MiB}. */
  BYTES("");

  private static final String[] BYTE_UNITS = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  private static final double EXPONENT_FROM = 1e15;

  private final String suffix;

  ValueFormat(String suffix) {
    this.suffix = suffix;
  }

  /** The value as text; what is not a finite number is {@code n/a}. */
  public String format(double value) {
    if (Double.isNaN(value) || Double.isInfinite(value)) {
      return "n/a";
    }
    switch (this) {
      case RATIO:
        return fixed(value, 2);
      case PERCENT:
        double percent = value * 100;
        boolean whole = Math.abs(percent) >= 10 || percent == Math.rint(percent);
        return fixed(percent, whole ? 0 : 1) + suffix;
      case BYTES:
        double scaled = value / byteUnit(value);
        boolean exact = scaled == Math.rint(scaled) || Math.abs(scaled) >= 100;
        return fixed(scaled, exact ? 0 : 1) + " " + byteUnitName(value);
      case SECONDS:
        return fixed(value, Math.abs(value) >= 100 ? 0 : 1) + suffix;
      case MILLISECONDS:
        return fixed(value, Math.abs(value) >= 10 ? 0 : 1) + suffix;
      default:
        return value == Math.rint(value) ? fixed(value, 0) : fixed(value, 1);
    }
  }

  /** A tick label: no more decimals than the distance of two ticks asks for. */
  String tick(double value, double step) {
    double unit = this == BYTES ? byteUnit(value) : 1;
    double factor = this == PERCENT ? 100 : 1;
    double shown = value * factor / unit;
    int decimals = Math.max(0, (int) Math.ceil(-Math.log10(step * factor / unit) - 1e-9));
    String number = fixed(shown, Math.min(decimals, 4));
    return number + (this == BYTES ? " " + byteUnitName(value) : suffix);
  }

  /** The power of 1024 in which this many bytes are written; 1 below one KiB. */
  static double byteUnit(double bytes) {
    double unit = 1;
    for (int i = 1; i < BYTE_UNITS.length && Math.abs(bytes) / unit >= 1024; i++) {
      unit *= 1024;
    }
    return unit;
  }

  private static String byteUnitName(double bytes) {
    return BYTE_UNITS[(int) Math.round(Math.log(byteUnit(bytes)) / Math.log(1024))];
  }

  private static String fixed(double value, int decimals) {
    if (Math.abs(value) >= EXPONENT_FROM) {
      return String.format(Locale.ROOT, "%.1e", value);
    }
    // Adding zero turns a negative zero into zero.
    return String.format(Locale.ROOT, "%,." + decimals + "f", value + 0.0);
  }
}
