package io.evenkeel.bench.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** What tests of sections need, and how they read one. */
abstract class SectionFixture {
  // The embedded daemons run until this JVM ends and may still write.
  @TempDir(cleanup = CleanupMode.NEVER)
  Path dir;

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

  static void assertNoWriteFailed(Map<String, Object> section) {
    assertThat(row(section, "Writes that failed"))
        .containsEntry("stock", 0.0)
        .containsEntry("evenkeel", 0.0);
  }

  @SuppressWarnings("unchecked")
  static void assertEverySecondIsPlotted(Map<String, Object> section) {
    List<Map<String, Object>> plots = (List<Map<String, Object>>) section.get("plots");
    assertThat(plots).isNotEmpty();
    for (Map<String, Object> plot : plots) {
      List<Double> seconds = (List<Double>) plot.get("seconds");
      Map<String, List<Double>> series = (Map<String, List<Double>>) plot.get("series");
      assertThat(seconds).isNotEmpty();
      assertThat(series.get("stock")).hasSameSizeAs(seconds);
      assertThat(series.get("evenkeel")).hasSameSizeAs(seconds);
    }
  }

  static void assertFailed(Map<String, Object> section, String id) {
    assertThat(section).containsEntry("id", id).containsEntry("status", "failed");
    assertThat((String) section.get("reason")).isNotEmpty();
  }
}
