package io.evenkeel.common.svg;

import java.util.List;

/**
 * A named series and its look, which its slot chooses: besides the colour the tone of a bar and the
 * dash of a line differ, so that print and colour-blind readers lose nothing. Slots repeat after
 * eight. Immutable.
 */
final class Series {
  private static final String[] DASHES = {
    "6 4", "", "", "2 3", "8 3 2 3", "1 4", "12 4", "3 2 1 2"
  };
  private static final String[] TONES = {
    "ek-pale", "", "", "ek-half", "ek-half", "ek-pale", "", "ek-half"
  };
  private static final double LEGEND_ROW = 18;
  private static final double SAMPLE = 20;

  final String label;
  private final int slot;

  Series(String label, int slot) {
    this.label = label;
    this.slot = Math.floorMod(slot, DASHES.length);
  }

  /** A bar; the hint shows when the pointer rests on it. */
  void bar(Canvas canvas, double x, double y, double width, double height, String hint) {
    if (width > 0) {
      String look = ("ek-fill ek-c" + slot + " " + TONES[slot]).trim();
      canvas.hinted(
          hint, "rect", "class", look, "x", x, "y", y, "width", width, "height", height, "rx", 1.5);
    }
  }

  /** A line along a path. */
  void line(Canvas canvas, String path) {
    String look = "ek-line ek-c" + slot;
    canvas.leaf("path", "class", look, "stroke-dasharray", DASHES[slot], "d", path);
  }

  /** A single point. */
  void dot(Canvas canvas, double x, double y) {
    canvas.hinted(label, "circle", "class", "ek-fill ek-c" + slot, "cx", x, "cy", y, "r", 3.5);
  }

  /** Draws the legend, with bars or lines, in as many rows as it needs; returns the y below it. */
  static double legend(Canvas canvas, List<Series> all, boolean bars) {
    double x = 0;
    double y = 12;
    for (Series one : all) {
      double needed = SAMPLE + 6 + one.label.length() * Canvas.CHAR + 14;
      if (x > 0 && x + needed > canvas.width()) {
        x = 0;
        y += LEGEND_ROW;
      }
      if (bars) {
        one.bar(canvas, x, y - 9, SAMPLE, 10, "");
      } else {
        one.line(canvas, "M" + Canvas.number(x) + " " + Canvas.number(y - 4) + "h" + (int) SAMPLE);
      }
      canvas.text(x + SAMPLE + 6, y, "ek-label", Canvas.fit(one.label, canvas.width() - SAMPLE));
      x += needed;
    }
    return all.isEmpty() ? 0 : y + 8;
  }
}
