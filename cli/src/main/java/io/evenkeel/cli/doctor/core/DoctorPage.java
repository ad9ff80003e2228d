package io.evenkeel.cli.doctor.core;

import io.evenkeel.common.svg.BarChart;
import io.evenkeel.common.svg.ChartSpec;
import io.evenkeel.common.svg.ChartStyle;
import io.evenkeel.common.svg.LineChart;
import io.evenkeel.common.svg.ValueFormat;
import io.evenkeel.common.svg.Xml;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;

/**
 * A report as one HTML file that is complete in itself: the findings and the pictures. Pure, and so
 * apart from the command, which watches and writes. Stateless.
 */
public final class DoctorPage {
  private static final String STYLE =
      "body{font:15px/1.5 system-ui,sans-serif;color:var(--ek-ink);background:var(--ek-paper);"
          + "max-width:60rem;margin:2rem auto;padding:0 1rem;overflow-wrap:anywhere}"
          + "dl{display:grid;grid-template-columns:8rem 1fr;gap:.2rem 1rem;margin:.3rem 0 1.2rem}"
          + "dt{opacity:.7}dd{margin:0}h3{margin:.8rem 0 0}small{opacity:.7;font-weight:400}"
          + "@media(max-width:40rem){dl{grid-template-columns:1fr}}svg{max-width:100%}";

  private static final int BINS = 10;
  private static final int SHOWN = 3;
  private static final int PERCENT = 100;
  private static final int[] DAYS = {0, 7, 30};

  /** The pace of less says nothing about days. */
  private static final double LEAST_SECONDS = 1800;

  private DoctorPage() {}

