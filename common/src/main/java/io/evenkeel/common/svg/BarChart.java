package io.evenkeel.common.svg;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Horizontal bars: one group per row, one bar per series, or all series stacked in one bar.
 *
 * <p>The row's name stands above its bars, so that names of any length and narrow screens work. A
 * value that is not a finite number is shown as "not measured". Negative values draw no bar but
 * keep their label. Not thread-safe.
 */
public final class BarChart {
  private static final double BAR = 16;
  private static final double GAP = 3;
  private static final double ROW_LABEL = 18;
  private static final double ROW_GAP = 12;

  private final ChartSpec spec;
  private final List<Marks.Series> series = new ArrayList<>();
  private final List<Row> rows = new ArrayList<>();
  private boolean stacked;

  /** An empty chart. */
  public BarChart(ChartSpec spec) {
    this.spec = spec;
  }

  /** Stacks the series of a row into one bar. */
  public BarChart stacked() {
    stacked = true;
    return this;
  }

  /** Adds a series; the slot chooses colour and hatch. */
  public BarChart series(String label, int slot) {
    series.add(new Marks.Series(label, slot));
    return this;
  }

  /** Adds a row with one bar per series, in the order of the series. */
  public BarChart row(String label, Bar... bars) {
    rows.add(new Row(label, Arrays.asList(bars)));
    return this;
  }

  /** Adds a row of plain values. */
  public BarChart row(String label, double... values) {
    Bar[] bars = new Bar[values.length];
    for (int i = 0; i < values.length; i++) {
      bars[i] = Bar.of(values[i]);
    }
    return row(label, bars);
  }

  /** The chart as an inline SVG element. */
  public String render() {
    double most = most();
    if (!(most >= 0)) {
      return Canvas.empty(spec, "nothing was measured");
    }
    Canvas canvas = new Canvas(spec);
    double margin = stacked ? 10 : 78;
    double plot = spec.width - margin;
    Axis axis = Axis.of(0, most, Math.max(2, (int) (plot / 90)), spec.format);
    double top = Marks.legend(canvas, series, spec.width, Marks.Sample.BAR) + 6;
    double bottom = top;
    for (Row row : rows) {
      bottom += ROW_LABEL + (stacked ? BAR : row.bars.size() * (BAR + GAP)) + ROW_GAP;
    }
    drawAxis(canvas, axis, plot, new double[] {top, bottom});
    double y = top;
    for (Row row : rows) {
      canvas.text(0, y + 12, "ek-row", Canvas.fit(row.label, spec.width));
      y += ROW_LABEL;
      y = stacked ? drawStack(canvas, axis, row, new double[] {y, plot}) : y;
      for (int i = 0; i < row.bars.size() && !stacked; i++) {
        drawBar(canvas, axis, new Place(row, i, y, plot));
        y += BAR + GAP;
      }
      y += ROW_GAP;
    }
    return canvas.finish(bottom + 22);
  }

  /** The longest bar; NaN when there is nothing to show at all. */
  private double most() {
    double most = Double.NaN;
    for (Row row : rows) {
      double sum = 0;
      boolean any = false;
      for (Bar bar : row.bars) {
        any |= bar.known();
        sum += bar.known() ? Math.max(0, bar.value) : 0;
        most = stacked || !bar.known() ? most : atLeast(most, Math.max(bar.value, bar.high));
      }
      most = stacked && any ? atLeast(most, sum) : most;
    }
    return most;
  }

  private static double atLeast(double most, double value) {
    return Double.isNaN(most) ? Math.max(0, value) : Math.max(most, value);
  }

  private void drawAxis(Canvas canvas, Axis axis, double plot, double[] span) {
    for (double tick : axis.ticks()) {
      double x = axis.fraction(tick) * plot;
      canvas.leaf("line", "class", "ek-grid", "x1", x, "x2", x, "y1", span[0], "y2", span[1]);
      String anchor =
          x < 12 ? "ek-tick" : stacked && x > plot - 12 ? "ek-tick ek-end" : "ek-tick ek-middle";
      canvas.text(x, span[1] + 15, anchor, spec.format.tick(tick, axis.step()));
    }
  }

