package io.evenkeel.bench.report;

import io.evenkeel.common.svg.BarChart;
import io.evenkeel.common.svg.ChartSpec;
import io.evenkeel.common.svg.LineChart;
import io.evenkeel.common.svg.ValueFormat;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.IntPredicate;

/**
 * A chart of the page.
 *
 * @param explain one sentence for an operator: what to look for; may be empty
 * @param arms so many can be in it
 * @param draw gives the chart of some of the arms as SVG
 */
record Figure(
    String title, String explain, int arms, BiFunction<ChartSpec, IntPredicate, String> draw) {
  /** The colour, tone and dash of the last arm, the same in all charts. */
  private static final int EVENKEEL = 1;

  /** Units across, also of a chart on a card: about as many as pixels, so text stays readable. */
  private static final int WIDTH = 460;

  private static final int CARD_WIDTH = 310;

  /** What adds the line of one arm. */
  interface Line {
    void add(LineChart chart, int arm);
  }

  /** The look of an arm. */
  static int slot(int arm, int arms) {
    if (arm == arms - 1) {
      return EVENKEEL;
    }
    return arm < EVENKEEL ? arm : arm + 1;
  }

  /** A bar of each arm for each row, with the range of repeats. */
  static Figure bars(String title, String explain, List<String> arms, List<Row> rows) {
    return new Figure(
        title,
        explain,
        arms.size(),
        (spec, all) -> {
          BarChart chart = new BarChart(spec.format(rows.get(0).format()));
          for (int arm = 0; arm < arms.size(); arm++) {
            chart.series(arms.get(arm), slot(arm, arms.size()));
          }
          rows.forEach(
              row ->
                  chart.row(
                      row.name(),
                      row.values().stream()
                          .map(value -> bar(value, row.absent()))
                          .toArray(BarChart.Bar[]::new)));
          return chart.render();
        });
  }

  private static BarChart.Bar bar(Spread spread, String absent) {
    return spread.known()
        ? BarChart.Bar.of(spread.median(), spread.low(), spread.high())
        : BarChart.Bar.missing(absent);
  }

  /** A line of each arm. */
  static Figure lines(
      String title, String explain, ValueFormat format, List<String> arms, Line line) {
    return new Figure(
        title,
        explain,
        arms.size(),
        (spec, drawn) -> {
          LineChart chart = new LineChart(spec.format(format));
          for (int arm = 0; arm < arms.size(); arm++) {
            if (drawn.test(arm)) {
              line.add(chart, arm);
            }
          }
          return chart.render();
        });
  }

  /**
   * The chart.
   *
   * @param id unique in the page
   */
  String svg(String id) {
    return draw.apply(ChartSpec.of(id, title, explain).width(WIDTH), arm -> true);
  }

  /** The same, smaller; of lines only those of stock as often found, one other and Evenkeel. */
  String onCard(String id) {
    return draw.apply(
        ChartSpec.of(id, title, explain).width(CARD_WIDTH), arm -> arm < 2 || arm == arms - 1);
  }
}
