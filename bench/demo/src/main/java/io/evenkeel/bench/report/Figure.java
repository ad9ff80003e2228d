package io.evenkeel.bench.report;

import io.evenkeel.common.svg.BarChart;
import io.evenkeel.common.svg.ChartSpec;
import io.evenkeel.common.svg.LineChart;
import io.evenkeel.common.svg.ValueFormat;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * A chart of the page.
 *
 * @param explain one sentence for an operator: what to look for
 * @param draw gives the chart as SVG
 */
record Figure(String title, String explain, Function<ChartSpec, String> draw) {
  /** The colour, tone and dash of each arm, the same in all charts. */
  static final int STOCK = 0;

  static final int EVENKEEL = 1;

  /** Units across: few enough that the text stays readable when a phone shrinks the chart. */
  private static final int WIDTH = 460;

  /** Two bars for each row, one of each arm, with the range of repeats. */
  static Figure bars(String title, String explain, ValueFormat format, List<Row> rows) {
    return new Figure(
        title,
        explain,
        spec -> {
          BarChart chart = new BarChart(spec.format(format));
          chart.series("Stock", STOCK).series("Evenkeel", EVENKEEL);
          rows.forEach(row -> chart.row(row.name(), bar(row.stock()), bar(row.evenkeel())));
          return chart.render();
        });
  }

  private static BarChart.Bar bar(Spread spread) {
    return BarChart.Bar.of(spread.mean(), spread.low(), spread.high());
  }

  /** Lines over time. */
  static Figure lines(
      String title, String explain, ValueFormat format, UnaryOperator<LineChart> fill) {
    return new Figure(
        title, explain, spec -> fill.apply(new LineChart(spec.format(format))).render());
  }

  /**
   * The chart.
   *
   * @param id unique in the page
   */
  String svg(String id) {
    return draw.apply(ChartSpec.of(id, title, explain).width(WIDTH));
  }
}