  private void drawBar(Canvas canvas, Axis axis, Place at) {
    Bar bar = at.row.bars.get(at.index);
    Marks.Series one = at.index < series.size() ? series.get(at.index) : new Marks.Series("", 4);
    if (!bar.known()) {
      canvas.text(2, at.y + 12, "ek-muted ek-value", "not measured");
      return;
    }
    String label = spec.format.format(bar.value);
    double length = axis.fraction(bar.value) * at.plot;
    String hint = at.row.label + ", " + one.label + ": " + label;
    Marks.bar(canvas, new double[] {0, at.y, length, BAR}, one.slot, hint);
    double end = length;
    if (bar.high > bar.low) {
      double from = axis.fraction(bar.low) * at.plot;
      end = axis.fraction(bar.high) * at.plot;
      double middle = at.y + BAR / 2;
      String path =
          "M"
              + Canvas.number(from)
              + " "
              + Canvas.number(middle - 4)
              + "v8m0-4H"
              + Canvas.number(end)
              + "m0-4v8";
      canvas.leaf("path", "class", "ek-spread", "d", path);
    }
    canvas.text(Math.max(length, end) + 6, at.y + 12, "ek-value", label);
  }

  private double drawStack(Canvas canvas, Axis axis, Row row, double[] place) {
    double sum = 0;
    boolean any = false;
    for (int i = 0; i < row.bars.size() && i < series.size(); i++) {
      Bar bar = row.bars.get(i);
      if (!bar.known()) {
        continue;
      }
      any = true;
      double from = axis.fraction(sum) * place[1];
      sum += Math.max(0, bar.value);
      double to = axis.fraction(sum) * place[1];
      String label = spec.format.format(bar.value);
      String hint = row.label + ", " + series.get(i).label + ": " + label;
      Marks.bar(
          canvas, new double[] {from, place[0], to - from - 1, BAR}, series.get(i).slot, hint);
      plate(canvas, label, (from + to) / 2, new double[] {to - from, place[0]});
    }
    if (!any) {
      canvas.text(2, place[0] + 12, "ek-muted ek-value", "not measured");
    }
    return place[0] + BAR;
  }

  /** Writes a segment's value on a plate of paper colour, where it fits. */
  private static void plate(Canvas canvas, String label, double middle, double[] widthAndTop) {
    double w = label.length() * Canvas.CHAR + 4;
    if (widthAndTop[0] < w + 4) {
      return;
    }
    double y = widthAndTop[1];
    canvas.leaf(
        "rect",
        "class",
        "ek-plate",
        "x",
        middle - w / 2,
        "y",
        y + 1.5,
        "width",
        w,
        "height",
        BAR - 3,
        "rx",
        3);
    canvas.text(middle, y + 12, "ek-value ek-middle", label);
  }

  private static final class Row {
    final String label;
    final List<Bar> bars;

    Row(String label, List<Bar> bars) {
      this.label = label;
      this.bars = bars;
    }
  }

  private static final class Place {
    final Row row;
    final int index;
    final double y;
    final double plot;

    Place(Row row, int index, double y, double plot) {
      this.row = row;
      this.index = index;
      this.y = y;
      this.plot = plot;
    }
  }

  /** A value with the range it was seen in. Immutable. */
  public static final class Bar {
    final double value;
    final double low;
    final double high;

    private Bar(double value, double low, double high) {
      this.value = value;
      this.low = low;
      this.high = high;
    }

    /** A value without a range. */
    public static Bar of(double value) {
      return new Bar(value, value, value);
    }

    /** A value with the lowest and highest seen, drawn as a whisker. */
    public static Bar of(double value, double low, double high) {
      return new Bar(value, low, high);
    }

    boolean known() {
      return !Double.isNaN(value) && !Double.isInfinite(value);
    }
  }
}
