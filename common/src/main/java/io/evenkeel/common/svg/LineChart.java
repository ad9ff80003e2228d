package io.evenkeel.common.svg;

import java.util.ArrayList;
import java.util.List;

/**
 * Several series over time in seconds, or over something else, from 0 up.
 *
 * <p>A value that is not a finite number leaves a gap. A series with more points than {@value
 * #MOST_POINTS} is thinned: each stretch keeps its highest value, because peaks are what the plots
 * are about. A single point is drawn as a dot. Not thread-safe.
 */
public final class LineChart {
  private static final int MOST_POINTS = 300;
  private static final double HEIGHT = 190;

  private final ChartSpec spec;
  private final List<Series> series = new ArrayList<>();
  private final List<List<Point>> lines = new ArrayList<>();
  private final List<Span> spans = new ArrayList<>();
  private ValueFormat along = ValueFormat.SECONDS;

  /** An empty chart. */
  public LineChart(ChartSpec spec) {
    this.spec = spec;
  }

  /** Adds a series; the slot chooses colour and dash. Of unequal lengths the shorter counts. */
  public LineChart series(String label, int slot, double[] seconds, double[] values) {
    series.add(new Series(label, slot));
    lines.add(thin(seconds, values));
    return this;
  }

  /** What the other axis counts, in place of seconds. */
  public LineChart along(ValueFormat places) {
    along = places;
    return this;
  }

  /** Shades a time from one second to another and names it; a span without width is left out. */
  public LineChart span(double from, double to, String label) {
    if (to > from) {
      spans.add(new Span(from, to, label));
    }
    return this;
  }

  private static List<Point> thin(double[] seconds, double[] values) {
    int n = Math.min(seconds.length, values.length);
    int stretch = Math.max(1, (n + MOST_POINTS - 1) / MOST_POINTS);
    List<Point> kept = new ArrayList<>();
    for (int i = 0; i < n; i += stretch) {
      int best = i;
      for (int j = i; j < Math.min(n, i + stretch); j++) {
        best = values[j] > values[best] || Double.isNaN(values[best]) ? j : best;
      }
      kept.add(new Point(seconds[best], values[best]));
    }
    return kept;
  }

  /** The chart as an inline SVG element. */
  public String render() {
    double longest = 0;
    double most = Double.NaN;
    for (List<Point> line : lines) {
      for (Point p : line) {
        if (p.finite()) {
          longest = Math.max(longest, p.seconds);
          most = Double.isNaN(most) ? p.value : Math.max(most, p.value);
        }
      }
    }
    if (Double.isNaN(most)) {
      return Canvas.empty(spec);
    }
    Canvas canvas = new Canvas(spec);
    double top = Series.legend(canvas, series, false) + 10;
    Axis y = Axis.of(0, most, 4, spec.format);
    double left = 10;
    for (double tick : y.ticks()) {
      left = Math.max(left, spec.format.tick(tick, y.step()).length() * Canvas.CHAR + 8);
    }
    int ticks = Math.max(2, (int) ((spec.width - 14 - left) / 80));
    Axis x = Axis.of(0, longest, ticks, along);
    Frame frame = new Frame(x, y, left, spec.width - 14, top);
    drawSpans(canvas, frame);
    drawAxes(canvas, frame);
    for (int i = 0; i < series.size(); i++) {
      drawLine(canvas, frame, series.get(i), lines.get(i));
    }
    return canvas.finish(frame.bottom + 24);
  }

  private void drawSpans(Canvas canvas, Frame f) {
    for (Span span : spans) {
      double x = Math.max(f.left, f.x(span.from));
      double w = Math.min(f.right, f.x(span.to)) - x;
      if (w > 0) {
        String look = "ek-span";
        canvas.leaf(
            "rect", "class", look, "x", x, "y", f.top, "width", w, "height", f.bottom - f.top);
        canvas.text(x + 4, f.top + 12, "ek-tick", Canvas.fit(span.label, w - 4));
      }
    }
  }

  private void drawAxes(Canvas canvas, Frame f) {
    for (double tick : f.yAxis.ticks()) {
      double y = f.y(tick);
      canvas.leaf("line", "class", "ek-grid", "x1", f.left, "x2", f.right, "y1", y, "y2", y);
      canvas.text(f.left - 6, y + 4, "ek-tick ek-end", spec.format.tick(tick, f.yAxis.step()));
    }
    for (double tick : f.xAxis.ticks()) {
      double x = f.x(tick);
      boolean atEnd = x > f.right - 16;
      canvas.leaf("line", "class", "ek-axis", "x1", x, "x2", x, "y1", f.bottom, "y2", f.bottom + 4);
      String look = atEnd ? "ek-tick ek-end" : "ek-tick ek-middle";
      String label = along.tick(tick, f.xAxis.step());
      canvas.text(atEnd ? f.right + 12 : x, f.bottom + 17, look, label);
    }
  }

  private static void drawLine(Canvas canvas, Frame f, Series one, List<Point> line) {
    StringBuilder path = new StringBuilder();
    boolean open = false;
    Point last = null;
    int drawn = 0;
    for (Point p : line) {
      if (p.finite()) {
        path.append(open ? 'L' : 'M').append(Canvas.number(f.x(p.seconds)));
        path.append(' ').append(Canvas.number(f.y(p.value)));
        last = p;
        drawn++;
      }
      open = p.finite();
    }
    if (drawn == 1) {
      one.dot(canvas, f.x(last.seconds), f.y(last.value));
    } else if (drawn > 1) {
      one.line(canvas, path.toString());
    }
  }

  private static final class Point {
    final double seconds;
    final double value;

    Point(double seconds, double value) {
      this.seconds = seconds;
      this.value = value;
    }

    boolean finite() {
      boolean missing = Double.isNaN(seconds) || Double.isNaN(value);
      return !missing && !Double.isInfinite(seconds) && !Double.isInfinite(value);
    }
  }

  private static final class Span {
    final double from;
    final double to;
    final String label;

    Span(double from, double to, String label) {
      this.from = from;
      this.to = to;
      this.label = label;
    }
  }

  /** The plot's rectangle and its two scales. */
  private static final class Frame {
    final Axis xAxis;
    final Axis yAxis;
    final double left;
    final double right;
    final double top;
    final double bottom;

    Frame(Axis xAxis, Axis yAxis, double left, double right, double top) {
      this.xAxis = xAxis;
      this.yAxis = yAxis;
      this.left = left;
      this.right = right;
      this.top = top;
      this.bottom = top + HEIGHT;
    }

    double x(double value) {
      return left + xAxis.fraction(value) * (right - left);
    }

    double y(double value) {
      return bottom - yAxis.fraction(value) * (bottom - top);
    }
  }
}
