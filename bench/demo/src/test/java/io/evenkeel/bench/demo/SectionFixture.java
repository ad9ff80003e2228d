package io.evenkeel.bench.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.bench.demo.DemoSection.Passes;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** What tests of sections need, and how they read one. */
abstract class SectionFixture {
  // The embedded daemons run until this JVM ends and may still write.
  @TempDir(cleanup = CleanupMode.NEVER)
  Path dir;

  static final Passes ONE = new Passes(1, false);

  final Progress progress =
      new Progress(new PrintStream(System.err, true, StandardCharsets.UTF_8), false);

  @SuppressWarnings("unchecked")
  static List<Map<String, Object>> rows(Map<String, Object> section) {
    return (List<Map<String, Object>>) section.get("rows");
  }

  static Map<String, Object> row(Map<String, Object> section, String name) {
    return rows(section).stream()
        .filter(row -> row.get("name").equals(name))
        .findFirst()
        .orElseThrow();
  }

  /** The value of each arm in a section that ran once. */
  @SuppressWarnings("unchecked")
  static List<Double> values(Map<String, Object> section, String row) {
    List<Double> values = new ArrayList<>();
    for (List<Double> runs : (List<List<Double>>) row(section, row).get("values")) {
      assertThat(runs).hasSize(1);
      values.add(runs.get(0));
    }
    return values;
  }

  static void assertNoWriteFailed(Map<String, Object> section) {
    assertThat(values(section, "Writes that failed")).containsOnly(0.0);
  }

  @SuppressWarnings("unchecked")
  static void assertEveryPlaceIsPlotted(Map<String, Object> section) {
    List<Map<String, Object>> plots = (List<Map<String, Object>>) section.get("plots");
    assertThat(plots).isNotEmpty();
    for (Map<String, Object> plot : plots) {
      List<Double> at = (List<Double>) plot.get("at");
      assertThat(at).isNotEmpty();
      assertThat((List<List<Double>>) plot.get("values"))
          .hasSameSizeAs((List<?>) section.get("arms"))
          .allSatisfy(line -> assertThat(line).hasSameSizeAs(at));
    }
  }

  static void assertFailed(Map<String, Object> section, String id) {
    assertThat(section).containsEntry("id", id).containsEntry("status", "failed");
    assertThat((String) section.get("reason")).isNotEmpty();
  }
}
