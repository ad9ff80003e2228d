package io.evenkeel.bench.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.bench.demo.DemoSection.Passes;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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
    Map<String, Object> section = new SlowDiskSection(dir, progress).run(ONE);
    assertThat(section).containsEntry("status", "done");
    List<Double> share = values(section, "Share of the slow disk");
    assertThat(share.get(2)).isLessThan(share.get(0) / 2);
    assertThat(share.get(1)).as("stock excludes it too").isLessThan(share.get(0));
    assertNoWriteFailed(section);
    assertEveryPlaceIsPlotted(section);
  }

  @Tag("slow")
  @Test
  void run_afterAClusterStopped_metricsAreCollectedAgain() throws Exception {
    Passes each = new Passes(2, false);
    Map<String, Object> section = new SlowDiskSection(dir, progress).run(each);
    assertThat(section).containsEntry("reason", "").containsEntry("status", "done");
  }

  @Test
  void run_clusterCannotStart_isAFailedSectionWithItsReason() throws Exception {
    Path file = Files.createFile(dir.resolve("file"));
    assertFailed(new SlowDiskSection(file, progress).run(ONE), "volume");
  }
}
