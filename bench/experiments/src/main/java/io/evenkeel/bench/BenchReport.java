package io.evenkeel.bench;

import io.evenkeel.bench.experiment.Comparison;
import io.evenkeel.bench.experiment.RunSettings;
import io.evenkeel.common.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The outcome of one run, as text and as JSON. Apart from {@link BenchMain}, which runs things.
 * Immutable.
 *
 * @param settings how it was run
 * @param hadoopVersion release whose classes were the baseline
 * @param results comparisons by name of the experiment
 */
record BenchReport(
    RunSettings settings, String hadoopVersion, Map<String, List<Comparison>> results) {

  /** Version of the JSON form. */
  private static final int SCHEMA = 1;

  String json() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("schema", SCHEMA);
    json.put("hadoop", hadoopVersion);
    json.put("quick", settings.quick());
    json.put("seed", settings.seed());
    json.put("jvm", System.getProperty("java.vm.name") + " " + Runtime.version());
    json.put("os", System.getProperty("os.name") + " " + System.getProperty("os.arch"));
    json.put("cores", Runtime.getRuntime().availableProcessors());
    List<Object> experiments = new ArrayList<>();
    results.forEach(
        (name, comparisons) -> {
          Map<String, Object> one = new LinkedHashMap<>();
          one.put("name", name);
          one.put("results", comparisons.stream().map(Comparison::json).toList());
          experiments.add(one);
        });
    json.put("experiments", experiments);
    return Json.pretty(json);
  }

  String text() {
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            Locale.ROOT,
            "Hadoop %s, seed %d, %s, %d cores%s%n",
            hadoopVersion,
            settings.seed(),
            "Java " + Runtime.version(),
            Runtime.getRuntime().availableProcessors(),
            settings.quick() ? ", quick: an indication only" : ""));
    results.forEach(
        (name, comparisons) -> {
          text.append(String.format("%n%s%n", name));
          text.append(line("quantity", "stock", "evenkeel", "ratio", "unit"));
          for (Comparison c : comparisons) {
            text.append(line(c.quantity(), stock(c), evenkeel(c), ratio(c), c.unit()));
          }
        });
    return text.toString();
  }

  private static String line(String what, String stock, String ours, String ratio, String unit) {
    return String.format("  %-62s %18s %18s %8s  %s%n", what, stock, ours, ratio, unit);
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
