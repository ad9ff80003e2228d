package io.evenkeel.bench.report;

import io.evenkeel.bench.report.Charts.Caption;
import io.evenkeel.common.svg.BarChart;
import io.evenkeel.common.svg.ChartSpec;
import io.evenkeel.common.svg.DotPlot;
import io.evenkeel.common.svg.LineChart;
import io.evenkeel.common.svg.ValueFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;

/** The plots of placement, time and locality. Stateless. */
final class Plots {
  private static final int STOCK = 0;
  private static final int EVENKEEL = 1;
  private static final int MOST_BARS = 16;

  private Plots() {}

  static String replicasPerDataNode(Doc report) {
    Map<String, Doc> stock =
        HalfReport.stock(report).doc().at("placement", "replicasPerDataNode").fields();
    Map<String, Doc> evenkeel =
        HalfReport.evenkeel(report).doc().at("placement", "replicasPerDataNode").fields();
    Caption caption =
        new Caption(
            "replicas-dn",
            "Replicas per DataNode, grouped by physical host.",
            "The closer the symbols are to the line of the mean, the more evenly the DataNodes are"
                + " filled.");
    return Charts.full(caption, ValueFormat.COUNT, spec -> dots(report, spec, stock, evenkeel));
  }

  private static String dots(
      Doc report, ChartSpec spec, Map<String, Doc> stock, Map<String, Doc> evenkeel) {
    Map<String, String> hosts = new LinkedHashMap<>();
    for (Doc node : report.at("cluster", "nodes").items()) {
      hosts.put(node.at("name").text("?"), shortHost(node.at("host").text("unknown host")));
    }
    Set<String> names = new LinkedHashSet<>(hosts.keySet());
    names.addAll(stock.keySet());
    names.addAll(evenkeel.keySet());
    DotPlot plot = new DotPlot(spec).series("Stock", STOCK).series("Evenkeel", EVENKEEL);
    double sum = 0;
    int known = 0;
    for (String name : names) {
      double a = stock.getOrDefault(name, new Doc(null)).number();
      double b = evenkeel.getOrDefault(name, new Doc(null)).number();
      plot.item(hosts.getOrDefault(name, "unknown host"), name, a, b);
      double value = Double.isFinite(a) ? a : b;
      sum += Double.isFinite(value) ? value : 0;
      known += Double.isFinite(value) ? 1 : 0;
    }
    if (known > 0) {
      plot.reference(sum / known, "mean");
    }
    return plot.render();
  }

  /** The last part of a host's path, with its rack where that fits: {@code rack1/host1}. */
  private static String shortHost(String path) {
    return path.startsWith("/") ? path.substring(1) : path;
  }

  static String whereReplicasEnded(Doc report) {
    HalfReport stock = HalfReport.stock(report);
    HalfReport evenkeel = HalfReport.evenkeel(report);
    Caption caption =
        new Caption(
            "doubled",
            "Blocks that one failure can hit twice.",
            "Share of all blocks with two replicas on one physical host, or with all replicas on"
                + " one rack; 0 % is right.");
    return Charts.half(
        caption,
        ValueFormat.PERCENT,
        spec ->
            pair(spec)
                .row(
                    "Two replicas on one host",
                    share(stock, "blocksWithTwoReplicasOnOneHost"),
                    share(evenkeel, "blocksWithTwoReplicasOnOneHost"))
                .row(
                    "All replicas on one rack",
                    share(stock, "blocksOnOneRack"),
                    share(evenkeel, "blocksOnOneRack"))
                .render());
  }

  private static BarChart pair(ChartSpec spec) {
    return new BarChart(spec).series("Stock", STOCK).series("Evenkeel", EVENKEEL);
  }

  private static double share(HalfReport half, String field) {
    double blocks = half.placement("blocks");
    return blocks > 0 ? half.placement(field) / blocks : Double.NaN;
  }

