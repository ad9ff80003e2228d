package io.evenkeel.bench.demo;

import io.evenkeel.bench.embedded.EmbeddedHdfs;
import io.evenkeel.bench.runtime.PlugPoints;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.apache.log4j.Logger;

/**
 * A section of the demo: measures the same on several arms, and gives what came out in the schema
 * of the report. Confined to one thread.
 *
 * @param <R> what is measured on one arm
 */
abstract class DemoSection<R> {
  private final String id;
  private final String title;
  private final Progress progress;

  /**
   * How often a section is run, and on how many arms.
   *
   * @param count runs of each arm; who begins one pass ends the next
   * @param everyArm all arms, or only those a demo has time for
   */
  record Passes(int count, boolean everyArm) {}

  /**
   * A number of the report.
   *
   * @param unit as {@code docs/report.md} names it
   * @param better {@code less}, {@code more} or {@code neither}
   * @param absent what a missing value means, in words
   * @param oneRunDecides whether a difference of a single run is none of chance: what is counted
   *     over many blocks, or differs by far more than a busy machine makes
   */
  record Measure<R>(
      String name,
      String unit,
      String better,
      String absent,
      boolean oneRunDecides,
      ToDoubleFunction<R> of) {
    /** A number that takes several runs to judge. */
    static <R> Measure<R> of(String name, String unit, String better, ToDoubleFunction<R> of) {
      return new Measure<>(name, unit, better, "not measured", false, of);
    }

    /** The same, judged by one run. */
    Measure<R> decided() {
      return new Measure<>(name, unit, better, absent, true, of);
    }

    /** The same with other words for a missing value. */
    Measure<R> orElse(String words) {
      return new Measure<>(name, unit, better, words, oneRunDecides, of);
    }

    /** The arm whose pass in the middle is the best; the first where none was measured. */
    int best(List<List<R>> arms) {
      ToDoubleFunction<R> cost =
          result -> (better.equals("more") ? -1 : 1) * of.applyAsDouble(result);
      return IntStream.range(0, arms.size())
          .boxed()
          .min(Comparator.comparingDouble(arm -> cost.applyAsDouble(middle(arms.get(arm), of))))
          .orElseThrow();
    }

    /** A value that is not a number, or infinite, was not measured. */
    Map<String, Object> row(List<List<R>> results) {
      Map<String, Object> row = new LinkedHashMap<>();
      row.put("name", name);
      row.put("unit", unit);
      row.put("better", better);
      row.put("absent", absent);
      row.put("oneRunDecides", oneRunDecides);
      List<Object> values = new ArrayList<>();
      for (List<R> arm : results) {
        values.add(numbers(arm.stream().mapToDouble(of).toArray()));
      }
      row.put("values", values);
      return row;
    }
  }

  /** A time that a plot shades. */
  record Span(double from, double to, String label) {}

  /**
   * Lines, one of each arm, of the last pass.
   *
   * @param explain one sentence: what to look for
   * @param along unit of the other axis
   * @param spans shaded parts of it
   * @param at place of each value on it
   */
  record Plot<R>(
      String title,
      String explain,
      String unit,
      String along,
      List<Span> spans,
      double[] at,
      Function<R, double[]> values) {
    Map<String, Object> lines(List<List<R>> results) {
      Map<String, Object> plot = new LinkedHashMap<>();
      plot.put("title", title);
      plot.put("explain", explain);
      plot.put("unit", unit);
      plot.put("along", along);
      plot.put(
          "spans",
          spans.stream()
              .map(span -> Map.of("from", span.from, "to", span.to, "label", span.label))
              .toList());
      plot.put("at", numbers(at));
      List<Object> lines = new ArrayList<>();
      results.forEach(arm -> lines.add(numbers(values.apply(last(arm)))));
      plot.put("values", lines);
      return plot;
    }
  }

  /**
   * A section.
   *
   * @param id what {@code --only} calls it
   */
  DemoSection(String id, String title, Progress progress) {
    this.id = id;
    this.title = title;
    this.progress = progress;
  }

  /** The module whose effect this shows. */
  String module() {
    return id;
  }

  /**
   * What is compared: first stock as it is often found, then stock at its best, which may be the
   * same arm, then other stock; the last is Evenkeel's.
   */
  abstract List<Arm> arms(boolean every);

  /** Hadoop keys that all arms set and that could change what is compared. */
  abstract Map<String, String> sharedKeys();

  /** What all arms set besides, by a name for people: no keys, or of the client only. */
  Map<String, String> besidesKeys() {
    return Map.of();
  }

  /** Measures one arm; shows on the terminal what it is at. */
  abstract R measure(Arm arm, Passes passes, int pass) throws Exception;

  /** How it was measured. */
  abstract String summary();

  /**
   * What came out, in one sentence, which the first measure judges: of each arm the pass that is in
   * the middle by that measure, and of stock the arm that is best by it, as in the table.
   */
  abstract String finding(R often, Arm bestArm, R best, R evenkeel);

  abstract List<Measure<R>> measures();

  List<Plot<R>> plots() {
    return List.of();
  }

  /** Measures that are drawn as bars, where there is no plot. */
  List<String> bars() {
    return List.of();
  }

  /** Commands that show the same, this one first. */
  List<String> commands() {
    return List.of("./evenkeel demo --only " + id);
  }

  /** Why what was measured is not to be trusted; empty if nothing speaks against it. */
  String failure(R result) {
    return "";
  }

