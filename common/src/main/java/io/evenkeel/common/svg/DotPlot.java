package io.evenkeel.common.svg;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One column per item (a DataNode), columns in labelled bands (its host), one symbol per series.
 *
 * <p>The vertical axis starts at 0, so that unevenness is not exaggerated. Values that are not
 * finite numbers leave their place empty. Apart from its page, as each kind of chart is, to be
 * tested alone. Not thread-safe.
 */
public final class DotPlot {
  private static final double HEIGHT = 200;
  private static final int LONGEST_NAME = 10;

  private final ChartSpec spec;
  private final List<Marks.Series> series = new ArrayList<>();
  private final Map<String, List<Item>> groups = new LinkedHashMap<>();
  private double reference = Double.NaN;
  private String referenceLabel = "";

  /** An empty chart. */
  public DotPlot(ChartSpec spec) {
    this.spec = spec;
  }

  /** Adds a series; the slot chooses colour and shape. */
  public DotPlot series(String label, int slot) {
    series.add(new Marks.Series(label, slot));
    return this;
  }

  /** Adds an item to a band, one value per series in their order. */
  public DotPlot item(String group, String label, double... values) {
    groups.computeIfAbsent(group, g -> new ArrayList<>()).add(new Item(label, values.clone()));
    return this;
  }

  /** A horizontal line with a name, for example the mean. */
  public DotPlot reference(double value, String label) {
    reference = value;
    referenceLabel = label;
    return this;
  }

  /** The chart as an inline SVG element. */
  public String render() {
    double most = Double.NaN;
    int columns = 0;
    for (List<Item> items : groups.values()) {
      columns += items.size();
      for (Item item : items) {
        for (double v : item.values) {
          boolean finite = !Double.isNaN(v) && !Double.isInfinite(v);
          most = !finite ? most : Double.isNaN(most) ? v : Math.max(most, v);
        }
      }
    }
    if (Double.isNaN(most)) {
      return Canvas.empty(spec, "nothing was measured");
    }
    Canvas canvas = new Canvas(spec);
    double top = Marks.legend(canvas, series, spec.width, Marks.Sample.DOT) + 10;
    double highest = Double.isNaN(reference) ? most : Math.max(most, reference);
    Axis axis = Axis.of(0, highest, 4, spec.format);
    double left = 10;
    for (double tick : axis.ticks()) {
      left = Math.max(left, spec.format.tick(tick, axis.step()).length() * Canvas.CHAR + 8);
    }
    Plot plot = new Plot(axis, left, top, (spec.width - left) / columns, longestName());
    drawBands(canvas, plot);
    drawAxis(canvas, plot);
    drawItems(canvas, plot);
    return canvas.finish(plot.bottom + (plot.named ? 38 : 22));
  }

  private int longestName() {
    int longest = 1;
    for (List<Item> items : groups.values()) {
      for (Item item : items) {
        longest = Math.max(longest, item.label.length());
      }
    }
    return Math.min(longest, LONGEST_NAME);
  }

  private void drawBands(Canvas canvas, Plot plot) {
    double x = plot.left;
    int index = 0;
    double freeFrom = 0;
    for (Map.Entry<String, List<Item>> group : groups.entrySet()) {
      double w = group.getValue().size() * plot.column;
      if (index++ % 2 == 0) {
        canvas.leaf(
            "rect",
            "class",
            "ek-band",
            "x",
            x,
            "y",
            plot.top,
            "width",
            w,
            "height",
            plot.bottom - plot.top);
      }
      double needed = Math.min(group.getKey().length() * Canvas.CHAR, 90);
      if (x >= freeFrom) {
        double room = Math.max(w, needed);
        double y = plot.bottom + (plot.named ? 32 : 16);
        canvas.text(x + w / 2, y, "ek-row ek-middle", Canvas.fit(group.getKey(), room + 2));
        freeFrom = w >= needed ? x : x + needed;
      }
      x += w;
    }
  }

  private void drawAxis(Canvas canvas, Plot plot) {
    for (double tick : plot.axis.ticks()) {
      double y = plot.y(tick);
      canvas.leaf("line", "class", "ek-grid", "x1", plot.left, "x2", spec.width, "y1", y, "y2", y);
      canvas.text(plot.left - 6, y + 4, "ek-tick ek-end", spec.format.tick(tick, plot.axis.step()));
    }
    if (!Double.isNaN(reference)) {
      double y = plot.y(reference);
      canvas.leaf(
          "line", "class", "ek-reference", "x1", plot.left, "x2", spec.width, "y1", y, "y2", y);
      canvas.text(spec.width - 2, y - 4, "ek-tick ek-end ek-halo", referenceLabel);
    }
  }

  private void drawItems(Canvas canvas, Plot plot) {
    double x = plot.left;
    for (Map.Entry<String, List<Item>> group : groups.entrySet()) {
      for (Item item : group.getValue()) {
        if (plot.named) {
          String name = Canvas.fit(item.label, plot.column);
          canvas.text(x + plot.column / 2, plot.bottom + 15, "ek-tick ek-middle", name);
        }
        for (int i = 0; i < series.size() && i < item.values.length; i++) {
          double v = item.values[i];
          if (!Double.isNaN(v) && !Double.isInfinite(v)) {
            double at = x + plot.column * (i + 1) / (series.size() + 1.0);
            String hint =
                item.label
                    + " on "
                    + group.getKey()
                    + ", "
                    + series.get(i).label
                    + ": "
                    + spec.format.format(v);
            Marks.dot(canvas, at, plot.y(v), series.get(i).slot, hint);
          }
        }
        x += plot.column;
      }
    }
  }

  private static final class Item {
    final String label;
    final double[] values;

    Item(String label, double[] values) {
      this.label = label;
      this.values = values;
    }
  }

  private static final class Plot {
    final Axis axis;
    final double left;
    final double top;
    final double bottom;
    final double column;

    /** Whether there is room for the name of each item. */
    final boolean named;

    Plot(Axis axis, double left, double top, double column, int longestName) {
      this.axis = axis;
      this.left = left;
      this.top = top;
      this.bottom = top + HEIGHT;
      this.column = column;
      this.named = column >= longestName * Canvas.CHAR;
    }

    double y(double value) {
      return bottom - axis.fraction(value) * (bottom - top);
    }
  }
}