  /** Empty where there are more hosts than a bar chart can show; the table has max/mean. */
  static String replicasPerHost(Doc report) {
    Map<String, Doc> stock =
        HalfReport.stock(report).doc().at("placement", "replicasPerHost").fields();
    Map<String, Doc> evenkeel =
        HalfReport.evenkeel(report).doc().at("placement", "replicasPerHost").fields();
    Set<String> hosts = new LinkedHashSet<>(stock.keySet());
    hosts.addAll(evenkeel.keySet());
    if (hosts.isEmpty() || hosts.size() > MOST_BARS) {
      return "";
    }
    Caption caption =
        new Caption(
            "replicas-host",
            "Replicas per physical host.",
            "Bars of equal length mean that every host carries the same share.");
    return Charts.half(
        caption,
        ValueFormat.COUNT,
        spec -> {
          BarChart chart = pair(spec);
          for (String host : hosts) {
            chart.row(
                shortHost(host),
                stock.getOrDefault(host, new Doc(null)).number(),
                evenkeel.getOrDefault(host, new Doc(null)).number());
          }
          return chart.render();
        });
  }

  static String inFlight(Doc report) {
    Doc stock = HalfReport.stock(report).doc().at("inFlight");
    Doc evenkeel = HalfReport.evenkeel(report).doc().at("inFlight");
    Caption caption =
        new Caption(
            "in-flight",
            "Blocks being written: busiest DataNode against the mean, over time.",
            "1 is perfectly even; at 3 one DataNode has three times its share of the blocks being"
                + " written and slows the pipelines that cross it.");
    return Charts.full(
        caption,
        ValueFormat.RATIO,
        spec ->
            new LineChart(spec)
                .series(
                    "Stock",
                    STOCK,
                    stock.at("seconds").numbers(),
                    stock.at("maxOverMean").numbers())
                .series(
                    "Evenkeel",
                    EVENKEEL,
                    evenkeel.at("seconds").numbers(),
                    evenkeel.at("maxOverMean").numbers())
                .reference(1, "even")
                .render());
  }

  static String elapsed(Doc report) {
    Caption caption =
        new Caption(
            "elapsed",
            "Elapsed time of each phase.",
            "Bars are means, the thin marks the fastest and slowest repeat; bars whose marks"
                + " overlap do not differ.");
    return phases(report, caption, HalfReport::seconds);
  }

  static String cpu(Doc report) {
    Caption caption =
        new Caption(
            "cpu",
            "CPU seconds of each phase.",
            "Tasks and daemons together: what the same work costs.");
    return phases(report, caption, HalfReport::cpu);
  }

  private static String phases(
      Doc report, Caption caption, BiFunction<HalfReport, String, Spread> measure) {
    HalfReport stock = HalfReport.stock(report);
    HalfReport evenkeel = HalfReport.evenkeel(report);
    return Charts.half(
        caption,
        ValueFormat.SECONDS,
        spec -> {
          BarChart chart = pair(spec);
          for (String phase : HalfReport.phases(stock, evenkeel)) {
            chart.row(phase, bar(measure.apply(stock, phase)), bar(measure.apply(evenkeel, phase)));
          }
          return chart.render();
        });
  }

  private static BarChart.Bar bar(Spread spread) {
    return BarChart.Bar.of(spread.mean(), spread.low(), spread.high());
  }

  static String locality(Doc report) {
    Caption caption =
        new Caption(
            "locality",
            "Where validation read its bytes from.",
            "Bytes from the same DataNode or the same host never touch the network between hosts;"
                + " the rest does.");
    return Charts.full(
        caption,
        ValueFormat.BYTES,
        spec ->
            new BarChart(spec)
                .stacked()
                .series("same DataNode", 2)
                .series("same host", 3)
                .series("same rack", 4)
                .series("another rack", 5)
                .row("Stock", distances(HalfReport.stock(report)))
                .row("Evenkeel", distances(HalfReport.evenkeel(report)))
                .render());
  }

  private static double[] distances(HalfReport half) {
    Doc locality = half.doc().at("locality");
    double[] bytes = {
      locality.at("sameNodeBytes").number(),
      locality.at("sameHostBytes").number(),
      locality.at("sameRackBytes").number(),
      locality.at("offRackBytes").number()
    };
    return half.localityMeasured() ? bytes : new double[] {Double.NaN};
  }
}
