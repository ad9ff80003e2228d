package io.evenkeel.bench.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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
    Map<String, Object> section = new RegionServerSection(dir, progress).run(ONE);
    assertThat(section).as("%s", section.get("reason")).containsEntry("status", "done");
    List<Double> moved = values(section, "Replicas moved after a rename");
    assertThat(moved.get(0)).as("nobody asks stock").isZero();
    assertThat(moved.subList(1, moved.size())).as("those that are asked").containsOnly(1.0);
    for (String files : new String[] {"flushed files", "compacted file", "archived files"}) {
      assertThat(values(section, "Rename to moved, " + files).get(moved.size() - 1)).isNotNull();
    }
    assertThat(values(section, "Log on SSD when it is closed")).containsOnly(1.0);
  }

  @Test
  void run_clusterCannotStart_isAFailedSectionWithItsReason() throws Exception {
    Path file = Files.createFile(dir.resolve("file"));
    assertFailed(new RegionServerSection(file, progress).run(ONE), "mover");
  }
}
