package io.evenkeel.common.svg;

import java.util.List;

/**
 * The look of a series by its slot: hatch, dash and shape differ, so that print and colour-blind
 * readers lose nothing. Slots repeat after {@link #SLOTS}. Stateless.
 */
final class Marks {
  static final int SLOTS = 6;

  private static final String[] DASHES = {"6 4", "", "", "2 3", "8 3 2 3", "1 4"};
  private static final boolean[] RISING = {true, false, false, true, false, true};
  private static final boolean[] FALLING = {false, false, false, false, true, true};
  private static final double HATCH_STEP = 6;
  private static final double LEGEND_ROW = 18;

  private Marks() {}

  static int slot(int slot) {
    return Math.floorMod(slot, SLOTS);
  }

  static String dash(int slot) {
    return DASHES[slot(slot)];
  }

  /** A filled rectangle with the hatch of its slot; the hint names it. */
  static void bar(Canvas canvas, double[] box, int slot, String hint) {
    double x = box[0];
    double y = box[1];
    double w = Math.max(0, box[2]);
    double h = box[3];
    int s = slot(slot);
    if (w == 0) {
      return;
    }
    boolean hatched = RISING[s] || FALLING[s];
    String look = "ek-fill ek-c" + s + (hatched ? " ek-pale" : "");
    canvas.hinted(hint, "rect", "class", look, "x", x, "y", y, "width", w, "height", h, "rx", 1.5);
    StringBuilder path = new StringBuilder();
    if (RISING[s]) {
      hatch(path, box, false);
    }
    if (FALLING[s]) {
      hatch(path, box, true);
    }
    if (path.length() > 0) {
      canvas.leaf("path", "class", "ek-hatch ek-c" + s, "d", path);
    }
  }

  private static void hatch(StringBuilder path, double[] box, boolean mirrored) {
    double w = box[2];
    double h = box[3];
    for (double t = -h + HATCH_STEP / 2; t < w; t += HATCH_STEP) {
      double left = Math.max(0, t);
      double right = Math.min(w, t + h);
      double leftUp = left - t;
      double rightUp = right - t;
      double first = mirrored ? leftUp : h - leftUp;
      double second = mirrored ? rightUp : h - rightUp;
      path.append('M').append(Canvas.number(box[0] + left));
      path.append(' ').append(Canvas.number(box[1] + first));
      path.append('L').append(Canvas.number(box[0] + right));
      path.append(' ').append(Canvas.number(box[1] + second));
    }
  }

  /** A small symbol: hollow circle, filled diamond, square, triangle and so on. */
  static void dot(Canvas canvas, double x, double y, int slot, String hint) {
    int s = slot(slot);
    String filled = "ek-fill ek-c" + s;
    switch (s) {
      case 0:
        canvas.hinted(hint, "circle", "class", "ek-ring ek-c0", "cx", x, "cy", y, "r", 4);
        break;
      case 1:
        canvas.hinted(hint, "path", "class", filled, "d", polygon(x, y, 0, -5, 5, 0, 0, 5, -5, 0));
        break;
      case 2:
        canvas.hinted(
            hint, "path", "class", filled, "d", polygon(x, y, -4, -4, 4, -4, 4, 4, -4, 4));
        break;
      case 3:
        canvas.hinted(hint, "path", "class", filled, "d", polygon(x, y, 0, -5, 5, 4, -5, 4));
        break;
      default:
        canvas.hinted(hint, "circle", "class", filled, "cx", x, "cy", y, "r", 3.5);
    }
  }

  private static String polygon(double x, double y, double... offsets) {
    StringBuilder path = new StringBuilder("M");
    for (int i = 0; i < offsets.length; i += 2) {
      path.append(i == 0 ? "" : "L").append(Canvas.number(x + offsets[i]));
      path.append(' ').append(Canvas.number(y + offsets[i + 1]));
    }
    return path.append('Z').toString();
  }

  /** How a legend shows its series. */
  enum Sample {
    BAR,
    LINE,
    DOT
  }

  /** Draws the legend in as many rows as it needs and returns the y below it. */
  static double legend(Canvas canvas, List<Series> all, double width, Sample sample) {
    double x = 0;
    double y = 12;
    for (Series series : all) {
      double needed = 26 + series.label.length() * Canvas.CHAR + 14;
      if (x > 0 && x + needed > width) {
        x = 0;
        y += LEGEND_ROW;
      }
      sample(canvas, x, y, series.slot, sample);
      canvas.text(x + 26, y, "ek-label", Canvas.fit(series.label, width - 26));
      x += needed;
    }
    return all.isEmpty() ? 0 : y + 8;
  }

  private static void sample(Canvas canvas, double x, double y, int slot, Sample sample) {
    switch (sample) {
      case BAR:
        bar(canvas, new double[] {x, y - 9, 20, 10}, slot, "");
        break;
      case DOT:
        dot(canvas, x + 10, y - 4, slot, "");
        break;
      default:
        canvas.leaf(
            "path",
            "class",
            "ek-line ek-c" + slot(slot),
            "stroke-dasharray",
            dash(slot),
            "d",
            "M" + Canvas.number(x) + " " + Canvas.number(y - 4) + "h20");
    }
  }

  /** A named series and its slot. */
  static final class Series {
    final String label;
    final int slot;

    Series(String label, int slot) {
      this.label = label;
      this.slot = slot;
    }
  }
}
