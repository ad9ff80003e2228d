package io.evenkeel.cli.topology.core;

import io.evenkeel.cli.core.Figures;
import io.evenkeel.common.svg.BarChart;
import io.evenkeel.common.svg.ChartSpec;
import io.evenkeel.common.svg.ChartStyle;
import io.evenkeel.common.svg.Xml;

/**
 * A simulation as one HTML file that is complete in itself. Pure, and so apart from the command,
 * which runs and writes. Stateless.
 */
public final class SimulationPage {
  private static final String STYLE =
      "body{font:15px/1.5 system-ui,sans-serif;color:var(--ek-ink);background:var(--ek-paper);"
          + "max-width:60rem;margin:2rem auto;padding:0 1rem}"
          + "table{border-collapse:collapse;font-variant-numeric:tabular-nums}"
          + "th,td{text-align:right;padding:.2rem .6rem;border-bottom:1px solid var(--ek-grid)}"
          + "th:first-child,td:first-child{text-align:left}.scroll{overflow-x:auto}";

  private SimulationPage() {}

  /** The distribution of blocks over DataNodes. */
  private static String chart(SimulationReport report) {
    Histogram histogram = report.histogram();
    BarChart chart =
        new BarChart(
            ChartSpec.of(
                "blocks",
                "DataNodes by number of blocks",
                "How many DataNodes have how many blocks, by policy. " + report.cluster()));
    for (PolicyOutcome outcome : report.outcomes()) {
      chart.series(outcome.policy(), slot(outcome));
    }
    for (int bin = 0; bin < histogram.bins(); bin++) {
      double[] counts = new double[report.outcomes().size()];
      for (int i = 0; i < counts.length; i++) {
        counts[i] = histogram.count(i, bin);
      }
      long from = histogram.from(bin);
      long to = histogram.to(bin);
      String label =
          from == to ? Figures.count(from) : Figures.count(from) + " to " + Figures.count(to);
      chart.row(label + " blocks", counts);
    }
    return chart.render();
  }

  /** Each policy keeps its colour, whichever are compared. */
  private static int slot(PolicyOutcome outcome) {
    switch (outcome.policy()) {
      case "stock-default":
        return 4;
      case "stock-nodegroup":
        return 0;
      default:
        return 1;
    }
  }

  /** The table and the distribution. */
  public static String html(SimulationReport report) {
    StringBuilder page = new StringBuilder("<!DOCTYPE html>\n<html lang=\"en\"><head>");
    page.append("<meta charset=\"utf-8\"><title>Block placement</title>");
    page.append("<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">");
    page.append("<style>").append(ChartStyle.css()).append(STYLE).append("</style></head><body>\n");
    page.append("<h1>Block placement, simulated</h1>\n<p>").append(Xml.escape(report.cluster()));
    page.append("<br>").append(Xml.escape(report.load())).append("</p>\n");
    page.append("<div class=\"scroll\"><table><thead><tr>");
    for (String cell : PolicyOutcome.heading()) {
      page.append("<th scope=\"col\">").append(cell).append("</th>");
    }
    page.append("</tr></thead><tbody>\n");
    for (PolicyOutcome outcome : report.outcomes()) {
      page.append("<tr>");
      for (String cell : outcome.cells()) {
        page.append("<td>").append(Xml.escape(cell)).append("</td>");
      }
      page.append("</tr>\n");
    }
    page.append("</tbody></table></div>\n<h2>DataNodes by number of blocks</h2>\n");
    return page.append(chart(report)).append("\n</body></html>\n").toString();
  }
}
