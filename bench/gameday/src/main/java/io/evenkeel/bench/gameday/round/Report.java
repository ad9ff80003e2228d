package io.evenkeel.bench.gameday.round;

import io.evenkeel.bench.gameday.history.Finding;
import io.evenkeel.common.json.Json;
import io.evenkeel.common.svg.ChartSpec;
import io.evenkeel.common.svg.ChartStyle;
import io.evenkeel.common.svg.LineChart;
import io.evenkeel.common.svg.ValueFormat;
import io.evenkeel.common.svg.Xml;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A page of all rounds of a directory: faults over throughput, and ours beside stock. Apart from
 * {@link GameDay} since it reads the files of all rounds, also of earlier days.
 */
final class Report {
  private static final String STYLE =
      "body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;"
          + "color:var(--ek-ink);background:var(--ek-paper)}"
          + "table{border-collapse:collapse;width:100%;font-size:13px}"
          + "td,th{text-align:left;padding:.2rem .6rem;border-bottom:1px solid var(--ek-grid);"
          + "vertical-align:top}td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}";

  private final Map<String, Map<?, ?>> rounds = new LinkedHashMap<>();

  /** Reads the rounds of a directory. */
  Report(Path directory) throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.list(directory)) {
      files = all.filter(file -> file.toString().endsWith(".json")).sorted().toList();
    }
    for (Path file : files) {
      String name = String.valueOf(file.getFileName()).replace(".json", "");
      rounds.put(name, (Map<?, ?>) Json.parse(Files.readString(file)));
    }
  }

  private static double number(Map<?, ?> map, String key) {
    return ((Number) map.get(key)).doubleValue();
  }

  private static List<?> list(Map<?, ?> map, String key) {
    return (List<?>) map.get(key);
  }

  private static double longestPause(Map<?, ?> round) {
    return ((Map<?, ?>) round.get("longestPauseSeconds"))
        .values().stream().mapToDouble(value -> ((Number) value).doubleValue()).max().orElse(0);
  }

  private static Map<StockDefects, Long> leftovers(Map<?, ?> round) {
    Map<StockDefects, Long> counts = new EnumMap<>(StockDefects.class);
    for (Object each : list(round, "stockDefects")) {
      Map<?, ?> one = (Map<?, ?>) each;
      Finding.Kind kind = Finding.Kind.valueOf(one.get("kind").toString());
      StockDefects.of(new Finding(kind, "", "", one.get("reason").toString()))
          .ifPresent(defect -> counts.merge(defect, 1L, Long::sum));
    }
    return counts;
  }

  /** Of rounds with one or with two NameNodes. */
  private List<Comparison.Measured> measured(boolean plugins, boolean two) {
    String names = "-?\\d+-(on|off)" + (two ? "-ha" : "");
    List<Comparison.Measured> measured = new ArrayList<>();
    rounds.forEach(
        (name, round) -> {
          boolean drawn = name.matches(names); // others have other loads
          if (drawn && Boolean.valueOf(plugins).equals(round.get("plugins"))) {
            measured.add(
                new Comparison.Measured(
                    name,
                    number(round, "secondsToFullReplication"),
                    longestPause(round),
                    (long) number(round, "refusalsInCalm"),
                    leftovers(round)));
          }
        });
    return measured;
  }

  /** Where ours are worse than stock; empty where there are too few rounds of either. */
  List<String> worse() {
    List<String> worse = new ArrayList<>();
    for (boolean two : List.of(false, true)) {
      worse.addAll(Comparison.worse(measured(true, two), measured(false, two)));
    }
    return worse;
  }

  /** The page; stands alone. */
  String html() {
    StringBuilder page =
        new StringBuilder("<!doctype html><html lang=\"en\"><meta charset=\"utf-8\">");
    page.append("<title>Game day</title><style>").append(ChartStyle.css()).append(STYLE);
    page.append("</style><h1>Game day</h1>");
    summary(page);
    rounds.forEach((name, round) -> round(page, name, round));
    return page.append("</html>\n").toString();
  }

  private void summary(StringBuilder page) {
    page.append("<table><tr><th>round</th><th>plugins</th><th class=n>findings</th>");
    page.append("<th class=n>stock's</th><th class=n>full replication</th>");
    page.append("<th class=n>longest pause</th><th class=n>refusals in calm</th></tr>");
    rounds.forEach(
        (name, round) -> {
          row(page, Xml.escape(name), Boolean.TRUE.equals(round.get("plugins")) ? "on" : "off");
          cell(page, list(round, "findings").size(), ValueFormat.COUNT);
          cell(page, list(round, "stockDefects").size(), ValueFormat.COUNT);
          cell(page, number(round, "secondsToFullReplication"), ValueFormat.SECONDS);
          cell(page, longestPause(round), ValueFormat.SECONDS);
          cell(page, number(round, "refusalsInCalm"), ValueFormat.COUNT);
          page.append("</tr>");
        });
    page.append("</table><p>");
    List<String> worse = worse();
    boolean enough =
        Stream.of(false, true)
            .anyMatch(
                two ->
                    Math.min(measured(true, two).size(), measured(false, two).size())
                        >= Comparison.ROUNDS);
    page.append(
        !enough
            ? "Ours and stock are compared from " + Comparison.ROUNDS + " drawn rounds of each on."
            : worse.isEmpty() ? "No round of ours is far beyond the worst of stock." : "");
    worse.forEach(line -> page.append(Xml.escape(line)).append("<br>"));
    page.append("</p>");
  }

  private static void row(StringBuilder page, String... cells) {
    page.append("<tr>");
    for (String cell : cells) {
      page.append("<td>").append(cell).append("</td>");
    }
  }

  private static void cell(StringBuilder page, double value, ValueFormat format) {
    page.append("<td class=n>").append(format.format(value)).append("</td>");
  }

  private static void round(StringBuilder page, String name, Map<?, ?> round) {
    page.append("<h2>Round ").append(Xml.escape(name)).append("</h2>");
    Map<?, ?> rate = (Map<?, ?>) round.get("acknowledgementsPerSecond");
    int seconds =
        rate.keySet().stream().mapToInt(s -> Integer.parseInt(s.toString())).max().orElse(0) + 1;
    double[] at = new double[seconds];
    double[] values = new double[seconds];
    for (int i = 0; i < seconds; i++) {
      at[i] = i;
      values[i] = rate.get(Integer.toString(i)) instanceof Number n ? n.doubleValue() : 0;
    }
    LineChart chart =
        new LineChart(
                ChartSpec.of("c" + name, "Acknowledgements per second", "Faults are shaded")
                    .format(ValueFormat.COUNT))
            .series("acknowledgements", 1, at, values);
    SortedMap<Double, Double> lasting = new TreeMap<>();
    StringBuilder faults =
        new StringBuilder("<table><tr><th>fault</th><th>from</th><th>to</th><th>note</th></tr>");
    for (Object each : list(round, "faults")) {
      Map<?, ?> fault = (Map<?, ?>) each;
      double begin = number(fault, "begin");
      double end = number(fault, "end");
      String what = fault.get("fault").toString();
      lasting.merge(begin, Math.min(end, seconds), Math::max);
      row(
          faults,
          Xml.escape(what),
          ValueFormat.SECONDS.format(begin),
          ValueFormat.SECONDS.format(end),
          Xml.escape(fault.get("note").toString()));
      faults.append("</tr>");
    }
    shade(chart, lasting);
    page.append(chart.render()).append(faults).append("</table>");
    findings(page, "Findings", list(round, "findings"));
    counted(page, list(round, "stockDefects"));
  }

  /** Once where several faults last together, or the line could not be seen. */
  private static void shade(LineChart chart, SortedMap<Double, Double> lasting) {
    double from = 0;
    double to = 0;
    for (Map.Entry<Double, Double> fault : lasting.entrySet()) {
      if (fault.getKey() > to) {
        chart.span(from, to, "");
        from = fault.getKey();
      }
      to = Math.max(to, fault.getValue());
    }
    chart.span(from, to, "");
  }

  /** What stock has as well, a line for all that differ only in numbers. */
  private static void counted(StringBuilder page, List<?> defects) {
    Map<String, Integer> counts = new TreeMap<>();
    for (Object each : defects) {
      Map<?, ?> defect = (Map<?, ?>) each;
      String reason = defect.get("reason").toString().replaceFirst("^\\d+ ", "");
      counts.merge(defect.get("kind") + ": " + reason, 1, Integer::sum);
    }
    if (!counts.isEmpty()) {
      page.append("<h3>Found with stock as well</h3><ul>");
      counts.forEach(
          (what, count) ->
              page.append("<li>")
                  .append(Xml.escape(what + ", " + count + " times"))
                  .append("</li>"));
      page.append("</ul>");
    }
  }

  private static void findings(StringBuilder page, String title, List<?> findings) {
    if (findings.isEmpty()) {
      return;
    }
    page.append("<h3>").append(title).append("</h3><table>");
    for (Object each : findings) {
      Map<?, ?> finding = (Map<?, ?>) each;
      row(
          page,
          Xml.escape(finding.get("kind").toString()),
          Xml.escape((finding.get("path") + " " + finding.get("place")).trim()),
          Xml.escape(finding.get("reason").toString()));
      page.append("</tr>");
    }
    page.append("</table>");
  }
}
