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

@Timeout(value = 3, unit = TimeUnit.MINUTES)
class SlowDiskSectionIT {
  // The embedded daemons run until this JVM ends and may still write.
  @TempDir(cleanup = org.junit.jupiter.api.io.CleanupMode.NEVER)
  Path dir;

  private final Progress progress =
      new Progress(new PrintStream(System.err, true, StandardCharsets.UTF_8), false);

  @Test
  @SuppressWarnings("unchecked")
  void run_oneDiskSlow_sendsFewerBlocksThereThanStockAndLosesNone() throws Exception {
    Map<String, Object> section = new SlowDiskSection(dir, progress).run();
    assertThat(section).containsEntry("status", "done");
    List<Map<String, Object>> rows = (List<Map<String, Object>>) section.get("rows");
    assertThat(rows).allMatch(row -> row.get("stock") != null && row.get("evenkeel") != null);
    Map<String, Object> share = named(rows, "Share of the slow disk");
    assertThat((Double) share.get("evenkeel")).isLessThan((Double) share.get("stock") / 2);
    assertThat(named(rows, "Writes that failed"))
        .containsEntry("stock", 0.0)
        .containsEntry("evenkeel", 0.0);
    Map<String, Object> plot = ((List<Map<String, Object>>) section.get("plots")).get(0);
    List<Double> seconds = (List<Double>) plot.get("seconds");
    Map<String, List<Double>> series = (Map<String, List<Double>>) plot.get("series");
    assertThat(series.get("stock")).hasSameSizeAs(seconds);
    assertThat(series.get("evenkeel")).hasSameSizeAs(seconds);
  }

  @Test
  void run_clusterCannotStart_isAFailedSectionWithItsReason() throws Exception {
    Path file = Files.createFile(dir.resolve("file"));
    Map<String, Object> section = new SlowDiskSection(file, progress).run();
    assertThat(section).containsEntry("id", "volume").containsEntry("status", "failed");
    assertThat((String) section.get("reason")).isNotEmpty();
  }

  private static Map<String, Object> named(List<Map<String, Object>> rows, String name) {
    return rows.stream().filter(row -> row.get("name").equals(name)).findFirst().orElseThrow();
  }
}
