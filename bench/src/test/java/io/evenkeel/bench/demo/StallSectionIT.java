package io.evenkeel.bench.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 4, unit = TimeUnit.MINUTES)
class StallSectionIT {
  // The embedded daemons run until this JVM ends and may still write.
  @TempDir(cleanup = org.junit.jupiter.api.io.CleanupMode.NEVER)
  Path dir;

  private final Progress progress =
      new Progress(new PrintStream(System.err, true, StandardCharsets.UTF_8), false);

  @Test
  @SuppressWarnings("unchecked")
  void run_slowTierStalls_fastTierGoesOnWithOursAndStandsStillWithStock() throws Exception {
    Map<String, Object> section = new StallSection(dir, progress).run();
    assertThat(section).containsEntry("status", "done").containsEntry("id", "locking");
    List<Map<String, Object>> rows = (List<Map<String, Object>>) section.get("rows");
    assertThat(named(rows, "Writes that failed"))
        .containsEntry("stock", 0.0)
        .containsEntry("evenkeel", 0.0);
    Map<String, Object> pause = rows.get(0);
    assertThat((Double) pause.get("evenkeel")).isLessThan((Double) pause.get("stock") / 2);
    Map<String, Object> rate = named(rows, "Speed kept while stalled");
    assertThat((Double) rate.get("evenkeel")).isGreaterThan((Double) rate.get("stock"));
    for (Map<String, Object> plot : (List<Map<String, Object>>) section.get("plots")) {
      List<Double> seconds = (List<Double>) plot.get("seconds");
      Map<String, List<Double>> series = (Map<String, List<Double>>) plot.get("series");
      assertThat(series.get("stock")).hasSameSizeAs(seconds);
      assertThat(series.get("evenkeel")).hasSameSizeAs(seconds);
    }
  }

  @Test
  void run_clusterCannotStart_isAFailedSectionWithItsReason() throws Exception {
    Path file = Files.createFile(dir.resolve("file"));
    Map<String, Object> section = new StallSection(file, progress).run();
    assertThat(section).containsEntry("id", "locking").containsEntry("status", "failed");
    assertThat((String) section.get("reason")).isNotEmpty();
  }

  private static Map<String, Object> named(List<Map<String, Object>> rows, String name) {
    return rows.stream().filter(row -> row.get("name").equals(name)).findFirst().orElseThrow();
  }
}