  final String id() {
    return id;
  }

  final String title() {
    return title;
  }

  /** Runs it and returns it in the schema of the report; a failure is a section as well. */
  final Map<String, Object> run(Passes passes) throws InterruptedException {
    double begin = progress.elapsedSeconds();
    Map<String, Object> section;
    List<Arm> arms = arms(passes.everyArm);
    try {
      section = report(arms, results(arms, passes));
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception | LinkageError e) {
      Logger.getLogger(DemoSection.class).error("section " + id + " failed", e);
      progress.done(title + ": failed, " + e);
      section = frame("failed", e.toString());
    }
    section.put("seconds", Math.round(progress.elapsedSeconds() - begin));
    return section;
  }

  private List<List<R>> results(List<Arm> arms, Passes passes) throws Exception {
    Map<Arm, List<R>> results = new LinkedHashMap<>();
    arms.forEach(arm -> results.put(arm, new ArrayList<>()));
    List<Arm> order = new ArrayList<>(arms);
    for (int pass = 0; pass < passes.count; pass++) {
      for (Arm arm : order) {
        results.get(arm).add(measure(arm, passes, pass));
      }
      Collections.reverse(order);
    }
    return List.copyOf(results.values());
  }

  private Map<String, Object> report(List<Arm> arms, List<List<R>> results) {
    String failure = failure(arms, results);
    Map<String, Object> section = frame(failure.isEmpty() ? "done" : "failed", failure);
    section.put("module", module());
    section.put("commands", commands());
    section.put("summary", summary());
    Measure<R> judge = measures().get(0);
    int stock = (int) arms.stream().filter(arm -> !arm.evenkeel()).count();
    int best = judge.best(results.subList(0, stock));
    section.put(
        "finding",
        finding(
            middle(results.get(0), judge.of),
            arms.get(best),
            middle(results.get(best), judge.of),
            middle(results.get(results.size() - 1), judge.of)));
    Map<String, String> settings = new LinkedHashMap<>(sharedKeys());
    settings.putAll(besidesKeys());
    section.put("settings", settings);
    section.put("arms", arms.stream().map(DemoSection::arm).toList());
    section.put("rows", measures().stream().map(m -> m.row(results)).toList());
    section.put("plots", plots().stream().map(p -> p.lines(results)).toList());
    section.put("bars", bars());
    return section;
  }

  private String failure(List<Arm> arms, List<List<R>> results) {
    for (int i = 0; i < arms.size(); i++) {
      for (R result : results.get(i)) {
        String why = failure(result);
        if (!why.isEmpty()) {
          return arms.get(i).name() + ": " + why;
        }
      }
    }
    return "";
  }

  private static Map<String, Object> arm(Arm arm) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("name", arm.name());
    map.put("evenkeel", arm.evenkeel());
    map.put("settings", arm.keys());
    return map;
  }

  /** What it is in the report of a run that was not asked for it. */
  final Map<String, Object> notSelected(String asked) {
    return frame("not selected", "only the section " + asked + " was asked for");
  }

  private Map<String, Object> frame(String status, String reason) {
    Map<String, Object> section = new LinkedHashMap<>();
    section.put("id", id);
    section.put("title", title);
    section.put("status", status);
    section.put("reason", reason);
    return section;
  }

  /**
   * The arms of Evenkeel: the section's module, and where every arm is asked for all modules
   * together as well.
   *
   * @param more keys that this module is given besides
   */
  final List<Arm> ours(Map<String, String> more, boolean every) {
    Map<String, String> own = new LinkedHashMap<>(PlugPoints.of(module()));
    own.putAll(more);
    if (!every) {
      return List.of(Arm.evenkeel("Evenkeel", own));
    }
    Map<String, String> all = new LinkedHashMap<>(PlugPoints.onClassPath());
    all.putAll(more);
    return List.of(
        Arm.evenkeel("Evenkeel, this module alone", own),
        Arm.evenkeel("Evenkeel, all modules", all));
  }

  /** Lists put together. */
  static List<Arm> joined(List<Arm> first, List<Arm> second) {
    List<Arm> all = new ArrayList<>(first);
    all.addAll(second);
    return all;
  }

  /** Shows what an arm is at. */
  final void update(Arm arm, String text) {
    progress.update(title + ", " + arm.name() + ": " + text);
  }

  /** Shows that an arm is done. */
  final void done(Arm arm, String text) {
    progress.done(title + ", " + arm.name() + ": " + text);
  }

  final Progress progress() {
    return progress;
  }

  /**
   * Stops a cluster where many follow. After a single pass it idles until the process ends: to stop
   * it takes longer than that saves.
   */
  static void finished(EmbeddedHdfs hdfs, Passes passes) {
    if (passes.count > 1) {
      hdfs.close();
    }
  }

  /** The one in the middle by a value. */
  static <R> R middle(List<R> results, ToDoubleFunction<R> by) {
    List<R> sorted = new ArrayList<>(results);
    sorted.sort(Comparator.comparingDouble(by));
    return sorted.get((sorted.size() - 1) / 2);
  }

  private static <R> R last(List<R> results) {
    return results.get(results.size() - 1);
  }

  private static List<Double> numbers(double[] values) {
    List<Double> numbers = new ArrayList<>();
    for (double value : values) {
      numbers.add(Double.isFinite(value) ? (Double) value : null);
    }
    return numbers;
  }
}
