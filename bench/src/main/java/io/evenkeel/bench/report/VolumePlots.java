package io.evenkeel.bench.report;

import io.evenkeel.bench.report.Charts.Caption;
import io.evenkeel.common.svg.HeatGrid;
import io.evenkeel.common.svg.LineChart;
import io.evenkeel.common.svg.ValueFormat;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The plots of volumes, stock and Evenkeel beside each other on one scale. Stateless. */
final class VolumePlots {
  private static final int FIRST_TYPE = 2;

  private VolumePlots() {}

  static String shares(Doc report) {
    HalfReport stock = HalfReport.stock(report);
    HalfReport evenkeel = HalfReport.evenkeel(report);
    double most = Math.max(most(stock), most(evenkeel));
    return share(stock, most) + share(evenkeel, most);
  }

  private static double most(HalfReport half) {
    return half.doc().at("volumes").items().stream()
        .mapToDouble(v -> v.at("blocks").number())
        .filter(Double::isFinite)
        .max()
        .orElse(0);
  }

  private static String share(HalfReport half, double most) {
    Map<String, Map<String, Double>> byVolume = new LinkedHashMap<>();
    Set<String> nodes = new LinkedHashSet<>();
    for (Doc volume : half.doc().at("volumes").items()) {
      String node = volume.at("dataNode").text("?");
      nodes.add(node);
      byVolume
          .computeIfAbsent(volume.at("volume").text("?"), v -> new LinkedHashMap<>())
          .put(node, volume.at("blocks").number());
    }
    Caption caption =
        new Caption(
            "volumes-" + half.label().toLowerCase(java.util.Locale.ROOT),
            half.label() + ": blocks on each volume.",
            "A column is a DataNode; volumes of one type should have the same number in a column.");
    List<String> columns = new ArrayList<>(nodes);
    return Charts.half(
        caption,
        ValueFormat.COUNT,
        spec -> {
          HeatGrid grid = new HeatGrid(spec, columns).reach(most);
          byVolume.forEach(
              (volume, blocks) ->
                  grid.row(
                      volume,
                      columns.stream()
                          .mapToDouble(n -> blocks.getOrDefault(n, Double.NaN))
                          .toArray()));
          return grid.render();
        });
  }

  static String queues(Doc report) {
    HalfReport stock = HalfReport.stock(report);
    HalfReport evenkeel = HalfReport.evenkeel(report);
    double[] reach = {0, 0};
    for (HalfReport half : List.of(stock, evenkeel)) {
      reach[0] = Math.max(reach[0], largest(half.doc().at("volumeQueue", "seconds").numbers()));
      for (Doc bytes : half.doc().at("volumeQueue", "byType").fields().values()) {
        reach[1] = Math.max(reach[1], largest(bytes.numbers()));
      }
    }
    return queue(stock, reach) + queue(evenkeel, reach);
  }

  private static double largest(double[] values) {
    return Arrays.stream(values).filter(Double::isFinite).max().orElse(0);
  }

  private static String queue(HalfReport half, double[] reach) {
    Doc queue = half.doc().at("volumeQueue");
    double[] seconds = queue.at("seconds").numbers();
    Caption caption =
        new Caption(
            "queue-" + half.label().toLowerCase(java.util.Locale.ROOT),
            half.label() + ": bytes in flight by storage type.",
            "What all volumes of a type together still have to write; a line that stays high is a"
                + " type that cannot keep up.");
    return Charts.half(
        caption,
        ValueFormat.BYTES,
        spec -> {
          LineChart chart = new LineChart(spec).reach(reach[0], reach[1]);
          int slot = FIRST_TYPE;
          for (Map.Entry<String, Doc> type : queue.at("byType").fields().entrySet()) {
            chart.series(type.getKey(), slot++, seconds, type.getValue().numbers());
          }
          return chart.render();
        });
  }
}
