package io.evenkeel.common.svg;

import java.util.ArrayList;
import java.util.List;

/**
 * Several series over time in seconds, from 0 up.
 *
 * <p>A value that is not a finite number leaves a gap. A series with more points than {@value
 * #MOST_POINTS} is thinned: each stretch keeps its highest value, because peaks are what the plots
 * are about. A single point is drawn as a dot. Not thread-safe.
 */
public final class LineChart {
  private static final int MOST_POINTS = 300;
  private static final double HEIGHT = 190;

  private final ChartSpec spec;
  private final List<Marks.Series> series = new ArrayList<>();
  private final List<double[][]> points = new ArrayList<>();
  private final List<double[]> spans = new ArrayList<>();
  private final List<String> spanLabels = new ArrayList<>();
  private double yMax = Double.NaN;
  private double xMax = Double.NaN;
  private double reference = Double.NaN;
  private String referenceLabel = "";

  /** An empty chart. */
  public LineChart(ChartSpec spec) {
    this.spec = spec;
  }

  /** Adds a series; the slot chooses colour and dash. Of unequal lengths the shorter counts. */
  public LineChart series(String label, int slot, double[] seconds, double[] values) {
    series.add(new Marks.Series(label, slot));
    points.add(thin(seconds, values));
    return this;
  }

  /** Makes both axes reach at least so far, so that charts side by side have one scale. */
  public LineChart reach(double seconds, double value) {
    xMax = seconds;
    yMax = value;
    return this;
  }

  /** A horizontal line with a name, for example the ideal. */
  public LineChart reference(double value, String label) {
    reference = value;
    referenceLabel = label;
    return this;
  }

  /** Shades a time from one second to another and names it; a span without width is left out. */
  public LineChart span(double from, double to, String label) {
    if (to > from) {
      spans.add(new double[] {from, to});
      spanLabels.add(label);
    }
    return this;
  }

  private static double[][] thin(double[] seconds, double[] values) {
    int n = Math.min(seconds.length, values.length);
    int stretch = Math.max(1, (n + MOST_POINTS - 1) / MOST_POINTS);
    int kept = (n + stretch - 1) / stretch;
    double[][] out = new double[kept][];
    for (int i = 0; i < kept; i++) {
      int best = i * stretch;
      for (int j = best; j < Math.min(n, (i + 1) * stretch); j++) {
        best = values[j] > values[best] || Double.isNaN(values[best]) ? j : best;
      }
      out[i] = new double[] {seconds[best], values[best]};
    }
    return out;
  }

  /** The chart as an inline SVG element. */
  public String render() {
    double[] most = most();
    if (Double.isNaN(most[1])) {
      return Canvas.empty(spec, "nothing was measured");
    }
    Canvas canvas = new Canvas(spec);
    double top = Marks.legend(canvas, series, spec.width, Marks.Sample.LINE) + 10;
    Axis y = Axis.of(0, larger(most[1], yMax, reference), 4, spec.format);
    double left = 10;
    for (double tick : y.ticks()) {
      left = Math.max(left, spec.format.tick(tick, y.step()).length() * Canvas.CHAR + 8);
    }
    double right = spec.width - 14;
    int wanted = Math.max(2, (int) ((right - left) / 80));
    Axis x = Axis.of(0, larger(most[0], xMax, 0), wanted, ValueFormat.SECONDS);
    Frame frame = new Frame(x, y, new double[] {left, right, top, top + HEIGHT});
    drawSpans(canvas, frame);
    drawAxes(canvas, frame);
    for (int i = 0; i < series.size(); i++) {
      drawLine(canvas, frame, series.get(i), points.get(i));
    }
    return canvas.finish(top + HEIGHT + 22);
  }

  private double[] most() {
    double[] most = {0, Double.NaN};
    for (double[][] line : points) {
      for (double[] p : line) {
        if (finite(p)) {
          most[0] = Math.max(most[0], p[0]);
          most[1] = Double.isNaN(most[1]) ? p[1] : Math.max(most[1], p[1]);
        }
      }
    }
    return most;
  }

  private static double larger(double value, double other, double third) {
    double a = Double.isNaN(other) ? value : Math.max(value, other);
    return Double.isNaN(third) ? a : Math.max(a, third);
  }

  private static boolean finite(double[] point) {
    boolean missing = Double.isNaN(point[0]) || Double.isNaN(point[1]);
    return !missing && !Double.isInfinite(point[0]) && !Double.isInfinite(point[1]);
  }

  private void drawSpans(Canvas canvas, Frame f) {
    for (int i = 0; i < spans.size(); i++) {
      double x = Math.max(f.left, f.x(spans.get(i)[0]));
      double width = Math.min(f.right, f.x(spans.get(i)[1])) - x;
      if (width > 0) {
        canvas.leaf(
            "rect",
            "class",
            "ek-span",
            "x",
            x,
            "y",
            f.top,
            "width",
            width,
            "height",
            f.bottom - f.top);
        canvas.text(x + 4, f.top + 12, "ek-tick", Canvas.fit(spanLabels.get(i), width - 4));
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
      canvas.leaf("line", "class", "ek-axis", "x1", x, "x2", x, "y1", f.bottom, "y2", f.bottom + 4);
      String look = x > f.right - 16 ? "ek-tick ek-end" : "ek-tick ek-middle";
      double at = x > f.right - 16 ? f.right + 12 : x;
      canvas.text(at, f.bottom + 17, look, ValueFormat.SECONDS.tick(tick, f.xAxis.step()));
    }
    canvas.leaf(
        "line", "class", "ek-axis", "x1", f.left, "x2", f.right, "y1", f.bottom, "y2", f.bottom);
    if (!Double.isNaN(reference)) {
      double y = f.y(reference);
      canvas.leaf("line", "class", "ek-reference", "x1", f.left, "x2", f.right, "y1", y, "y2", y);
      canvas.text(f.right, y - 4, "ek-tick ek-end ek-halo", referenceLabel);
    }
  }

  private static void drawLine(Canvas canvas, Frame f, Marks.Series one, double[][] line) {
    StringBuilder path = new StringBuilder();
    boolean open = false;
    int drawn = 0;
    double[] last = null;
    for (double[] p : line) {
      if (!finite(p)) {
        open = false;
        continue;
      }
      path.append(open ? 'L' : 'M').append(Canvas.number(f.x(p[0])));
      path.append(' ').append(Canvas.number(f.y(p[1])));
      open = true;
      drawn++;
      last = p;
    }
    if (drawn == 1) {
      Marks.dot(canvas, f.x(last[0]), f.y(last[1]), one.slot, one.label);
    } else if (drawn > 1) {
      String look = "ek-line ek-c" + Marks.slot(one.slot);
      canvas.leaf(
          "path", "class", look, "stroke-dasharray", Marks.dash(one.slot), "d", path.toString());
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

    Frame(Axis xAxis, Axis yAxis, double[] box) {
      this.xAxis = xAxis;
      this.yAxis = yAxis;
      this.left = box[0];
      this.right = box[1];
      this.top = box[2];
      this.bottom = box[3];
    }

    double x(double value) {
      return left + xAxis.fraction(value) * (right - left);
    }

    double y(double value) {
      return bottom - yAxis.fraction(value) * (bottom - top);
    }
  }
}
