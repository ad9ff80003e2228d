package io.evenkeel.common.svg;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.DoubleUnaryOperator;

/**
 * Horizontal bars: one group per row, one bar per series.
 *
 * <p>The row's name stands above its bars, so that names of any length and narrow screens work. A
 * value that is not a finite number is shown in words. Negative values draw no bar but keep their
 * label. Not thread-safe.
 */
public final class BarChart {
  private static final double BAR = 16;
  private static final double GAP = 3;
  private static final double ROW_LABEL = 18;
  private static final double ROW_GAP = 12;

  /** Room for the value right of the longest bar. */
  private static final double MARGIN = 78;

  private final ChartSpec spec;
  private final List<Series> series = new ArrayList<>();
  private final List<Row> rows = new ArrayList<>();

  /** An empty chart. */
  public BarChart(ChartSpec spec) {
    this.spec = spec;
  }

  /** Adds a series; the slot chooses colour and tone. */
  public BarChart series(String label, int slot) {
    series.add(new Series(label, slot));
    return this;
  }

  /** Adds a row with one bar per series, in the order of the series. */
  public BarChart row(String label, Bar... bars) {
    List<Bar> all = Arrays.asList(bars);
    rows.add(new Row(label, all.subList(0, Math.min(all.size(), series.size()))));
    return this;
  }

  /** Adds a row of plain values. */
  public BarChart row(String label, double... values) {
    return row(label, Arrays.stream(values).mapToObj(Bar::of).toArray(Bar[]::new));
  }

  /** The chart as an inline SVG element. */
  public String render() {
    double most = Double.NaN;
    for (Row row : rows) {
      for (Bar bar : row.bars) {
        if (bar.known()) {
          double reach = Math.max(0, Math.max(bar.value, bar.high));
          most = Double.isNaN(most) ? reach : Math.max(most, reach);
        }
      }
    }
    if (Double.isNaN(most)) {
      return Canvas.empty(spec);
    }
    Canvas canvas = new Canvas(spec);
    double width = spec.width - MARGIN;
    Axis axis = Axis.of(0, most, Math.max(2, (int) (width / 90)), spec.format);
    double top = Series.legend(canvas, series, true) + 6;
    double bottom = top;
    for (Row row : rows) {
      bottom += ROW_LABEL + row.bars.size() * (BAR + GAP) + ROW_GAP;
    }
    for (double tick : axis.ticks()) {
      double x = axis.fraction(tick) * width;
      canvas.leaf("line", "class", "ek-grid", "x1", x, "x2", x, "y1", top, "y2", bottom);
      String anchor = x < 12 ? "ek-tick" : "ek-tick ek-middle";
      canvas.text(x, bottom + 15, anchor, spec.format.tick(tick, axis.step()));
    }
    double y = top;
    for (Row row : rows) {
      canvas.text(0, y + 12, "ek-row", Canvas.fit(row.label, spec.width));
      y += ROW_LABEL;
      for (int i = 0; i < row.bars.size(); i++) {
        draw(canvas, row, i, y, value -> axis.fraction(value) * width);
        y += BAR + GAP;
      }
      y += ROW_GAP;
    }
    return canvas.finish(bottom + 22);
  }

  private void draw(Canvas canvas, Row row, int index, double y, DoubleUnaryOperator scale) {
    Bar bar = row.bars.get(index);
    if (!bar.known()) {
      canvas.text(2, y + 12, "ek-muted ek-value", bar.missing);
      return;
    }
    Series one = series.get(index);
    String label = spec.format.format(bar.value);
    double end = scale.applyAsDouble(bar.value);
    one.bar(canvas, 0, y, end, BAR, row.label + ", " + one.label + ": " + label);
    if (bar.high > bar.low) {
      double high = scale.applyAsDouble(bar.high);
      String start = Canvas.number(scale.applyAsDouble(bar.low)) + " " + Canvas.number(y + 4);
      String path = "M" + start + "v8m0-4H" + Canvas.number(high) + "m0-4v8";
      canvas.leaf("path", "class", "ek-spread", "d", path);
      end = Math.max(end, high);
    }
    canvas.text(end + 6, y + 12, "ek-value", label);
  }

  private static final class Row {
    final String label;
    final List<Bar> bars;

    Row(String label, List<Bar> bars) {
      this.label = label;
      this.bars = bars;
    }
  }

  /** A value with the range it was seen in. Immutable. */
  public static final class Bar {
    final double value;
    final double low;
    final double high;
    final String missing;

    private Bar(double value, double low, double high, String missing) {
      this.value = value;
      this.low = low;
      this.high = high;
      this.missing = missing;
    }

    /** A value without a range. */
    public static Bar of(double value) {
      return of(value, value, value);
    }

    /** A value with the lowest and highest seen, drawn as a whisker. */
    public static Bar of(double value, double low, double high) {
      return new Bar(value, low, high, "not measured");
    }

    /** No value, for this reason. */
    public static Bar missing(String why) {
      return new Bar(Double.NaN, Double.NaN, Double.NaN, why);
    }

    boolean known() {
      return !Double.isNaN(value) && !Double.isInfinite(value);
    }
  }
}
