package io.evenkeel.common.svg;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A grid of values, darker where larger, the number written in each cell while there is room.
 *
 * <p>The shade runs from 0 to the largest value, or to {@link #reach}. A value that is not a finite
 * number is an empty cell with a dash. Apart from its page, as each kind of chart is, to be tested
 * alone. Not thread-safe.
 */
public final class HeatGrid {
  private static final double CELL = 24;
  private static final double HEAD = 20;

  private final ChartSpec spec;
  private final List<String> columns = new ArrayList<>();
  private final List<String> rowLabels = new ArrayList<>();
  private final List<double[]> rows = new ArrayList<>();
  private double reach = Double.NaN;

  /** A grid with these columns. */
  public HeatGrid(ChartSpec spec, List<String> columns) {
    this.spec = spec;
    this.columns.addAll(columns);
  }

  /** Adds a row; missing values are empty cells. */
  public HeatGrid row(String label, double... values) {
    rowLabels.add(label);
    double[] row = Arrays.copyOf(values, columns.size());
    Arrays.fill(row, Math.min(values.length, row.length), row.length, Double.NaN);
    rows.add(row);
    return this;
  }

  /** Makes the darkest shade stand for at least this value, so that two grids have one scale. */
  public HeatGrid reach(double value) {
    reach = value;
    return this;
  }

  /** The grid as an inline SVG element. */
  public String render() {
    double most = Double.isNaN(reach) ? 0 : reach;
    boolean any = false;
    int longest = 0;
    for (int r = 0; r < rows.size(); r++) {
      longest = Math.max(longest, rowLabels.get(r).length());
      for (double v : rows.get(r)) {
        boolean known = known(v);
        any |= known;
        most = known ? Math.max(most, v) : most;
      }
    }
    if (!any) {
      return Canvas.empty(spec, "nothing was measured");
    }
    Canvas canvas = new Canvas(spec);
    double left = Math.min(longest * Canvas.CHAR + 10, spec.width / 3.0);
    double cell = (spec.width - left) / columns.size();
    int every = (int) Math.max(1, Math.ceil(widest() * Canvas.CHAR / cell));
    for (int c = 0; c < columns.size(); c += every) {
      String name = Canvas.fit(columns.get(c), cell * every + Canvas.CHAR);
      canvas.text(left + cell * (c + 0.5), 13, "ek-tick ek-middle", name);
    }
    for (int r = 0; r < rows.size(); r++) {
      double y = HEAD + r * CELL;
      canvas.text(left - 8, y + 16, "ek-label ek-end", Canvas.fit(rowLabels.get(r), left - 8));
      for (int c = 0; c < columns.size(); c++) {
        drawCell(canvas, new double[] {left + c * cell, y, cell}, new int[] {r, c}, most);
      }
    }
    return canvas.finish(HEAD + rows.size() * CELL + 2);
  }

  private int widest() {
    int widest = 1;
    for (String column : columns) {
      widest = Math.max(widest, column.length());
    }
    return Math.min(widest, 10);
  }

  private static boolean known(double v) {
    return !Double.isNaN(v) && !Double.isInfinite(v);
  }

  private void drawCell(Canvas canvas, double[] box, int[] at, double most) {
    double v = rows.get(at[0])[at[1]];
    double shade = known(v) && most > 0 ? Math.max(0, Math.min(1, v / most)) : 0;
    String value = known(v) ? spec.format.format(v) : "\u2013";
    String hint = columns.get(at[1]) + ", " + rowLabels.get(at[0]) + ": " + value;
    canvas.hinted(
        hint,
        "rect",
        "class",
        "ek-cell",
        "x",
        box[0],
        "y",
        box[1],
        "width",
        Math.max(0.5, box[2] - 1),
        "height",
        CELL - 1,
        "fill-opacity",
        0.04 + 0.46 * shade);
    if (value.length() * Canvas.CHAR * 0.9 <= box[2]) {
      canvas.text(box[0] + box[2] / 2, box[1] + 16, "ek-number ek-middle", value);
    }
  }
}
