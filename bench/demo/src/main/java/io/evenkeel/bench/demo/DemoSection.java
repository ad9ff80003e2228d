package io.evenkeel.bench.demo;

import io.evenkeel.bench.runtime.PlugPoints;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.apache.log4j.Logger;

/**
 * A section of the demo: measures the same on stock and on Evenkeel, and gives what came out in the
 * schema of the report. Confined to one thread.
 *
 * @param <R> what is measured on one arm
 */
abstract class DemoSection<R> {
  private final String id;
  private final String title;
  private final double seconds;
  private final Progress progress;

  /**
   * A number of the report.
   *
   * @param unit as {@code docs/report.md} names it
   * @param better {@code less}, {@code more} or {@code neither}
   */
  record Measure<R>(String name, String unit, String better, ToDoubleFunction<R> of) {
    /** A value that is not a number, or infinite, was not measured. */
    Map<String, Object> row(R stock, R evenkeel) {
      Map<String, Object> row = new LinkedHashMap<>();
      row.put("name", name);
      row.put("unit", unit);
      row.put("stock", orNull(of.applyAsDouble(stock)));
      row.put("evenkeel", orNull(of.applyAsDouble(evenkeel)));
      row.put("better", better);
      return row;
    }
  }

  /** A time that a plot shades. */
  record Span(double from, double to, String label) {}

  /**
   * Lines over time, one of each arm.
   *
   * @param explain one sentence: what to look for
   * @param seconds of each value
   */
  record Plot<R>(
      String title,
      String explain,
      String unit,
      Span span,
      double[] seconds,
      Function<R, double[]> values) {
    Map<String, Object> lines(R stock, R evenkeel) {
      Map<String, Object> series = new LinkedHashMap<>();
      series.put("stock", numbers(values.apply(stock)));
      series.put("evenkeel", numbers(values.apply(evenkeel)));
      Map<String, Object> plot = new LinkedHashMap<>();
      plot.put("title", title);
      plot.put("explain", explain);
      plot.put("unit", unit);
      plot.put("spans", List.of(Map.of("from", span.from, "to", span.to, "label", span.label)));
      plot.put("seconds", numbers(seconds));
      plot.put("series", series);
      return plot;
    }
  }

  /**
   * A section.
   *
   * @param id what {@code --only} calls it
   * @param seconds what it takes, clusters included
   */
  DemoSection(String id, String title, double seconds, Progress progress) {
    this.id = id;
    this.title = title;
    this.seconds = seconds;
    this.progress = progress;
  }

  /** Measures one arm; shows on the terminal what it is at. */
  abstract R measure(Arm arm) throws IOException, InterruptedException;

  /** How it was measured. */
  abstract String summary();

  /** What came out, in one sentence; the first measure says whether it is better. */
  abstract String finding(R stock, R evenkeel);

  abstract List<Measure<R>> measures();

  List<Plot<R>> plots() {
    return List.of();
  }

  final String id() {
    return id;
  }

  final String title() {
    return title;
  }

  final double seconds() {
    return seconds;
  }

  /** Runs it and returns it in the schema of the report; a failure is a section as well. */
  final Map<String, Object> run() throws InterruptedException {
    double begin = progress.elapsedSeconds();
    Map<String, Object> section;
    try {
      R stock = measure(Arm.STOCK);
      R evenkeel = measure(Arm.EVENKEEL);
      section = frame(id, title, "done", "");
      section.put("summary", summary());
      section.put("finding", finding(stock, evenkeel));
      section.put("rows", measures().stream().map(m -> m.row(stock, evenkeel)).toList());
      if (!plots().isEmpty()) {
        section.put("plots", plots().stream().map(p -> p.lines(stock, evenkeel)).toList());
      }
    } catch (IOException | RuntimeException | LinkageError e) {
      Logger.getLogger(DemoSection.class).error("section " + id + " failed", e);
      progress.done(title + ": failed, " + e);
      section = frame(id, title, "failed", e.toString());
    }
    section.put("seconds", Math.round(progress.elapsedSeconds() - begin));
    return section;
  }

  /** What every section of the report has. */
  static Map<String, Object> frame(String id, String title, String status, String reason) {
    Map<String, Object> section = new LinkedHashMap<>();
    section.put("id", id);
    section.put("title", title);
    section.put("status", status);
    section.put("reason", reason);
    return section;
  }

  /** The class that Evenkeel has for a key of Hadoop. */
  final String plugin(String key) throws IOException {
    String plugin = PlugPoints.onClassPath().get(key);
    if (plugin == null) {
      throw new IOException("the " + id + " module is not on the class path");
    }
    return plugin;
  }

  /** Tells what is going on now. */
  final void update(Arm arm, String text) {
    progress.update(title + " (" + arm.label() + "): " + text);
  }

  /** Tells what an arm gave. */
  final void done(Arm arm, String text) {
    progress.done(title + " (" + arm.label() + "): " + text);
  }

  /** What JSON can hold of a number. */
  private static Double orNull(double value) {
    return Double.isFinite(value) ? value : null;
  }

  private static List<Double> numbers(double[] values) {
    List<Double> numbers = new ArrayList<>();
    Arrays.stream(values).forEach(value -> numbers.add(orNull(value)));
    return numbers;
  }
}
