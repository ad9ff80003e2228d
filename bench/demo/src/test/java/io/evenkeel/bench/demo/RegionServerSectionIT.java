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
class RegionServerSectionIT extends SectionFixture {
  @Tag("slow") // the whole section as the demo runs it
  @Test
  void run_renamesAcrossPolicies_stockMovesNothingAndOursAll() throws Exception {
    Map<String, Object> section = new RegionServerSection(dir, progress).run();
    assertThat(section).as("%s", section.get("reason")).containsEntry("status", "done");
    assertThat(row(section, "Replicas moved after a rename"))
        .containsEntry("stock", 0.0)
        .containsEntry("evenkeel", 1.0);
    for (String files : new String[] {"flushed files", "compacted file", "archived files"}) {
      assertThat(row(section, "Rename to moved, " + files).get("evenkeel")).isNotNull();
    }
    assertThat(row(section, "Log on SSD when it is closed"))
        .containsEntry("stock", 1.0)
        .containsEntry("evenkeel", 1.0);
  }

  @Test
  void run_clusterCannotStart_isAFailedSectionWithItsReason() throws Exception {
    Path file = Files.createFile(dir.resolve("file"));
    assertFailed(new RegionServerSection(file, progress).run(), "mover");
  }
}
