package io.evenkeel.bench;

import com.sun.management.OperatingSystemMXBean;
import io.evenkeel.bench.experiment.Comparison;
import io.evenkeel.bench.experiment.Experiment;
import io.evenkeel.bench.experiment.Problem.Summary;
import io.evenkeel.bench.experiment.RunSettings;
import io.evenkeel.common.json.Json;
import java.lang.management.ManagementFactory;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The outcome of one run, as text and as JSON. Apart from {@link BenchMain}, which runs things.
 * Immutable.
 *
 * @param settings how it was run
 * @param hadoopVersion release whose classes were the baseline
 * @param results of each experiment
 */
record BenchReport(RunSettings settings, String hadoopVersion, List<Result> results) {

  /** Version of the JSON form. */
  private static final int SCHEMA = 2;

  /**
   * What one experiment found.
   *
   * @param summary of its rows; empty where it has none
   */
  record Result(String name, List<Comparison> rows, List<Summary> summary) {
    /** Adds the summary. */
    static Result of(Experiment experiment, List<Comparison> rows) {
      List<Summary> summary =
          experiment.problems().stream().flatMap(problem -> problem.of(rows).stream()).toList();
      return new Result(experiment.name(), rows, summary);
    }

    Map<String, Object> json() {
      Map<String, Object> json = new LinkedHashMap<>();
      json.put("name", name);
      json.put("summary", summary.stream().map(Summary::json).toList());
      json.put("results", rows.stream().map(Comparison::json).toList());
      return json;
    }

    private boolean namesOpponents() {
      return rows.stream().anyMatch(row -> !row.opponent().equals(Comparison.STOCK));
    }
  }

  /** What docs/measured keeps: of the machine no more than the numbers need. */
  String json() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("schema", SCHEMA);
    json.put("date", LocalDate.now(ZoneOffset.UTC).toString());
    json.put("hadoop", hadoopVersion);
    json.put("jdk", jdk());
    json.put("cores", Runtime.getRuntime().availableProcessors());
    json.put("memoryGiB", memory());
    json.put("quick", settings.quick());
    json.put("seed", settings.seed());
    json.put("experiments", results.stream().map(Result::json).toList());
    return Json.pretty(json);
  }

  /** Numbers only: vendors add names of their builds. */
  private static String jdk() {
    return Runtime.version().version().stream()
        .map(String::valueOf)
        .collect(Collectors.joining("."));
  }

  private static long memory() {
    OperatingSystemMXBean system =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    return Math.round(system.getTotalMemorySize() / (double) (1L << 30));
  }

  String text() {
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            Locale.ROOT,
            "Hadoop %s, seed %d, Java %s, %d cores, %d GiB%s%n",
            hadoopVersion,
            settings.seed(),
            jdk(),
            Runtime.getRuntime().availableProcessors(),
            memory(),
            settings.quick() ? ", quick: an indication only" : ""));
    for (Result result : results) {
      boolean named = result.namesOpponents();
      text.append(String.format("%n%s%n", result.name));
      text.append(line(named, "quantity", "opponent", "stock", "evenkeel", "ratio", "unit"));
      for (Comparison c : result.rows) {
        text.append(
            line(named, c.quantity(), c.opponent(), stock(c), evenkeel(c), ratio(c), c.unit()));
      }
      if (!result.summary.isEmpty()) {
        text.append(String.format("%n  In short%n"));
        text.append(summary("problem", "stock as often found", "stock at its best", "Evenkeel"));
        result.summary.forEach(
            s -> text.append(summary(s.problem(), s.found(), s.best(), s.evenkeel())));
      }
    }
    return text.toString();
  }

  /** In the form of README.md, which has the command as well. */
  private static String summary(String problem, String found, String best, String ours) {
    return "  | " + String.join(" | ", problem, found, best, ours) + " |" + System.lineSeparator();
  }

  private static String line(boolean named, String what, String opponent, String... values) {
    String whom = named ? String.format(" %-34s", opponent) : "";
    String numbers = String.format(" %18s %18s %8s  %s", (Object[]) values);
    return String.format("  %-62s%s%s%n", what, whom, numbers);
  }

  private static String ratio(Comparison c) {
    if (Double.isNaN(c.ratio())) {
      return "-";
    }
    return String.format(Locale.ROOT, "%.2f%s", c.ratio(), c.certain() ? " " : "?");
  }

  private static String stock(Comparison c) {
    Comparison.Range range = c.range();
    return range == null ? number(c.stock()) : range(range.stockLeast(), range.stockMost());
  }

  private static String evenkeel(Comparison c) {
    Comparison.Range range = c.range();
    return range == null
        ? number(c.evenkeel())
        : range(range.evenkeelLeast(), range.evenkeelMost());
  }

  private static String range(double least, double most) {
    return Double.compare(least, most) == 0 ? fine(least) : fine(least) + ".." + fine(most);
  }

  /** Four places where they decide. */
  private static String fine(double value) {
    boolean small = Math.abs(value) < 10 && value != Math.rint(value);
    return small ? String.format(Locale.ROOT, "%.4f", value) : number(value);
  }

  private static String number(double value) {
    boolean whole = value == Math.rint(value) && Math.abs(value) < 1e9;
    return String.format(Locale.ROOT, whole ? "%.0f" : value < 100 ? "%.2f" : "%.1f", value);
  }
}
