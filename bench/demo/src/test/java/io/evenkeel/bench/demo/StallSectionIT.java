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
@Timeout(value = 4, unit = TimeUnit.MINUTES)
class StallSectionIT extends SectionFixture {
  /** What the pauses are is for the experiment locking.stall and the demo itself to say. */
  @Tag("slow") // the whole section as the demo runs it
  @Test
  void run_slowTierStalls_hasTheValuesOfEachArm() throws Exception {
    Map<String, Object> section = new StallSection(dir, progress).run(ONE);
    assertThat(section).containsEntry("status", "done").containsEntry("id", "locking");
    for (Map<String, Object> row : rows(section)) {
      assertThat(values(section, (String) row.get("name"))).hasSize(2).doesNotContainNull();
    }
    assertNoWriteFailed(section);
    assertEveryPlaceIsPlotted(section);
  }

  @Test
  void run_clusterCannotStart_isAFailedSectionWithItsReason() throws Exception {
    Path file = Files.createFile(dir.resolve("file"));
    assertFailed(new StallSection(file, progress).run(ONE), "locking");
  }
}