  /** The whole page. */
  public static String html(DoctorReport report) {
    StringBuilder page = new StringBuilder("<!DOCTYPE html>\n<html lang=\"en\"><head>");
    page.append("<meta charset=\"utf-8\"><title>evenkeel doctor</title>");
    page.append("<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">");
    page.append("<style>").append(ChartStyle.css()).append(STYLE).append("</style></head><body>\n");
    page.append("<h1>").append(Xml.escape(report.verdict())).append("</h1>\n<p>");
    page.append(Xml.escape(report.heading())).append("</p>\n");
    report.findings().forEach(finding -> append(page, finding));
    ClusterHistory cluster = report.cluster();
    section(page, "How full DataNodes are", fill(cluster));
    section(
        page,
        "Threads that transfer blocks: the median and those that have most",
        transfers(cluster));
    section(page, "How long it takes to write a MiB", latency(cluster));
    section(page, "Threads that wait for a lock of the dataset", locks(cluster));
    section(page, forecastTitle(cluster), forecast(cluster));
    if (cluster.forecast() != null) {
      section(page, "Where new blocks would go", placement(cluster.forecast()));
    }
    if (!report.unseen().isEmpty()) {
      page.append("<h2>Not looked at</h2>\n<ul>");
      report.unseen().forEach(l -> page.append("<li>").append(Xml.escape(l)).append("</li>"));
      page.append("</ul>\n");
    }
    return page.append("</body></html>\n").toString();
  }

  private static void append(StringBuilder page, Diagnosis finding) {
    page.append("<h3>").append(Xml.escape(finding.subject())).append(" <small>");
    page.append(Diagnosis.word(finding.kind())).append(", ");
    page.append(Diagnosis.word(finding.certainty())).append("</small></h3>\n<dl>");
    term(page, "Seen", finding.evidence());
    term(page, "Harm", finding.harm());
    term(page, "With stock", finding.stock());
    term(page, "With Evenkeel", finding.evenkeel());
    page.append("</dl>\n");
  }

  private static void term(StringBuilder page, String label, String words) {
    if (!words.isEmpty()) {
      page.append("<dt>").append(label).append("</dt><dd>").append(Xml.escape(words));
      page.append("</dd>");
    }
  }

  private static void section(StringBuilder page, String title, String chart) {
    page.append("<h2>").append(title).append("</h2>\n").append(chart).append('\n');
  }

  /** DataNodes by tenths, a bar for each storage type. */
  private static String fill(ClusterHistory cluster) {
    Map<String, double[]> percents = Fill.percents(cluster);
    BarChart chart =
        new BarChart(ChartSpec.of("fill", "DataNodes by how full they are", "A row per tenth."));
    List<String> types = new ArrayList<>(percents.keySet());
    for (int i = 0; i < types.size(); i++) {
      chart.series(types.get(i).isEmpty() ? "disks" : types.get(i), i + 1);
    }
    for (int bin = 0; bin < BINS; bin++) {
      int from = bin * PERCENT / BINS;
      int to = (bin + 1) * PERCENT / BINS;
      double[] counts = new double[types.size()];
      Arrays.setAll(
          counts,
          i ->
              Arrays.stream(percents.get(types.get(i)))
                  .filter(full -> full >= from && (full < to || to == PERCENT))
                  .count());
      if (Arrays.stream(counts).sum() > 0) {
        chart.row(from + " to " + to + " %", counts);
      }
    }
    return chart.render();
  }

  private static String transfers(ClusterHistory cluster) {
    return overTime(
        cluster,
        ChartSpec.of("transfers", "Threads that transfer blocks", "Over time, by DataNode."),
        each ->
            each.rounds().stream()
                .mapToDouble(r -> r == null ? Double.NaN : r.number("XceiverCount"))
                .toArray());
  }

  private static String latency(ClusterHistory cluster) {
    return overTime(
        cluster,
        ChartSpec.of("latency", "Write time of a MiB", "Over time, by DataNode.")
            .format(ValueFormat.MILLISECONDS),
        each ->
            DoubleStream.concat(
                    DoubleStream.of(Double.NaN), // an interval counts for its end
                    Arrays.stream(each.series(Metric.WRITE::of)))
                .toArray());
  }

  /** The DataNodes in whose dumps most threads wait. */
  private static String locks(ClusterHistory cluster) {
    List<DataNodeHistory> most = new ArrayList<>(cluster.dataNodes());
    most.removeIf(each -> each.dumps().isEmpty());
    most.sort(
        Comparator.comparingInt(
            each -> -each.dumps().stream().mapToInt(ThreadDump::waiting).max().orElse(0)));
    LineChart chart =
        new LineChart(ChartSpec.of("locks", "Threads that wait", "Over time, by DataNode."));
    for (int i = 0; i < Math.min(SHOWN, most.size()); i++) {
      List<ThreadDump> dumps = most.get(i).dumps();
      chart.series(
          most.get(i).name(),
          i + 1,
          dumps.stream().mapToDouble(ThreadDump::seconds).toArray(),
          dumps.stream().mapToDouble(ThreadDump::waiting).toArray());
    }
    return chart.render();
  }

  /** When each round was; one in which no DataNode answered is put to the one before. */
  private static double[] seconds(ClusterHistory cluster) {
    int rounds =
        cluster.dataNodes().stream().mapToInt(each -> each.rounds().size()).max().orElse(0);
    double[] seconds = new double[rounds];
    for (int i = 0; i < rounds; i++) {
      seconds[i] = Double.NaN;
      for (DataNodeHistory each : cluster.dataNodes()) {
        Reading reading = i < each.rounds().size() ? each.rounds().get(i) : null;
        seconds[i] = reading == null ? seconds[i] : reading.seconds();
      }
      if (Double.isNaN(seconds[i])) {
        seconds[i] = i == 0 ? 0 : seconds[i - 1];
      }
    }
    return seconds;
  }

  /** The median of all DataNodes and those that are highest on average. */
  private static String overTime(
      ClusterHistory cluster, ChartSpec spec, Function<DataNodeHistory, double[]> values) {
    double[] seconds = seconds(cluster);
    int rounds = seconds.length;
    Map<DataNodeHistory, double[]> lines = new LinkedHashMap<>();
    for (DataNodeHistory each : cluster.dataNodes()) {
      double[] known = values.apply(each);
      double[] line = new double[rounds];
      Arrays.setAll(line, i -> i < known.length ? known[i] : Double.NaN);
      lines.put(each, line);
    }
    double[] medians = new double[rounds];
    Arrays.setAll(
        medians, i -> Peers.median(lines.values().stream().mapToDouble(line -> line[i]).toArray()));
    LineChart chart = new LineChart(spec).series("median", 0, seconds, medians);
    ToDoubleFunction<Map.Entry<DataNodeHistory, double[]>> height =
        entry -> -Arrays.stream(entry.getValue()).filter(Double::isFinite).average().orElse(0);
    List<Map.Entry<DataNodeHistory, double[]>> highest = new ArrayList<>(lines.entrySet());
    highest.sort(Comparator.comparingDouble(height));
    for (int i = 0; i < Math.min(SHOWN, highest.size()); i++) {
      chart.series(highest.get(i).getKey().name(), i + 1, seconds, highest.get(i).getValue());
    }
    return chart.render();
  }

  /** How much the fullest and the busiest DataNode would have. */
  private static String placement(PlacementForecast forecast) {
    BarChart chart =
        new BarChart(
            ChartSpec.of(
                "placement", "The DataNode that has most, over the mean", "Simulated; 1 is best."));
    for (int i = 0; i < forecast.policies().size(); i++) {
      chart.series(forecast.policies().get(i), i);
    }
    chart.row("blocks", forecast.overMean("maxOverMean"));
    chart.row("blocks in flight", forecast.overMean("inFlightMaxOverMean"));
    return chart.render();
  }

  private static boolean isLong(ClusterHistory cluster) {
    return cluster.last().seconds() - cluster.first().seconds() >= LEAST_SECONDS;
  }

  private static String forecastTitle(ClusterHistory cluster) {
    return isLong(cluster)
        ? "How full storage types will be at this pace"
        : "How full storage types are (watch for half an hour to see a pace)";
  }

  /** Storage types now and later, at the pace of these minutes. */
  private static String forecast(ClusterHistory cluster) {
    BarChart chart =
        new BarChart(
            ChartSpec.of("forecast", "How full storage types will be", "At the pace of now.")
                .format(ValueFormat.PERCENT));
    int[] days = isLong(cluster) ? DAYS : new int[] {0};
    for (int i = 0; i < days.length; i++) {
      chart.series(DAYS[i] == 0 ? "now" : "in " + DAYS[i] + " days", i);
    }
    Fill.forecast(cluster, days).forEach(chart::row);
    return chart.render();
  }
}
