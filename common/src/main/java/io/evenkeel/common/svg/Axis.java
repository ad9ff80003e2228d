package io.evenkeel.common.svg;

import java.util.ArrayList;
import java.util.List;

/** A linear scale with ticks at round numbers (1, 2 or 5 times a power of ten). Immutable. */
final class Axis {
  private static final double LARGEST = 1e300;
  private static final int MOST_TICKS = 20;

  private final double low;
  private final double high;
  private final double step;

  private Axis(double low, double high, double step) {
    this.low = low;
    this.high = high;
    this.step = step;
  }

  /**
   * A scale from a round number at or below {@code min} to one at or above {@code max}.
   *
   * @param ticks about how many intervals are wanted, 1 or more
   */
  static Axis of(double min, double max, int ticks, ValueFormat format) {
    double from = clamp(min);
    double to = clamp(max);
    if (!(to > from)) {
      to = from + Math.max(1, Math.abs(from));
    }
    double unit = format == ValueFormat.BYTES ? ValueFormat.byteUnit(to) : 1;
    double step = round((to - from) / unit / Math.max(1, ticks)) * unit;
    return new Axis(Math.floor(from / step) * step, Math.ceil(to / step - 1e-9) * step, step);
  }

  private static double clamp(double value) {
    if (Double.isNaN(value)) {
      return 0;
    }
    return Math.max(-LARGEST, Math.min(LARGEST, value));
  }

  private static double round(double raw) {
    double power = Math.pow(10, Math.floor(Math.log10(raw)));
    double leading = raw / power;
    double nice = leading < 1.5 ? 1 : leading < 3 ? 2 : leading < 7 ? 5 : 10;
    return nice * power;
  }

  List<Double> ticks() {
    List<Double> all = new ArrayList<>();
    for (int i = 0; i <= MOST_TICKS; i++) {
      double tick = low + i * step;
      if (tick > high + step / 2) {
        break;
      }
      all.add(tick);
    }
    return all;
  }

  /** Where a value lies between the ends: 0 to 1, clamped; 0 for NaN. */
  double fraction(double value) {
    if (Double.isNaN(value)) {
      return 0;
    }
    return Math.max(0, Math.min(1, (value - low) / (high - low)));
  }

  double step() {
    return step;
  }

  double low() {
    return low;
  }

  double high() {
    return high;
  }
}
