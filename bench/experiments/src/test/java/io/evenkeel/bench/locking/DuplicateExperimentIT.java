package io.evenkeel.bench.locking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.evenkeel.bench.experiment.Comparison;
import io.evenkeel.bench.experiment.RunSettings;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(240)
class DuplicateExperimentIT {
  @Test
  void run_quick_oneCreationAndOneFileWithOursTwoWithStock() throws Exception {
    RunSettings settings = new RunSettings(true, 1, line -> {});
    assumeThat(Release.has(settings, "here")).as("Hadoop 3.4 or later").isTrue();
    List<Comparison> rows = new DuplicateExperiment().run(settings);
    assertThat(rows)
        .filteredOn(row -> row.quantity().startsWith("createRbw"))
        .hasSize(2)
        .allSatisfy(
            row -> {
              assertThat(row.range().evenkeelLeast()).isEqualTo(1);
              assertThat(row.range().evenkeelMost()).isEqualTo(1);
              assertThat(row.range().stockMost()).isEqualTo(2);
            });
  }
}
