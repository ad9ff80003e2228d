package io.evenkeel.bench.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("once") // what it runs has tests of its own on every release
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class SlowDiskSectionIT extends SectionFixture {
  @Tag("slow") // the whole section as the demo runs it
  @Test
  void run_oneDiskSlow_sendsFewerBlocksThereThanStockAndLosesNone() throws Exception {
    Map<String, Object> section = new SlowDiskSection(dir, progress).run();
    assertThat(section).containsEntry("status", "done");
    assertThat(rows(section))
        .allMatch(row -> row.get("stock") != null && row.get("evenkeel") != null);
    Map<String, Object> share = row(section, "Share of the slow disk");
    assertThat((Double) share.get("evenkeel")).isLessThan((Double) share.get("stock") / 2);
    assertNoWriteFailed(section);
    assertEverySecondIsPlotted(section);
  }

  @Test
  void run_clusterCannotStart_isAFailedSectionWithItsReason() throws Exception {
    Path file = Files.createFile(dir.resolve("file"));
    assertFailed(new SlowDiskSection(file, progress).run(), "volume");
  }
}
