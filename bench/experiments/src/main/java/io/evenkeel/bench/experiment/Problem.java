package io.evenkeel.bench.experiment;

import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A problem of stock in a few words, and which rows of a benchmark show how large it is.
 *
 * @param words as a reader of README.md knows it
 * @param quantities of the rows; several when they differ in one setting, such as writers
 * @param more whether more is better
 */
public record Problem(String words, Pattern quantities, boolean more) {

  /**
   * How it stands: values with their units, and in brackets whose they are where there are several.
   *
   * @param found stock as it is often found
   * @param best the stock opponent that does best over all rows
   */
  public record Summary(String problem, String found, String best, String evenkeel) {
    /** As a report prints it. */
    public Map<String, Object> json() {
      Map<String, Object> json = new LinkedHashMap<>();
      json.put("problem", problem);
      json.put("found", found);
      json.put("best", best);
      json.put("evenkeel", evenkeel);
      return json;
    }
  }

  /** One of which less is better. */
  public static Problem less(String words, String quantities) {
    return new Problem(words, Pattern.compile(quantities), false);
  }

  /** One of which more is better. */
  public static Problem more(String words, String quantities) {
    return new Problem(words, Pattern.compile(quantities), true);
  }

  /** How it stands by the rows of a run; empty when none is about it, as in some quick runs. */
  public Optional<Summary> of(List<Comparison> rows) {
    Map<String, List<Comparison>> byOpponent =
        rows.stream()
            .filter(row -> quantities.matcher(row.quantity()).matches())
            .collect(
                Collectors.groupingBy(
                    Comparison::opponent, LinkedHashMap::new, Collectors.toList()));
    if (byOpponent.isEmpty()) {
      return Optional.empty();
    }
    List<Comparison> found = byOpponent.values().iterator().next();
    List<Comparison> best =
        byOpponent.values().stream().min(Comparator.comparingDouble(this::badness)).orElseThrow();
    boolean named = byOpponent.size() > 1;
    return Optional.of(
        new Summary(words, stock(found, named), stock(best, named), evenkeel(found)));
  }

  /** What did not happen is the worst. */
  private double badness(List<Comparison> rows) {
    double sum = rows.stream().mapToDouble(Comparison::stock).sum();
    return Double.isNaN(sum) ? Double.POSITIVE_INFINITY : more ? -sum : sum;
  }

  private static String stock(List<Comparison> rows, boolean named) {
    String values =
        values(
            rows,
            row -> row.range() == null ? row.stock() : row.range().stockLeast(),
            row -> row.range() == null ? row.stock() : row.range().stockMost());
    return values + (named ? " (" + rows.get(0).opponent() + ")" : "");
  }

  private static String evenkeel(List<Comparison> rows) {
    return values(
        rows,
        row -> row.range() == null ? row.evenkeel() : row.range().evenkeelLeast(),
        row -> row.range() == null ? row.evenkeel() : row.range().evenkeelMost());
  }

  private static String values(
      List<Comparison> rows,
      ToDoubleFunction<Comparison> least,
      ToDoubleFunction<Comparison> most) {
    DoubleSummaryStatistics all = new DoubleSummaryStatistics();
    rows.forEach(
        row -> {
          all.accept(least.applyAsDouble(row));
          all.accept(most.applyAsDouble(row));
        });
    String unit = rows.get(0).unit().isEmpty() ? "" : " " + rows.get(0).unit();
    if (Double.isNaN(all.getSum())) {
      OptionalDouble inTime =
          rows.stream().mapToDouble(least).filter(value -> !Double.isNaN(value)).min();
      return inTime.isPresent()
          ? "from " + number(inTime.getAsDouble()) + unit + ", not always in time"
          : "not in time";
    }
    String low = number(all.getMin());
    String high = number(all.getMax());
    return (low.equals(high) ? low : low + " to " + high) + unit;
  }

  /** As many digits as decide; 99.95 does not become 100. */
  private static String number(double value) {
    double size = Math.abs(value);
    String digits = size >= 100 ? "%,.0f" : size >= 10 ? "%.2f" : size >= 1 ? "%.3f" : "%.4f";
    String text = String.format(Locale.ROOT, digits, value);
    return text.contains(".") ? text.replaceAll("\\.?0+$", "") : text;
  }
}
